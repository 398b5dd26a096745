import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openBrowser } from "./platform.ts";

let browser: Browser;
let website: Server;
const refused: string[] = [];

beforeAll(async () => {
  website = await serveWebsite();
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  website.close();
});

const account = () => `http://acme.localhost:${inject("port")}`;

/** Somebody's website: two lines, and a policy that allows the company's address and nothing in line. */
function serveWebsite(): Promise<Server> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://website");
    const lang = searchParams.get("lang") ?? "en";
    const name = searchParams.get("account") ?? "acme";
    const company = account();
    response.writeHead(200, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": [
        "default-src 'none'",
        `script-src ${company}`,
        "style-src 'self'",
        `connect-src ${company} http://nobody.localhost:${inject("port")}`,
        `img-src ${company} data:`,
        `form-action ${company}`,
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ].join("; "),
    });
    response.end(`<!doctype html><html lang="${lang}"><head><title>Somebody's website</title>
<script src="${company}/widget/rental-booking.js" async></script></head>
<body><main><h1>Somebody's website</h1><rental-booking account="${name}" lang="${lang}"></rental-booking></main></body></html>`);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

async function open(query: string, width = 1000): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, timezoneId: "America/Los_Angeles" });
  page.on("console", (message) => {
    if (message.type() === "error") refused.push(message.text());
  });
  page.on("pageerror", (error) => refused.push(String(error)));
  await page.addInitScript({ content: axe.source });
  await page.goto(`http://127.0.0.1:${(website.address() as AddressInfo).port}/?${query}`);
  return page;
}

async function expectAccessible(page: Page): Promise<void> {
  const found = await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
  );
  expect(found).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
}

const focused = (page: Page) =>
  page.evaluate<string>("document.querySelector('rental-booking').shadowRoot.activeElement?.textContent ?? ''");

async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    const isThere = await page.evaluate<boolean>(
      `document.querySelector('rental-booking').shadowRoot.activeElement?.matches(${JSON.stringify(selector)}) ?? false`,
    );
    if (isThere) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no Tab leads to ${selector}`);
}

async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, `[name=${name}]`);
  await page.keyboard.type(text);
}

describe("on somebody's website, under a policy that allows nothing in line", () => {
  test("a visitor books by the keyboard alone, and axe finds nothing in any step", async () => {
    const page = await open("lang=en");
    await page.waitForSelector("select[name=return_place] option", { state: "attached" });
    await expectAccessible(page);
    await tabTo(page, "[data-date=date_from]");
    const before = await focused(page);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-day][tabindex='0']");
    await expectAccessible(page);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=dialog]", { state: "detached" });
    expect(await focused(page)).not.toBe(before);
    await tabTo(page, "button[type=submit]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-step=choose] .products li");
    expect(await focused(page)).toBe("Choose a vehicle");
    await expectAccessible(page);
    await tabTo(page, ".products button");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-step=details] [data-total]");
    await expectAccessible(page);
    await typeInto(page, "customer_name", "Ana");
    await typeInto(page, "customer_surname", "Ruiz <b>");
    await typeInto(page, "customer_email", "ana@");
    await tabTo(page, "[data-request]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[name=customer_email][aria-invalid=true]");
    expect(await page.textContent(".wrong >> nth=0")).toContain("not an e-mail address");
    await page.keyboard.type("example.com");
    await tabTo(page, "[data-request]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-status=pending_confirmation]");
    expect(await focused(page)).toBe("Ana Ruiz <b>, we have received your request");
    await expectAccessible(page);
    await page.reload();
    await page.waitForSelector("[data-status=pending_confirmation]");
    await page.close();
  });

  test("who is refused by the bank is told so in German and pays again", async () => {
    const page = await open("lang=de", 390);
    await page.click("button[type=submit]");
    await page.click(".products button.main");
    await page.fill("[name=customer_name]", "Ana");
    await page.fill("[name=customer_surname]", "Ruiz");
    await page.fill("[name=customer_email]", "ana@example.com");
    await page.click("[data-pay]");
    await page.click("button:has-text('Refuse')");
    await page.click("a.button[href*='rb-id']");
    await page.waitForSelector("[data-step=reservation] [data-pay]");
    expect(await page.textContent("h2")).toBe("Ana Ruiz, Ihre Buchung ist noch zu bezahlen");
    await expectAccessible(page);
    await page.click("[data-pay]");
    await page.click("button:has-text('Pay')");
    await page.click("a.button[href*='rb-id']");
    await page.waitForSelector("[data-status=confirmed]");
    expect(await page.textContent("h2")).toBe("Ana Ruiz, Ihre Buchung ist bestätigt");
    await page.close();
  });

  test("Back, a reload and another language keep what was searched and chosen", async () => {
    const page = await open("lang=en");
    await page.click("button[type=submit]");
    await page.waitForSelector(".products li");
    const offered = await page.textContent(".products h3");
    await page.click(".products button.main");
    await page.waitForSelector("[data-step=details] [data-total]");
    const total = await page.textContent("[data-total]");
    await page.fill("[name=customer_name]", "Ana");
    await page.reload();
    await page.waitForSelector("[data-step=details] [data-total]");
    expect(await page.textContent("[data-total]")).toBe(total);
    expect(await page.inputValue("[name=customer_name]")).toBe("Ana");
    await page.goBack();
    await page.waitForSelector("[data-step=choose] .products li");
    expect(await page.textContent(".products h3")).toBe(offered);
    await page.evaluate("document.querySelector('rental-booking').setAttribute('lang', 'es')");
    await page.waitForSelector(".products button:has-text('Elegir')");
    await expect.poll(() => page.textContent(".products .quiet")).toContain("o similar");
    // A link that somebody was sent: the same search in a tab that knows nothing of it.
    const sent = await open(`${new URL(page.url()).searchParams}`);
    await sent.waitForSelector("[data-step=choose] .products li");
    expect(await sent.textContent(".products h3")).toBe(offered);
    await sent.close();
    await page.close();
  });

  test("an account that is none is explained to the developer, and the visitor is not left alone", async () => {
    expect(refused).toEqual([]);
    const page = await open("lang=ca&account=nobody");
    await page.waitForSelector("[data-closed]");
    expect(await page.textContent("[data-closed]")).toContain("Truqueu-nos");
    expect(refused.join(" ")).toContain('Is the attribute account="…" right');
    await page.close();
  });
});
