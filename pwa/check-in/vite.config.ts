import { resolve } from "node:path";
import { defineConfig } from "vite";
import { VitePWA } from "vite-plugin-pwa";

const root = import.meta.dirname;

/** The check-in app, served at `/checkin/` of each account. */
export default defineConfig({
  root,
  base: "/checkin/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: resolve(root, "../dist/checkin"),
    emptyOutDir: true,
    target: "es2023",
    // The policy of the page allows no data: styles and every chunk counts against the first load.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What every start needs is one file: each more is a round trip on a slow network.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "start", tags: ["$initial"] }] } } },
  },
  plugins: [
    VitePWA({
      strategies: "injectManifest",
      srcDir: "src",
      filename: "sw.ts",
      injectRegister: false,
      manifest: false,
      // The reader of codes is kept when it is first used: see sw.ts.
      injectManifest: {
        globPatterns: ["**/*.{html,js,css,svg,png,webmanifest}"],
        globIgnores: ["assets/ponyfill-*.js"],
      },
    }),
  ],
});
