import { createHash } from "node:crypto";
import type { Plugin } from "vite";

const POLICY = "<!-- content security policy -->";

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}

/** Text that may stand inside a script element: nothing in it can end the element or open a comment. */
function insideScript(code: string): string {
  return code.replaceAll(/<\/(?=script)/gi, "<\\/").replaceAll("<!--", "\\x3C!--").trim();
}

/**
 * Puts the script and the style sheet into the page itself and adds a policy that lets the page run exactly
 * these two texts and load nothing at all: the file can be mailed, and it cannot call home.
 */
export function singlePage(): Plugin {
  return {
    name: "marotte-single-page",
    enforce: "post",
    generateBundle(_options, bundle) {
      for (const [file, item] of Object.entries(bundle)) {
        if (item.type !== "asset" || !file.endsWith(".html")) continue;
        let page = String(item.source);
        const allowed = { script: [] as string[], style: [] as string[] };
        page = page.replace(/\s*<script type="module"[^>]*src="\.?\/?([^"]+)"[^>]*><\/script>/g, (_all, name: string) => {
          const chunk = bundle[name];
          if (chunk?.type !== "chunk") throw new Error(`${file} asks for ${name}, which was not built`);
          const code = insideScript(chunk.code);
          delete bundle[name];
          allowed.script.push(hash(code));
          return `\n<script type="module">${code}</script>`;
        });
        page = page.replace(/\s*<link rel="stylesheet"[^>]*href="\.?\/?([^"]+)"[^>]*>/g, (_all, name: string) => {
          const sheet = bundle[name];
          if (sheet?.type !== "asset") throw new Error(`${file} asks for ${name}, which was not built`);
          const text = String(sheet.source).trim();
          delete bundle[name];
          allowed.style.push(hash(text));
          return `\n<style>${text}</style>`;
        });
        if (!page.includes(POLICY)) throw new Error(`${file} has no place for its policy: ${POLICY}`);
        const policy =
          `default-src 'none'; script-src ${allowed.script.join(" ")}; style-src ${allowed.style.join(" ")}; ` +
          "img-src data: blob:; base-uri 'none'; form-action 'none'";
        item.source = page.replace(POLICY, `<meta http-equiv="Content-Security-Policy" content="${policy}">`);
      }
      const left = Object.keys(bundle).filter((name) => !name.endsWith(".html"));
      if (left.length > 0) throw new Error(`The page would need files beside it: ${left.join(", ")}`);
    },
  };
}
