import { resolve } from "node:path";
import { defineConfig } from "vite";

const root = import.meta.dirname;

// Separate build: its files are below /office/, without demo pages.
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
