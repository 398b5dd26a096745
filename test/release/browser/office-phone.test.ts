import type { Page } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { type Office, useOffice } from "../../browser/office-page.ts";

let office: Office;
let page: Page;

useOffice((opened) => {
  ({ office, page } = opened);
});

const SIZES = { phone: { width: 390, height: 844 }, laptop: { width: 1440, height: 900 } } as const;

async function open(place: string, size: keyof typeof SIZES): Promise<void> {
  await page.setViewportSize(SIZES[size]);
  await page.goto(`${office.address}#/${place}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

const box = async (selector: string) => {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(selector).first().boundingBox()) ?? {};
  return { x, y, width, height, bottom: y + height };
};

afterEach(async () => {
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("shows the header of a phone in one row, with title and main action below it", async () => {
  await open("reservations?view=upcoming", "phone");
  await page.locator(".folds tbody tr").nth(2).waitFor();
  await page.getByRole("link", { name: "Neue Reservierung" }).waitFor();
  const header = await box("header.top");
  expect(header.height).toBeLessThanOrEqual(56);
  for (const control of [
    ".global-search input",
    ".new:not(.bell, .person) summary",
    ".bell summary",
    ".person summary",
  ]) {
    const { y, bottom, width } = await box(control);
    expect([control, y >= 0, bottom <= header.bottom, width >= 44]).toEqual([control, true, true, true]);
  }
  expect((await box("main h1")).bottom).toBeLessThan(120);
  expect((await box("main .main")).bottom).toBeLessThan(120);
  // The second row is completely visible above the menu, whatever it contains.
  const row = await page.locator(".folds tbody tr").nth(1).boundingBox();
  expect((row?.y ?? 844) + (row?.height ?? 0)).toBeLessThan((await box(".bottom-bar")).y);
  await office.looksRight("phone-list", [
    ["light", "phone"],
    ["dark", "phone"],
  ]);
});

test("opens pages from the bar at the bottom of a phone and from the bar's menu", async () => {
  await open("today", "phone");
  expect((await box(".bottom-bar")).bottom).toBe(844);
  const menu = page.getByRole("navigation", { name: "Menü" });
  await menu.getByRole("link", { name: "Planung" }).click();
  await page.getByRole("heading", { name: "Planung", level: 1 }).waitFor();
  await menu.locator("summary").click();
  await menu.getByRole("link", { name: "Kunden" }).click();
  await page.getByRole("heading", { name: "Kunden", level: 1 }).waitFor();
  // The menu closes and shows that it contains the current page.
  await menu.getByRole("link", { name: "Geld" }).waitFor({ state: "hidden" });
  expect(await menu.locator("details [aria-current=page]").count()).toBe(1);
  expect(await menu.locator("a").count()).toBe(8);
});

test("expands the search icon in a phone's header to full width, and shrinks it after a result is opened", async () => {
  await open("today", "phone");
  const search = page.getByRole("combobox", { name: "Alles durchsuchen" });
  await search.click();
  await expect.poll(async () => (await box(".global-search input")).width).toBeGreaterThan(350);
  await search.fill("COMP-02");
  await page.locator(".global-search [role=option]", { hasText: "COMP-02" }).first().click();
  await page.waitForURL(/#\/fleet\/COMP-02$/);
  await expect.poll(async () => (await box(".global-search input")).width).toBe(44);
});

test("chooses a branch in the user's menu on a phone, and shows it in the header", async () => {
  await open("reservations", "phone");
  await page.locator(".person > summary").click();
  const branch = page.locator(".person [name=branch]");
  await branch.selectOption({ label: "Palma Zentrum" });
  await page.locator(".top .brand", { hasText: "Palma Zentrum" }).waitFor();
  await branch.selectOption("");
  await page.locator(".top .brand", { hasText: "Büro" }).waitFor();
  // A press outside closes the menu.
  await page.mouse.click(20, 700);
  await branch.waitFor({ state: "hidden" });
});

test("filters a list of a phone in a sheet, which shows how many filters are active", async () => {
  await open("reservations", "phone");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  const sheet = page.locator("dialog[open]");
  await sheet.locator("[name=status]").selectOption("confirmed");
  await page.waitForURL(/status=confirmed/);
  await office.looksRight("phone-filters", [["light", "phone"]]);
  await page.setViewportSize(SIZES.phone);
  await sheet.getByRole("button", { name: "Ergebnisse anzeigen" }).click();
  await page.getByRole("button", { name: "Filter (1)" }).click();
  await sheet.getByRole("button", { name: "Filter entfernen", exact: true }).click();
  await page.waitForURL((url) => !url.hash.includes("status="));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Filter", exact: true }).waitFor();
});

test("shows a report's figures on a phone's first screen, with its options in a sheet", async () => {
  await open("reports/revenue", "phone");
  await page.locator(".headlines dd").first().waitFor();
  expect((await box(".headlines")).bottom).toBeLessThan((await box(".bottom-bar")).y);
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.locator("dialog[open] [name=group]").selectOption("category");
  await page.waitForURL(/group=category/);
  await page.getByRole("button", { name: "Ergebnisse anzeigen" }).click();
  await page.locator("dialog[open]").waitFor({ state: "detached" });
});

test("keeps the buttons of a sheet at the lower edge of a phone", async () => {
  await open("reports/revenue", "phone");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.locator("dialog[open] .foot").waitFor();
  expect(await page.evaluate("getComputedStyle(document.querySelector('dialog[open] .foot')).bottom")).toBe("0px");
  await page.keyboard.press("Escape");
});

test.each(["reservations", "customers"])(
  "shows placeholder bars while %s load, at the position of the list",
  async (list) => {
    await open("today", "laptop");
    let answer = () => {};
    const isReleased = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(`**/api/v1/office/${list}?**`, async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.locator(`.menu a[href^='#/${list}']`).click();
    await page.locator(".table .skeleton i").first().waitFor();
    const loading = await box("main .table");
    answer();
    await page.locator(".folds tbody tr").first().waitFor();
    expect((await box("main .table")).y).toBe(loading.y);
  },
);

test("marks the focused title for keyboard users only, as wide as its text", async () => {
  await open("today", "laptop");
  const outline = () =>
    page.evaluate<readonly string[]>(
      "(({ outlineStyle }) => [document.activeElement.tagName, outlineStyle])(getComputedStyle(document.activeElement))",
    );
  const customers = page.locator(".menu a[href='#/money']");
  await customers.click();
  await expect.poll(outline).toEqual(["H1", "none"]);
  await page.locator(".menu a[href='#/today']").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Heute", level: 1 }).waitFor();
  await customers.focus();
  await page.keyboard.press("Enter");
  await expect.poll(outline).toEqual(["H1", "solid"]);
  expect((await box("main h1")).width).toBeLessThan(400);
});

test("shows dates and times of a new reservation completely on a small desktop and a narrow phone", async () => {
  for (const width of [1024, 390, 320]) {
    await open("reservations/new", width === 1024 ? "laptop" : "phone");
    await page.setViewportSize({ width, height: 800 });
    await page.locator("[type=time]").first().waitFor();
    const clipped = await page.evaluate<readonly string[]>(`[...document.querySelectorAll("[type=date], [type=time]")]
      .filter((input) => {
        const free = input.cloneNode();
        free.style.width = "max-content";
        free.style.position = "absolute";
        input.parentElement.append(free);
        const needed = free.offsetWidth;
        free.remove();
        return input.offsetWidth < needed;
      })
      .map(({ name, offsetWidth }) => name + " " + offsetWidth)`);
    expect([width, clipped]).toEqual([width, []]);
  }
});
