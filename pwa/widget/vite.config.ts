import { resolve } from "node:path";
import { defineConfig } from "vite";

const root = import.meta.dirname;

/** Build of the booking widget: one classic script, served at `/widget/rental-booking.js` of each account. */
export default defineConfig({
  root,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: resolve(root, "../dist/widget"),
    emptyOutDir: true,
    target: "es2022",
    // Browsers that support light-dark(). The fallback would need a variable that websites' styles don't set.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    lib: {
      entry: resolve(root, "src/main.ts"),
      formats: ["iife"],
      name: "RentalBooking",
      fileName: () => "rental-booking.js",
    },
  },
});
