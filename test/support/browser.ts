import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { findInstalledBrowser } from "#scripts/browser-path.ts";
import { installOnDebian } from "./install-on-debian.ts";

/** Headless Chromium without a window, which would cost more than many tests. */
const HEADLESS = { name: "chromium-headless-shell", path: "/usr/bin/chromium-headless-shell" };
const DEBIAN_CHROMIUM = { name: "chromium", path: "/usr/bin/chromium" };

/** Returns the path of Chromium or Chrome. On Debian, installs it if missing and permitted. */
export function findBrowser(): string {
  const installedPath = findInstalledBrowser();
  if (installedPath) return installedPath;
  installOnDebian([DEBIAN_CHROMIUM.name]);
  if (existsSync(DEBIAN_CHROMIUM.path)) return DEBIAN_CHROMIUM.path;
  throw new Error("The browser tests need Chromium or Chrome: install one, or name it in the variable CHROMIUM.");
}

/** Returns the browser for test pages, headless if available, which takes a fifth of the time per page. */
function findHeadlessBrowser(): string {
  if (process.env["CHROMIUM"] || !existsSync(HEADLESS.path)) return findBrowser();
  return HEADLESS.path;
}

/** Installs both browsers before the tests if missing and permitted. The headless one is optional. */
export function installBrowsers(): void {
  findBrowser();
  if (!process.env["CHROMIUM"] && !existsSync(HEADLESS.path)) installOnDebian([HEADLESS.name]);
}

/** Arguments to run Chromium without a screen, sandbox and vendor servers. */
export const BROWSER_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Disables V8's optimizing compiler, because pages live for seconds and it took a fifth of axe's time. */
const SHORT_LIVED = "--js-flags=--no-turbofan";

/** Time limit of page operations on a shared machine. */
const PATIENCE_MILLISECONDS = 120_000;

/** Waits for a browser to start and sets long time limits on its pages. */
export async function waitForBrowser(starting: Promise<Browser>): Promise<Browser> {
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

let starting: Promise<Browser> | undefined;
let shared: Browser | undefined;

/**
 * Returns the process's browser, shared by its test files because starting one is slow. Files run one after the other,
 * and each closes its pages.
 */
export async function openBrowser(): Promise<Browser> {
  if (!(await starting)?.isConnected())
    starting = waitForBrowser(
      chromium.launch({ executablePath: findHeadlessBrowser(), args: [...BROWSER_ARGUMENTS, SHORT_LIVED] }),
    );
  shared = (await starting) as Browser;
  return shared;
}

/** Lists the open pages of the shared browser. */
export const listOpenPages = (): readonly Page[] => shared?.contexts().flatMap((context) => context.pages()) ?? [];

/** Closes everything that a test file opened in the browser. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}
