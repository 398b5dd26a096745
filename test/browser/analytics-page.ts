import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, inject } from "vitest";
import { closePages, openBrowser } from "#support/browser.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";

const staff = demoAccounts
  .find(({ account }) => account === "acme")
  ?.users.find(({ username }) => username.startsWith("staff"));

/** Page of yearly figures, in Spanish regardless of the user's language. */
export const address = `http://acme.localhost:${inject("port")}/analytics/?lang=es`;

export interface Analytics {
  readonly browser: Browser;
  readonly page: Page;
  /** Errors that the page logged to the console. */
  readonly violations: readonly string[];
}

/** Opens a Spanish desktop browser for a test file and closes it afterwards. */
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

/** Signs in demo staff after one wrong password, and selects the previous year. */
export async function signIn(page: Page): Promise<void> {
  await page.goto(address);
  await page.getByLabel("Correo o usuario").fill(staff?.username ?? "");
  await page.getByLabel("Contraseña").fill("wrong");
  await page.getByRole("button", { name: "Entrar" }).click();
  await page.getByRole("alert").getByText("no son correctos").waitFor();
  await page.getByLabel("Contraseña").fill(staff?.password ?? "");
  await page.getByRole("button", { name: "Entrar" }).click();
  // Previous year, because in early January the new one has little data.
  await Promise.all([
    page.waitForResponse((response) => response.url().includes(String(new Date().getFullYear() - 1))),
    page.getByLabel(/^Año/).selectOption({ index: 1 }),
  ]);
  await page.getByRole("img", { name: "Por mes" }).waitFor();
}

/** Returns the first figure of the page in whole euros. */
export async function readHeadline(page: Page): Promise<number> {
  return Number(((await page.locator("dd").first().textContent()) ?? "").replace(/\D/g, ""));
}
