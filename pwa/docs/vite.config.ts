import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { renderPage } from "./build/page.ts";
import { buildDocsPages, notFoundDocsPage } from "./build/pages.ts";
import { buildSearchIndex } from "./build/search-index.ts";

const root = import.meta.dirname;

/** Builds all pages, the search index and the OpenAPI documents from the current documents. */
function pages(): Plugin {
  return {
    name: "docs-pages",
    generateBundle() {
      const { pages: all, menu, references } = buildDocsPages();
      const emit = (fileName: string, source: string) => this.emitFile({ type: "asset", fileName, source });
      for (const page of [...all, notFoundDocsPage]) emit(`${page.path}index.html`, renderPage(page, menu));
      for (const { document, text } of references) emit(`openapi/${document}.json`, text);
      emit("assets/search.json", JSON.stringify(buildSearchIndex(all)));
    },
  };
}

// Separate build: its files are below /docs/, without demo pages.
export default defineConfig({
  root,
  base: "/docs/",
  plugins: [pages()],
  build: {
    outDir: resolve(root, "../dist/docs"),
    emptyOutDir: true,
    target: "es2023",
    // Browsers that support light-dark(), which the design tokens use.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    rollupOptions: {
      input: resolve(root, "src/main.ts"),
      output: { entryFileNames: "assets/docs.js", assetFileNames: "assets/docs[extname]" },
    },
  },
});
