import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { installedBrowser } from "#scripts/browser-path.ts";
import { installOnDebian } from "./debian.ts";

/** Chromium for programs: no window of its own, whose toolbar is a page too and costs more than many a test's. */
const HEADLESS = { name: "chromium-headless-shell", path: "/usr/bin/chromium-headless-shell" };
const DEBIAN_CHROMIUM = { name: "chromium", path: "/usr/bin/chromium" };

/** The Chromium or Chrome of this machine; on Debian it is installed where it is missing and that is allowed. */
export function findBrowser(): string {
  const installedPath = installedBrowser();
  if (installedPath) return installedPath;
  installOnDebian([DEBIAN_CHROMIUM.name]);
  if (existsSync(DEBIAN_CHROMIUM.path)) return DEBIAN_CHROMIUM.path;
  throw new Error("The browser tests need Chromium or Chrome: install one, or name it in the variable CHROMIUM.");
}

/** What the tests' pages are opened with: the headless one if there is one, which a page costs a fifth of the time. */
export function findHeadlessBrowser(): string {
  if (process.env["CHROMIUM"] || !existsSync(HEADLESS.path)) return findBrowser();
  return HEADLESS.path;
}

/** Installs both before any test begins, where they are missing and that is allowed; the headless one may lack. */
export function installBrowsers(): void {
  findBrowser();
  if (!process.env["CHROMIUM"] && !existsSync(HEADLESS.path)) installOnDebian([HEADLESS.name]);
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

/** Pages live for seconds here: what V8's last compiler did for axe in each was a fifth of what axe took. */
const SHORT_LIVED = "--js-flags=--no-turbofan";

/** How long a page may take for anything on a machine that others have. */
const PATIENCE_MILLISECONDS = 120_000;

/** A browser whose pages have patience. */
export async function openPatiently(starting: Promise<Browser>): Promise<Browser> {
  const browser = await starting;
  for (const context of browser.contexts()) context.setDefaultTimeout(PATIENCE_MILLISECONDS);
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    context.setDefaultTimeout(PATIENCE_MILLISECONDS);
    return context;
  };
  return browser;
}

let opened: Promise<Browser> | undefined;

/**
 * The browser of this process, which its test files share: to start one costs more than many a test. Files come one
 * after the other, and each closes its pages.
 */
export async function openBrowser(): Promise<Browser> {
  if (!(await opened)?.isConnected())
    opened = openPatiently(
      chromium.launch({ executablePath: findHeadlessBrowser(), args: [...BROWSER_ARGUMENTS, SHORT_LIVED] }),
    );
  return opened as Promise<Browser>;
}

/** Closes all that a test file has opened in the browser. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}
