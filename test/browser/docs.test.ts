import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readReferences } from "#docs/build/documents.ts";
import { EXAMPLE_CHAINS } from "#docs/build/prerequisite-calls.ts";
import { closePages, openBrowser } from "#support/browser.ts";
import { listAxeFaults, saveScreenshot } from "./page-checks.ts";

const address = `http://acme.localhost:${inject("port")}`;
const OPERATION = "#createBooking";
let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
  page = await open({ width: 1440, height: 900 });
});

afterAll(async () => {
  await closePages(browser);
});

const open = (viewport: { width: number; height: number }, colorScheme: "light" | "dark" = "light") =>
  browser.newPage({ viewport, colorScheme });

const references = readReferences().flatMap(({ name, chapters }) =>
  chapters.map(({ slug, operations }) => ({
    path: `reference/${name}/${slug}/`,
    operations: new Set(operations.map(({ call }) => call.operation)),
  })),
);
const go = (path: string) => page.goto(`${address}/docs/${path}`);
const findSample = (operation: string) => page.locator(`[id="${operation}"] .sample`);

// Proves "API documentation pages": Tried out in the page, signed
test("lets an integrator try the first call of the quick start, signed in the browser", async () => {
  await go("start/agency/");
  const first = page.locator(".sample").first();
  await first.getByText("Try it").click();
  await first.getByRole("button", { name: "Send GET" }).click();
  await first.locator(".answer .done", { hasText: "200" }).waitFor();
  expect(await first.locator(".answer pre").first().textContent()).toContain('"success": true');
});

test("signs calls tried on a documentation page with the reader's key and secret, and explains wrong ones", async () => {
  await page.getByRole("button", { name: "Credentials" }).click();
  await page.getByLabel("API key").fill("acme-agency");
  await page.getByLabel("Secret").fill("wrong");
  await page.getByRole("button", { name: "Keep" }).click();
  await page.getByText("Kept: what you try is signed with it.").waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await go("reference/agency/bookings/");
  const sample = findSample("createBooking");
  await sample.getByText("Try it").click();
  await sample.getByRole("button", { name: "Send POST" }).click();
  const meaning = sample.locator(".answer .refused");
  await meaning.getByText("401").waitFor();
  await page.evaluate(`sessionStorage.setItem("docs-kept", '{"key":"acme-agency","secret":"acme-agency-secret"}')`);
  await sample.getByRole("button", { name: "Send POST" }).click();
  await sample.locator(".answer .done", { hasText: "200" }).waitFor();
  await page.evaluate("sessionStorage.clear()");
});

test("uses the ID of the cart started on a documentation page in the following tried calls", async () => {
  await go("reference/vehicles/shopping-cart/");
  const begin = findSample("beginCart");
  await begin.getByText("Try it").click();
  await begin.getByRole("button", { name: "Send POST" }).click();
  await begin.locator(".answer .done").waitFor();
  const storedAccessId = await page.evaluate<string>('JSON.parse(sessionStorage.getItem("docs-kept")).freeAccessId');
  expect(await findSample("setCartProduct").locator("pre").first().textContent()).toContain(storedAccessId);
  await page.evaluate("sessionStorage.clear()");
});

test("tries a staff call on a documentation page with the demo's sign-in", async () => {
  await go("start/staff/");
  const list = page.locator(".sample", { hasText: "/api/v1/office/reservations?" }).first();
  await list.getByText("Try it").click();
  await list.getByRole("button", { name: "Send GET" }).click();
  await list.locator(".answer .done", { hasText: "200" }).waitFor();
});

// A release tests all calls with prerequisites. Items created by one don't affect others.
const CHAINED = inject("isThorough")
  ? Object.keys(EXAMPLE_CHAINS)
  : ["cancelReservation", "changeOwnBooking", "declineRefund"];

// Proves "API documentation pages": A request that needs others is tried out with them
test.each(CHAINED)("tries a call together with the calls that it needs: %s", async (operation) => {
  const reference = references.find(({ operations }) => operations.has(operation));
  await go(`${reference?.path}#${operation}`);
  const sample = findSample(operation);
  await sample.getByText("Try it").click();
  await sample.getByRole("button", { name: /^Send/ }).click();
  const line = sample.locator(".answer .done, .answer .refused");
  await line.waitFor();
  expect(await line.textContent()).toMatch(/^20[0-4] /);
});

