import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Office, useOffice } from "../../browser/office-page.ts";

// Text at 200 % on a 320 px screen (WCAG 1.4.4, 1.4.10): pages scroll vertically only.
const NARROW = 320;

let office: Office;
let page: Page;

const { ask } = useOffice((opened) => {
  ({ office, page } = opened);
});

const readFirst = async (path: string): Promise<Readonly<Record<string, unknown>>> => {
  const { data } = (await ask("GET", `${path}?page_size=1`)).body as { readonly data: readonly object[] };
  return { ...data[0] };
};

/** Returns the width of a loaded page. */
async function measureWidth(place: string): Promise<number> {
  await page.goto(`${office.address}#/${place}`);
  await page.locator("main :is(h1, [role=grid], .board)").first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.locator("main .status", { hasText: "Wird geladen …" }).waitFor({ state: "detached" });
  return page.evaluate<number>(
    "Math.max(...[...document.querySelectorAll('html, .sheet[open]')].map(({ scrollWidth }) => scrollWidth))",
  );
}

// Proves "accessibility.md": A8
test("needs no horizontal scrolling on the narrowest phone with text at 200 %", async () => {
  await page.setViewportSize({ width: NARROW, height: 800 });
  await measureWidth("settings-index");
  await page.locator(".settings a").first().waitFor();
  const linked = await page.evaluate<readonly string[]>(
    "[...document.querySelectorAll('.menu a, .settings a')].map((one) => one.getAttribute('href').slice(2))",
  );
  const [{ id }, { id: customer }, { reference }] = await Promise.all([
    readFirst("/reservations"),
    readFirst("/customers"),
    readFirst("/vehicles"),
  ]);
  const details = [`reservations/${id}`, `reservations/${id}/change`, `customers/${customer}`, `fleet/${reference}`];
  const lists = ["quotes", "transfers", "expenses", "tasks", "money/deposits", "money/agencyStatement"];
  const forms = ["reservations/new", "transfers/new", "customers/new", "fleet/new", "list/extras/new"];
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  const wide: (readonly [string, number])[] = [];
  for (const place of [...linked, ...lists, ...details, ...forms]) {
    const width = await measureWidth(place);
    if (width > NARROW) wide.push([place, width]);
  }
  expect(linked.length).toBeGreaterThan(30);
  expect(wide).toEqual([]);
});

test("breaks large amounts and long names of a report on the narrowest phone with text at 200 %", async () => {
  await page.setViewportSize({ width: NARROW, height: 800 });
  await measureWidth("today");
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  // Changes the amounts and names that the page reads.
  await page.evaluate(`{
    const read = Response.prototype.text;
    Response.prototype.text = async function () {
      const text = await read.call(this);
      if (!this.url.includes("/reports/")) return text;
      const name = "Wolfeschlegelstein".repeat(4);
      return text.replace(/"(\\d+\\.\\d\\d)"/g, '"123456789$1"').replace(/"name":"(?!revenue")/g, '"name":"' + name);
    };
  }`);
  await measureWidth("reports/revenue?group=category");
  await page
    .getByText(/123\.456\.789/)
    .first()
    .waitFor();
  expect(await measureWidth("reports/revenue?group=category")).toBeLessThanOrEqual(NARROW);
  await page.reload();
});

test("shows long names on a desktop in few lines without overflow, and marks pressed controls", async () => {
  await page.evaluate("document.documentElement.style.fontSize = ''");
  await page.setViewportSize({ width: 1280, height: 900 });
  const looked = async (place: string) => {
    await measureWidth(place);
    await page.locator(".folds tbody tr").first().waitFor();
    return page.evaluate<{ readonly lines: number; readonly beyond: number }>(`(() => {
      const table = document.querySelector(".folds");
      const cells = [...table.querySelectorAll("tbody :is(th, td)")];
      const lines = cells.map((one) => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight));
      return { lines: Math.max(...lines), beyond: table.scrollWidth - table.clientWidth };
    })()`);
  };
  const [customers, documents] = [await looked("customers"), await looked("money")];
  expect(customers.lines).toBeLessThan(4);
  expect([customers.beyond, documents.beyond]).toEqual([0, 0]);
});
