import { existsSync } from "node:fs";

const CANDIDATES = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Returns the path of Chromium or Chrome on this machine, or from the variable CHROMIUM. Undefined if there's none. */
export function findInstalledBrowser(): string | undefined {
  return CANDIDATES.find((path) => path !== undefined && existsSync(path));
}
