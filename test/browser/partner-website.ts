import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { closePages, openBrowser } from "#support/browser.ts";
import { getOverflowWidth, listAxeFaults } from "./page-checks.ts";

/** Returns the URL of the embedded demo company. */
const account = () => `http://acme.localhost:${inject("port")}`;

// A theme that styles all page texts, post buttons and the focused element, with a rem of 10 px.
const THEME = `html { font-size: 62.5% } body { font: italic 30px/3 serif; text-transform: uppercase; letter-spacing: 6px; color: #ff0 }
.entry-content * { color: red !important; margin: 40px } .entry-content button { display: none !important }
.entry-content *:focus { outline: 9px solid red }`;

/**
 * Serves a website with the embed code and a policy that allows the company's host but no inline code. In the WordPress
 * variant the lines are in paragraphs with the script after the element and a theme.
 */
function serveWebsite(): Promise<Server> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://website");
    const lang = searchParams.get("lang") ?? "en";
    const name = searchParams.get("account") ?? "acme";
    const kind = searchParams.get("kind") ?? "rentals";
    const key = searchParams.get("key") ?? "";
    const company = account();
    if (request.url === "/theme.css") {
      response.writeHead(200, { "Content-Type": "text/css" }).end(THEME);
      return;
    }
    response.writeHead(200, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": [
        "default-src 'none'",
        `script-src ${company}`,
        "style-src 'self'",
        `connect-src ${company} http://nobody.localhost:${inject("port")} http://globex.localhost:${inject("port")}`,
        `img-src ${company} data:`,
        `form-action ${company}`,
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ].join("; "),
    });
    const script = `<script src="${company}/widget/rental-booking.js" async></script>`;
    const element = `<rental-booking account="${name}" lang="${lang}" kind="${kind}" key="${key}"></rental-booking>`;
    const title = "<title>Somebody's website</title>";
    const page = searchParams.has("wordpress")
      ? `<head>${title}<link rel="stylesheet" href="/theme.css"></head><body class="wp-singular"><main>
<div class="entry-content"><p>${element}<br>\n${script}</p></div></main></body>`
      : `<head>${title}${script}</head><body><main><h1>Somebody's website</h1>${element}</main></body>`;
    response.end(`<!doctype html><html lang="${lang}">${page}</html>`);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** A third-party website as visitors see it. */
interface Website {
  /** Opens a page by its query: `lang`, `kind`, `account`, `wordpress` and the widget's own parameters. */
  readonly open: (query: string, width?: number) => Promise<Page>;
  /** Browser errors so far. */
  readonly refused: string[];
}

/** Provides a website and a browser for a test file. */
export function startPartnerWebsite({ width: usual = 1000 } = {}): Website {
  let browser: Browser;
  let website: Server;
  const refused: string[] = [];
  beforeAll(async () => {
    website = await serveWebsite();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await closePages(browser);
    website.close();
  });
  const open = async (query: string, width = usual) => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, timezoneId: "America/Los_Angeles" });
    page.on("console", (message) => {
      if (message.type() === "error") refused.push(message.text());
    });
    page.on("pageerror", (error) => refused.push(String(error)));
    await page.goto(`http://127.0.0.1:${(website.address() as AddressInfo).port}/?${query}`);
    return page;
  };
  return { open, refused };
}

/** Expects no axe violations and nothing wider than the screen. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await listAxeFaults(page)).toEqual([]);
  expect(await getOverflowWidth(page)).toBeLessThanOrEqual(0);
}

/** Shows the current reservation again with changed booking data. */
export async function reloadReservationWithChanges(
  page: Page,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  const address = /\/frontend\/booking\/[^/]+$/;
  const [answered] = await Promise.all([
    page.waitForResponse((response) => address.test(new URL(response.url()).pathname)),
    page.reload(),
  ]);
  // Request it again, because a response overtaken by the reload can't be read.
  const url = answered.url();
  const answer = await page.evaluate<Record<string, object>>(`fetch(${JSON.stringify(url)}).then((one) => one.json())`);
  const json = { ...answer, booking: { ...answer["booking"], ...changes } };
  await page.route(url, (route) => route.fulfill({ json, headers: { "Access-Control-Allow-Origin": "*" } }));
  await page.reload();
}

/** Types the customer's name and email address, and accepts the company's terms. */
export async function fillCustomerDetails(page: Page): Promise<void> {
  await page.fill("[name=customer_name]", "Ana");
  await page.fill("[name=customer_surname]", "Ruiz");
  await page.fill("[name=customer_email]", "ana@example.com");
  // Transfers also require a phone number and addresses.
  for (const name of ["customer_phone", "detailed_origin_address", "detailed_destination_address"]) {
    const field = page.locator(`[name=${name}][aria-required=true]`);
    if (await field.count()) await field.fill("600000000");
  }
  await acceptTerms(page);
}

/** Accepts the terms of companies that have some. */
async function acceptTerms(page: Page): Promise<void> {
  const terms = page.locator("[name=accepted_terms]");
  if (await terms.count()) await terms.check();
}

/** Accepts the terms and orders without paying now. */
export async function bookAndPayLater(page: Page): Promise<void> {
  await page.locator("[data-order]").waitFor();
  await acceptTerms(page);
  if (await page.locator("[data-choice=later]").count()) await page.check("[data-choice=later]");
  await page.click("[data-order]");
}

/** Returns the text of the focused element in the widget. */
export const readFocusedWidgetText = (page: Page) =>
  page.evaluate<string>("document.querySelector('rental-booking').shadowRoot.activeElement?.textContent ?? ''");

/** Moves to an element by Tab only. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  // Missing or busy elements can't be reached.
  await page.waitForSelector(`rental-booking ${selector}:not([disabled])`);
  for (let presses = 0; presses < 60; presses++) {
    const isThere = await page.evaluate<boolean>(
      `document.querySelector('rental-booking').shadowRoot.activeElement?.matches(${JSON.stringify(selector)}) ?? false`,
    );
    if (isThere) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no Tab leads to ${selector}`);
}

/** Moves to a field by Tab and types into it. */
export async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, `[name=${name}]`);
  await page.keyboard.type(text);
}

/** Returns the position and size of the first matching element. Throws if it isn't shown. */
export async function getBox(page: Page, selector: string) {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} isn't shown`);
  return box;
}
