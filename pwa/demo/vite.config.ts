import { resolve } from "node:path";
import { defineConfig } from "vite";

const root = import.meta.dirname;

export default defineConfig({
  root,
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: resolve(root, "dist"),
    emptyOutDir: true,
    target: "es2023",
    rolldownOptions: { input: { demo: resolve(root, "demo/index.html") } },
  },
});
