import { resolve } from "node:path";
import { defineConfig } from "vite";
import { VitePWA } from "vite-plugin-pwa";

const root = import.meta.dirname;

/** Build of the check-in app, served at `/checkin/` of each account. */
export default defineConfig({
  root,
  base: "/checkin/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: resolve(root, "../dist/checkin"),
    emptyOutDir: true,
    target: "es2023",
    // Assets are files of their own, because the page's policy forbids data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Bundle everything needed at start in one file, because each file is a round trip on slow networks.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "start", tags: ["$initial"] }] } } },
  },
  plugins: [
    VitePWA({
      strategies: "injectManifest",
      srcDir: "src",
      filename: "sw.ts",
      injectRegister: false,
      manifest: false,
      // The code reader is cached on first use, see sw.ts.
      injectManifest: {
        globPatterns: ["**/*.{html,js,css,svg,png,webmanifest}"],
        globIgnores: ["assets/ponyfill-*.js"],
      },
    }),
  ],
});
