import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { runStep } from "#scripts/steps.ts";
import { openBrowser } from "#support/browser.ts";
import { runTool } from "#tools/platform/run-tool.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";

// npm run screenshots: writes the pictures of the README from the demo company of a running `npm start`. PORT names
// another port than 8787.

const FOLDER = "docs/images";
const SITE = `http://acme.localhost:${process.env["PORT"] ?? "8787"}`;
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

const staff = demoAccounts
  .find(({ account }) => account === "acme")
  ?.users.find(({ username }) => username.startsWith("staff@"));

async function signIn(page: Page): Promise<void> {
  await page.locator("[name=username]").fill(staff?.username ?? "");
  await page.locator("[name=password]").fill(staff?.password ?? "");
  await page.keyboard.press("Enter");
}

interface Picture {
  readonly name: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly path: string;
  /** Element that is there once the page is complete. */
  readonly ready: string;
  readonly isForStaff: boolean;
  /** Name of the button to press before the picture is taken. */
  readonly press?: string;
}

const PICTURES: readonly Picture[] = [
  { name: "office", size: DESKTOP, path: "/office/#/today", ready: ".goings li", isForStaff: true },
  { name: "planning", size: DESKTOP, path: "/office/#/planning", ready: ".board .bar", isForStaff: true },
  {
    name: "widget",
    size: DESKTOP,
    path: "/demo/?lang=en",
    ready: "[data-offer]",
    press: "Show vehicles",
    isForStaff: false,
  },
  { name: "check-in", size: PHONE, path: "/checkin/", ready: ".entry", isForStaff: true },
];

// The pictures are in English, whatever language the demo's staff use.
const inEnglish = (page: Page) =>
  page.addInitScript(`{
    const send = window.fetch;
    window.fetch = async (address, options) => {
      const response = await send(address, options);
      if (!String(address).includes("delivery-collection-app-settings")) return response;
      const settings = await response.json();
      const body = JSON.stringify({ ...settings, user: { ...settings.user, language: "en" } });
      return new Response(body, { status: response.status, headers: response.headers });
    };
  }`);

async function takeScreenshot({ name, size, path, ready, isForStaff, press }: Picture): Promise<void> {
  const browser = await openBrowser();
  const context = await browser.newContext({ viewport: size, locale: "en-GB", colorScheme: "light" });
  const page = await context.newPage();
  await inEnglish(page);
  await page.goto(SITE + path);
  if (isForStaff) await signIn(page);
  if (press) await page.getByRole("button", { name: press }).click();
  await page.locator(ready).first().waitFor();
  // Photos and fonts come after the content.
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: `${FOLDER}/${name}.png` });
  await context.close();
}

await runTool("screenshots", async () => {
  await mkdir(FOLDER, { recursive: true });
  for (const picture of PICTURES) await runStep(picture.name, () => takeScreenshot(picture));
  await (await openBrowser()).close();
  return 0;
});