test("remembers the language of code examples for all pages, and shows the company's address without secrets", async () => {
  await go(`reference/agency/bookings/${OPERATION}`);
  const sample = findSample("createBooking");
  await sample.getByRole("tab", { name: "curl" }).focus();
  await page.keyboard.press("ArrowRight");
  expect(await sample.getByRole("tab", { name: "Node" }).getAttribute("aria-selected")).toBe("true");
  await go("reference/agency/availability/");
  const text = (await page.locator(".sample pre").first().textContent()) ?? "";
  expect(text).toContain("createHmac");
  expect(text).toContain(address);
  expect(text).not.toContain("acme-agency-secret");
});

test("updates a code example when the reader changes the form to try it", async () => {
  await go("reference/agency/availability/");
  const sample = findSample("searchAvailability");
  await sample.getByText("Try it").click();
  await sample.getByLabel("pickup-place").fill("77");
  expect(await sample.locator("pre").first().textContent()).toContain("pickup-place=77");
});

test("finds an operation and an error code in the documentation by keyboard search", async () => {
  await go("");
  await page.keyboard.press("/");
  await page.keyboard.type("createBooking");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/docs/reference/agency/bookings/${OPERATION}`);
  await page.getByRole("combobox", { name: "Search" }).fill("changed_meanwhile");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/docs/errors/#changed_meanwhile");
  expect(await page.locator('[id="changed_meanwhile"]').isVisible()).toBe(true);
});

test("opens an operation of the API documentation by its URL", async () => {
  const other = await open({ width: 1440, height: 900 });
  await other.goto(`${address}/docs/reference/office/company/#changeBranch`);
  await expect
    .poll(async () => (await other.locator('[id="changeBranch"]').boundingBox())?.y)
    .toSatisfy((y: number | undefined) => y !== undefined && y >= 0 && y < 300);
  await other.close();
});

const VIEWPORTS = [
  ["dark", 390],
  ["light", 1440],
  ["dark", 1440],
  ["light", 390],
] as const;
const PAGES = [
  "",
  "start/staff/",
  "reference/agency/bookings/",
  "reference/office/",
  "errors/",
  "guides/webhooks/",
  "changelog/",
];

// A release tests each page in each appearance, the gate two on a small screen.
const TESTED_VIEWPORTS = inject("isThorough")
  ? { looks: VIEWPORTS, paths: PAGES }
  : { looks: VIEWPORTS.slice(0, 1), paths: ["start/staff/", "guides/webhooks/"] };

// Proves "API documentation pages": Light and dark, phone and desk, axe
test.each(TESTED_VIEWPORTS.looks)(
  "has no axe violations, horizontal scrolling or narrow columns: %s, %i px",
  async (scheme, width) => {
    const viewportPage = await open({ width, height: 900 }, scheme);
    const consoleErrors: string[] = [];
    viewportPage.on("console", (message) => message.type() === "error" && consoleErrors.push(message.text()));
    for (const path of TESTED_VIEWPORTS.paths) {
      await viewportPage.goto(`${address}/docs/${path}`);
      await viewportPage.locator("#docs-who").waitFor();
      await saveScreenshot(viewportPage, `docs-${path.replaceAll("/", "-")}${scheme}-${width}`);
      expect({ path, found: await listAxeFaults(viewportPage) }).toEqual({ path, found: [] });
      const overflow = await viewportPage.evaluate<unknown>(`({
      beyond: document.documentElement.scrollWidth - innerWidth,
      narrow: [...document.querySelectorAll("main td, main .fields p")]
        .map((cell) => cell.getBoundingClientRect().width)
        .filter((size) => size > 0 && size < 61).length,
    })`);
      expect({ path, room: overflow }).toEqual({ path, room: { beyond: 0, narrow: 0 } });
    }
    expect(consoleErrors).toEqual([]);
    await viewportPage.close();
  },
);
