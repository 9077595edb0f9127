import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { singlePage } from "./build/singlePage.ts";

const rooms = resolve(import.meta.dirname, "../src/marotte");

export default defineConfig(({ mode }) => {
  const player = mode === "player";
  return {
    plugins: player ? [react(), singlePage()] : [react()],
    base: "./",
    build: {
      target: "es2022",
      outDir: player ? `${rooms}/viewer/static` : `${rooms}/studio/static`,
      emptyOutDir: true,
      modulePreload: false,
      cssCodeSplit: false,
      assetsInlineLimit: player ? Number.MAX_SAFE_INTEGER : 0,
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { input: resolve(import.meta.dirname, player ? "player.html" : "index.html") },
    },
    server: { proxy: { "/api": process.env.MAROTTE_STUDIO ?? "http://127.0.0.1:8123" } },
    test: { include: ["test/**/*.test.ts", "test/**/*.test.tsx"], environment: "node" },
  };
});
