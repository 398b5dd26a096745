import { resolve } from "node:path";
import { defineConfig } from "vite";

const root = import.meta.dirname;

// Separate build: its files are below /analytics/, without demo pages.
export default defineConfig({
  root,
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: resolve(root, "../dist/analytics"),
    emptyOutDir: true,
    target: "es2023",
  },
});
