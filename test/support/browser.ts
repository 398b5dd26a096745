import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { installedBrowser } from "#scripts/browser-path.ts";
import { installOnDebian } from "./debian.ts";

/** The Chromium or Chrome of this machine; on Debian it is installed where it is missing and that is allowed. */
export function findBrowser(): string {
  const found = installedBrowser();
  if (found) return found;
  installOnDebian(["chromium"]);
  if (existsSync("/usr/bin/chromium")) return "/usr/bin/chromium";
  throw new Error("The browser tests need Chromium or Chrome: install one, or name it in the variable CHROMIUM.");
}

/** What Chromium needs to run without a screen, an own sandbox and its maker's servers. */
export const BROWSER_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let opened: Promise<Browser> | undefined;

/**
 * The browser of this process, which its test files share: to start one costs more than many a test. Files come one
 * after the other, and each closes its pages.
 */
export async function openBrowser(): Promise<Browser> {
  if (!(await opened)?.isConnected())
    opened = chromium.launch({ executablePath: findBrowser(), args: BROWSER_ARGUMENTS });
  return opened as Promise<Browser>;
}

/** Closes all that a test file has opened in the browser. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}
