import { useStore } from "../state/store";
import { Icon } from "../ui/Icon";
import { Button } from "../ui/Button";
import type { Controller } from "./controller";
import { kernelNote } from "./library";

/** The thin note about compiling; it takes no room when there is nothing to say. */
export function KernelNote({ controller }: { controller: Controller }) {
  const state = useStore(controller.library, (s) => s.kernels);
  const note = kernelNote(state);
  if (!note) return null;
  return (
    <div className="kernels" role="status" title="Marotte's arithmetic is turned into machine code once on every machine. Everything can be used meanwhile.">
      <span>{note.text}</span>
      <progress max={1} value={note.share} />
    </div>
  );
}

/** What went wrong, in the server's words, over the picture; the old take stays. */
export function ProblemNote({ controller }: { controller: Controller }) {
  const problem = useStore(controller.library, (s) => s.problem);
  if (!problem) return null;
  const { retry } = problem;
  return (
    <div className="problem" role="alert">
      <Icon name="warn" />
      <div>
        <b>{problem.title}</b>
        {problem.message.split("\n").map((line) => <p key={line}>{line}</p>)}
        {retry && <button type="button" className="plain" onClick={() => void controller.open(retry.id, retry.as)}>Try again</button>}
      </div>
      <Button label="Close" icon="close" tip="left" onClick={() => controller.library.dispatch({ type: "dismiss" })} />
    </div>
  );
}

/** Nobody answers, or the key is missing. */
export function LinkNote({ controller }: { controller: Controller }) {
  const link = useStore(controller.library, (s) => s.link);
  if (link === "fine") return null;
  return (
    <div className="veil quiet">
      <div className="notice" role="alert">
        {link === "gone" ? (
          <>
            <h2>The Studio's server does not answer</h2>
            <p>Start it again in a terminal and open the link that it prints: <code>marotte studio</code></p>
            <p>This page goes on by itself when the same server comes back.</p>
          </>
        ) : (
          <>
            <h2>This page has no key</h2>
            <p>Open the link that <code>marotte studio</code> printed: it ends in <code>#token=…</code></p>
          </>
        )}
      </div>
    </div>
  );
}
