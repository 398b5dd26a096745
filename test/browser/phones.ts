import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { closePages, openBrowser } from "#support/browser.ts";
import { type CheckInServer, checkInServer } from "#support/check-in/server.ts";
import { checkInSite } from "#support/check-in-site.ts";
import { PHONE, signIn } from "./phone.ts";

interface PhoneOptions {
  readonly username?: string;
  /** Another one than the file's own. */
  readonly browser?: Browser | undefined;
  readonly mayUseCamera?: boolean;
  readonly colorScheme?: "light" | "dark";
  /** Before the app is opened. */
  readonly prepare?: ((page: Page) => Promise<unknown>) | undefined;
}

/**
 * Phones for the tests of a file: each test has a site of its own, of a server that `fill` fills, and closes its
 * phones.
 */
export function usePhones(fill: (server: CheckInServer) => void) {
  let browser: Browser;
  let server: CheckInServer;
  let site: Awaited<ReturnType<typeof checkInSite>>;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => closePages(browser));
  beforeEach(async () => {
    server = checkInServer();
    fill(server);
    site = await checkInSite(server);
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    await site.stop();
  });
  return {
    get server() {
      return server;
    },
    get site() {
      return site;
    },
    /** A phone that opens the app, and nobody signs in. */
    async visit(prepare: (page: Page) => Promise<unknown>): Promise<Page> {
      const context = await browser.newContext({ viewport: PHONE, locale: "en" });
      contexts.push(context);
      const page = await context.newPage();
      await prepare(page);
      await page.goto(site.address);
      return page;
    },
    /** A phone of its own, with somebody signed in. */
    async start({
      username = "ana",
      browser: own = browser,
      prepare,
      mayUseCamera,
      colorScheme = "light",
    }: PhoneOptions = {}): Promise<Page> {
      const options = { viewport: PHONE, locale: "en", reducedMotion: "reduce", colorScheme } as const;
      const context = await own.newContext(options);
      contexts.push(context);
      if (mayUseCamera) await context.grantPermissions(["camera"]);
      const page = await context.newPage();
      await prepare?.(page);
      await page.goto(site.address);
      await signIn(page, username);
      return page;
    },
    async open(page: Page, path: string, selector: string): Promise<void> {
      await page.goto(`${site.address}#/${path}`);
      await page.waitForSelector(selector);
    },
  };
}
