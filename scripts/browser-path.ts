import { existsSync } from "node:fs";

const CANDIDATES = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The Chromium or Chrome of this machine, or what the variable CHROMIUM names; undefined where there is none. */
export function installedBrowser(): string | undefined {
  return CANDIDATES.find((path) => path !== undefined && existsSync(path));
}
