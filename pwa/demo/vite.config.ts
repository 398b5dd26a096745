import { resolve } from "node:path";
import { defineConfig } from "vite";

const root = import.meta.dirname;

/** Build of the demo booking website, served at `/demo/` of each account in development. */
export default defineConfig({
  root,
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: resolve(root, "../dist/demo"),
    emptyOutDir: true,
    target: "es2023",
  },
});
