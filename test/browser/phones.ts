import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { closePages, openBrowser } from "#support/browser.ts";
import { type CheckInServer, startCheckInServer } from "#support/check-in/server.ts";
import { startCheckInSite } from "#support/check-in-site.ts";
import { PHONE_VIEWPORT, signIn } from "./phone.ts";

interface PhoneOptions {
  readonly username?: string;
  /** Browser to use instead of the test file's. */
  readonly browser?: Browser | undefined;
  readonly mayUseCamera?: boolean;
  readonly colorScheme?: "light" | "dark";
  /** Runs before the app opens. */
  readonly prepare?: ((page: Page) => Promise<unknown>) | undefined;
}

/**
 * Provides devices for a test file. Each test has its own site and server filled by `fillServer`, and its devices are
 * closed afterwards.
 */
export function useCheckInDevices(fillServer: (server: CheckInServer) => void) {
  let browser: Browser;
  let server: CheckInServer;
  let site: Awaited<ReturnType<typeof startCheckInSite>>;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => closePages(browser));
  beforeEach(async () => {
    server = startCheckInServer();
    fillServer(server);
    site = await startCheckInSite(server);
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
    /** Opens the app on a device without signing in. */
    async visit(prepare: (page: Page) => Promise<unknown>): Promise<Page> {
      const context = await browser.newContext({ viewport: PHONE_VIEWPORT, locale: "en" });
      contexts.push(context);
      const page = await context.newPage();
      await prepare(page);
      await page.goto(site.address);
      return page;
    },
    /** Opens a new device with a signed-in user. */
    async start({
      username = "ana",
      browser: own = browser,
      prepare,
      mayUseCamera,
      colorScheme = "light",
    }: PhoneOptions = {}): Promise<Page> {
      const options = { viewport: PHONE_VIEWPORT, locale: "en", reducedMotion: "reduce", colorScheme } as const;
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
