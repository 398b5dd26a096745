import { rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { PROJECT_ROOT, runOrThrow } from "#scripts/processes.ts";
import { closePages, openBrowser } from "#support/browser.ts";
import { serveFiles } from "#support/serve-files.ts";

const FOLDER = `${PROJECT_ROOT}/pwa/design/dist`;

/** Builds the design page and opens it in a browser, in German. */
export async function openDesignPage() {
  await runOrThrow("vite", ["build", "pwa/design", "--logLevel", "warn"]);
  const server = await serveFiles(FOLDER);
  const browser = await openBrowser();
  const context = await browser.newContext({ locale: "de-DE", reducedMotion: "reduce", deviceScaleFactor: 1 });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(message));
  const address = `http://localhost:${(server.address() as AddressInfo).port}/`;
  const close = async () => {
    await closePages(browser);
    server.close();
    await rm(FOLDER, { recursive: true, force: true });
  };
  return {
    page,
    faults,
    close,
    /** Opens the page, or one state of a component alone. */
    open: async (query: Readonly<Record<string, string>> = {}) => {
      await page.goto(`${address}?${new URLSearchParams({ lang: "de", ...query })}`);
      await page.locator("[data-component] figure").first().waitFor();
      // Shown after answered requests.
      if (!("show" in query)) await page.locator("[data-component=RowAction] .problem").waitFor();
      if (query["show"] === "SecondFactorSheet") await page.locator("dialog").waitFor();
      await page.waitForLoadState("networkidle");
    },
  };
}

export type DesignPage = Awaited<ReturnType<typeof openDesignPage>>;

/** Returns the addresses of the states that are only shown alone. */
export const listOverlays = (page: Page) =>
  page.evaluate<readonly { readonly show: string; readonly state: string }[]>(
    `[...document.querySelectorAll("figure > a[href*='show=']")]
      .map(({ href }) => Object.fromEntries(new URL(href).searchParams))
      .map(({ show, state }) => ({ show, state }))`,
  );
