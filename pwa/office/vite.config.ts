import { resolve } from "node:path";
import { defineConfig } from "vite";

const root = import.meta.dirname;

/** Modules that every page loads. One chunk of them compresses better than many small ones. */
const COMMON =
  /preact|shared.(locale|i18n|lazy|links|typed-requests)\.|office.src.(account|api|icons|refusals|route|settings-menu|setup-state|single-key-shortcuts|texts|window-title)\.|desk.(chosen-branch|inputs|refusals|skeleton|submit-once|trouble|use-choices|use-media-query|use-menu)\./;

// Separate build: its files are below /office/, without demo pages.
export default defineConfig({
  root,
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: resolve(root, "../dist/office"),
    emptyOutDir: true,
    target: "es2023",
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "common", test: COMMON }] } } },
  },
});
