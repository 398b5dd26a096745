import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { textsByLanguage } from "./src/texts/texts-by-language.ts";

const root = import.meta.dirname;

/** Writes the texts of each language to a file, so that a visitor loads one language. English is in the script. */
const textFiles: Plugin = {
  name: "widget-texts",
  generateBundle() {
    for (const [language, texts] of Object.entries(textsByLanguage))
      if (language !== "en")
        this.emitFile({ type: "asset", fileName: `texts/${language}.json`, source: JSON.stringify(texts) });
  },
};

/** Build of the booking widget: one classic script, served at `/widget/rental-booking.js` of each account. */
export default defineConfig({
  root,
  plugins: [textFiles],
  // Calls with children as arguments are smaller than calls of the automatic runtime.
  oxc: {
    jsx: { runtime: "classic", pragma: "h", pragmaFrag: "JsxFragment" },
    jsxInject: 'import { Fragment as JsxFragment, h } from "preact";',
  },
  build: {
    outDir: resolve(root, "../dist/widget"),
    emptyOutDir: true,
    target: "es2022",
    // Saves 0.5 kB compared with the default minifier.
    minify: "terser",
    terserOptions: { ecma: 2020, compress: { passes: 3 } },
    // Browsers that support light-dark(). The fallback would need a variable that websites' styles don't set.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // Reads of properties have no side effects here, so the build removes unused ones.
    rolldownOptions: { treeshake: { propertyReadSideEffects: false } },
    lib: {
      entry: resolve(root, "src/main.ts"),
      formats: ["iife"],
      name: "RentalBooking",
      fileName: () => "rental-booking.js",
    },
  },
});
