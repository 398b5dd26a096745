import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { pageHtml } from "./build/page.ts";
import { allPages, missingPage } from "./build/pages.ts";
import { searchIndex } from "./build/search-index.ts";

const root = import.meta.dirname;

/** Every page, the index of the search and the OpenAPI documents, made from the documents as they are now. */
function pages(): Plugin {
  return {
    name: "docs-pages",
    generateBundle() {
      const { pages: all, menu, references } = allPages();
      const emit = (fileName: string, source: string) => this.emitFile({ type: "asset", fileName, source });
      for (const page of [...all, missingPage]) emit(`${page.path}index.html`, pageHtml(page, menu));
      for (const { document, text } of references) emit(`openapi/${document}.json`, text);
      emit("assets/search.json", JSON.stringify(searchIndex(all)));
    },
  };
}

// A build of its own: its files lie below /docs/, and no demo page among them.
export default defineConfig({
  root,
  base: "/docs/",
  plugins: [pages()],
  build: {
    outDir: resolve(root, "../dist/docs"),
    emptyOutDir: true,
    target: "es2023",
    // Browsers that know light-dark(): the pages' tokens are made with it.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    rollupOptions: {
      input: resolve(root, "src/main.ts"),
      output: { entryFileNames: "assets/docs.js", assetFileNames: "assets/docs[extname]" },
    },
  },
});
