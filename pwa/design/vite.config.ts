import { resolve } from "node:path";
import { defineConfig } from "vite";

const root = import.meta.dirname;

// Not part of pwa/dist, so it's neither deployed nor served by a Worker.
export default defineConfig({
  root,
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: resolve(root, "dist"),
    emptyOutDir: true,
    target: "es2023",
  },
});
