import { resolve } from "node:path";
import { defineConfig } from "vite";

const root = import.meta.dirname;

// A build of its own: its files lie below /docs/, and no demo page among them.
export default defineConfig({
  root,
  base: "./",
  build: {
    outDir: resolve(root, "../dist/docs"),
    emptyOutDir: true,
    target: "es2023",
  },
});
