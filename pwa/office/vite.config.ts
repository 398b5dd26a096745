import { resolve } from "node:path";
import { defineConfig } from "vite";

const root = import.meta.dirname;

// A build of its own: its files lie below /office/, and no demo page among them.
export default defineConfig({
  root,
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: resolve(root, "../dist/office"),
    emptyOutDir: true,
    target: "es2023",
  },
});
