import { expect, test } from "vitest";
import { RESOURCES } from "#domain/catalogue/resources/resources.ts";
import { ALL_APPEARANCES, BOTH_THEMES, type Office, useOffice } from "../../browser/office-page.ts";

let office: Office;
let page: Office["page"];

useOffice((opened) => {
  ({ office, page } = opened);
});

const open = async (path: string) => {
  await page.goto(`${office.address}#/${path}`);
  await page.locator("main h1").waitFor();
  await expect.poll(() => page.getByText("Wird geladen …").count()).toBe(0);
};

const PAGES = [
  "start",
  "security",
  "planning",
  "reservations",
  "reservations/new",
  "fleet",
  "customers",
  "money",
  "money/charges",
  "money/register",
  "money/refunds",
  "prices-table",
  "list/settings",
];

// Proves "office.md: lists and forms": Every page by axe, in both themes, on three sizes
test.each(PAGES)("shows %s without axe violations in both themes on desktop, tablet and phone", async (path) => {
  await open(path);
  await office.looksRight(`all-${path.replaceAll("/", "-")}`, ALL_APPEARANCES);
});

// Proves "office.md: lists and forms": Every list and form by axe
test.each(RESOURCES.filter(({ isSingle }) => !isSingle).map(({ name }) => name))(
  "shows the list of %s and its form without axe violations in both themes",
  async (name) => {
    await open(`list/${name}`);
    await office.looksRight(`list-${name}`, BOTH_THEMES);
    await open(`list/${name}/new`);
    await office.looksRight(`form-${name}`, BOTH_THEMES);
  },
);

test("lists the keyboard shortcuts after the ? key, and violates no content security policy", async () => {
  await open("today");
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("Suchen").waitFor();
  await page.keyboard.press("Escape");
  expect(office.faults()).toEqual([]);
});
