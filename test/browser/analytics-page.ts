import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, inject } from "vitest";
import { closePages, openBrowser } from "#support/browser.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";

const staff = demoAccounts
  .find(({ account }) => account === "acme")
  ?.users.find(({ username }) => username.startsWith("staff"));

/** The page of a year's figures; in Spanish, whatever language somebody else has given this person meanwhile. */
export const address = `http://acme.localhost:${inject("port")}/analytics/?lang=es`;

export interface Analytics {
  readonly browser: Browser;
  readonly page: Page;
  /** What the page wrote to the console as an error. */
  readonly violations: readonly string[];
}

/** Opens a browser on a desk in Spain for a file of tests, and closes it after them. */
export function useAnalytics(setAnalytics: (opened: Analytics) => void): void {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    const context: BrowserContext = await browser.newContext({
      locale: "es-ES",
      viewport: { width: 1280, height: 900 },
      acceptDownloads: true,
    });
    const page = await context.newPage();
    const violations: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") violations.push(message.text());
    });
    setAnalytics({ browser, page, violations });
  });
  afterAll(() => closePages(browser));
}

/** Signs the demo's staff in, after a slip in the password, and looks at the year before this one. */
export async function signIn(page: Page): Promise<void> {
  await page.goto(address);
  await page.getByLabel("Correo o usuario").fill(staff?.username ?? "");
  await page.getByLabel("Contraseña").fill("wrong");
  await page.getByRole("button", { name: "Entrar" }).click();
  await page.getByRole("alert").getByText("no son correctos").waitFor();
  await page.getByLabel("Contraseña").fill(staff?.password ?? "");
  await page.getByRole("button", { name: "Entrar" }).click();
  // The year before: in the first days of January there is little to see of the new one.
  await Promise.all([
    page.waitForResponse((response) => response.url().includes(String(new Date().getFullYear() - 1))),
    page.getByLabel(/^Año/).selectOption({ index: 1 }),
  ]);
  await page.getByRole("img", { name: "Por mes" }).waitFor();
}

/** The figure that the page begins with, in whole euros. */
export async function readHeadline(page: Page): Promise<number> {
  return Number(((await page.locator("dd").first().textContent()) ?? "").replace(/\D/g, ""));
}
