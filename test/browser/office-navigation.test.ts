import { afterEach, expect, inject, onTestFinished, test } from "vitest";
import { chooseForGate } from "#support/gate-sample.ts";
import { getDateInDays, type Office, useOffice } from "./office-page.ts";
import { type PageView, readPageView, trackPendingRequests } from "./page-view.ts";

let office: Office;
let page: Office["page"];

const { press, ask } = useOffice((opened) => {
  ({ office, page } = opened);
  trackPendingRequests(page);
});

// Drafts of one test must not be restored in the next.
afterEach(async () => {
  await page.evaluate(
    "for (const name of Object.keys(sessionStorage)) if (name.startsWith('office-draft:')) sessionStorage.removeItem(name)",
  );
});

const open = (hash: string) => page.goto(`${office.address}#/${hash}`);

/** Pages of the menu, filtered, sorted or searched. The gate tests the second and the fifth. */
const PAGES = [
  `planning?days=7&from=${getDateInDays(3)}`,
  "reservations?kind=rental&sort=-total_cost",
  "fleet?state=free",
  "customers?q=a",
  "money/documents?view=unpaid",
  `money/register?date=${getDateInDays(-1)}&rental_location_code=PMI`,
  "money/commissions?settled=true",
].filter((_, index) => inject("isThorough") || index % 3 === 1);

test("shows the pages of the menu with the same filters, order and rows after Reload and Back", async () => {
  const views: PageView[] = [];
  for (const hash of PAGES) {
    await open(hash);
    const view = await readPageView(page);
    await page.reload();
    expect(await readPageView(page)).toEqual(view);
    views.push(view);
  }
  for (const view of views.toReversed().slice(1)) {
    await page.goBack();
    expect(await readPageView(page)).toEqual(view);
  }
});

if (inject("isThorough"))
  test("keeps the chosen season of the price table on Reload and Back", async () => {
    await open("prices-table");
    const season = page.locator("main .line select").first();
    await season.locator("option").nth(1).waitFor({ state: "attached" });
    await season.selectOption({ index: 1 });
    const view = await readPageView(page);
    await page.reload();
    expect(await readPageView(page)).toEqual(view);
    await open("fleet");
    await readPageView(page);
    await page.goBack();
    expect(await readPageView(page)).toEqual(view);
  });

if (inject("isThorough"))
  test("loads as many rows of a list as before on Reload, and on Back from a row", async () => {
    await open("reservations?sort=id");
    await readPageView(page);
    const rows = page.locator(".folds tbody tr");
    await rows.nth(49).waitFor();
    expect(await rows.count()).toBe(50);
    await press("Mehr zeigen");
    await rows.nth(50).waitFor();
    const count = await rows.count();
    await page.reload();
    await rows.nth(50).waitFor();
    expect(await rows.count()).toBe(count);
    await rows.nth(50).locator("a").first().click();
    await page.waitForURL(/#\/reservations\/\d+/);
    await page.goBack();
    await rows.nth(50).waitFor();
    expect(await rows.count()).toBe(count);
    // Other filters start with the first page again.
    await page.locator(".views").getByRole("button").nth(1).click();
    await page.waitForURL(/view=/);
    await expect.poll(() => rows.count()).toBeLessThanOrEqual(50);
  });

test("keeps what is typed in a page's form and in a sheet on Reload and Back", async () => {
  const forms: readonly (readonly [hash: string, field: string, value: string])[] = [
    ["opening-week/PMI", "[aria-label^='Montag']", "05:15"],
    ["letterhead", "[name=foot]", "Registro de Palma"],
    ["list/agents/new", "form input", "Hotel Sol"],
  ];
  for (const [hash, field, value] of chooseForGate(forms, 1)) {
    await open(hash);
    const input = page.locator(`main ${field}`).first();
    await input.fill(value);
    await page.reload();
    expect([hash, await input.inputValue()]).toEqual([hash, value]);
    await open("fleet");
    await page.getByRole("heading", { name: "Flotte" }).waitFor();
    await page.goBack();
    expect([hash, await input.inputValue()]).toEqual([hash, value]);
  }
  await open("fleet");
  await page.getByRole("heading", { name: "Flotte" }).waitFor();
  await page.keyboard.press("n");
  await page.getByLabel("Interne Nummer *").fill("DRAFT-1");
  await page.reload();
  const number = page.getByLabel("Interne Nummer *");
  expect(await number.inputValue()).toBe("DRAFT-1");
  // The draft is also restored after a link to another page and Back.
  await open("customers");
  await page.getByRole("heading", { name: "Kunden" }).waitFor();
  await page.goBack();
  expect(await number.inputValue()).toBe("DRAFT-1");
  await page.keyboard.press("Escape");
});

test("saves opening hours typed before another user's change only after showing it", async () => {
  const path = "/opening-hours/week?rental_location_code=PMI";
  const read = async () =>
    (
      (await ask("GET", path)).body as {
        readonly week: { readonly version: number; readonly times: readonly object[] };
      }
    ).week;
  const before = await read();
  const put = async (times: readonly object[]) =>
    expect((await ask("PUT", path, { expected_version: (await read()).version, times })).status).toBe(200);
  onTestFinished(() => put(before.times));
  await open("opening-week/PMI");
  const monday = page.locator("main [aria-label^='Montag']").first();
  await monday.fill("05:20");
  const [first, ...others] = before.times;
  await put([{ ...first, opens: "06:40" }, ...others.slice(0, -1)]);
  await page.reload();
  await page.locator("main [role=status]", { hasText: "wiederhergestellt" }).waitFor();
  expect(await monday.inputValue()).toBe("05:20");
  await press("Speichern");
  await page.locator("main [role=status]", { hasText: /inzwischen|zwischenzeitlich/ }).waitFor();
  await page.locator("main .theirs", { hasText: "06:40" }).waitFor();
  expect((await read()).times).toMatchObject([{ opens: "06:40" }, ...others.slice(0, -1)]);
  await press("Speichern");
  await page.locator("main [role=status]", { hasText: "gespeichert" }).waitFor();
  // The typed day is saved, and what only the other user changed stays.
  expect((await read()).times).toEqual([{ ...first, opens: "05:20" }, ...others.slice(0, -1)]);
  expect(await page.locator("main .theirs").count()).toBe(0);
});

test("ends the session of all tabs when the user signs out in one", async () => {
  await open("customers");
  await page.getByRole("heading", { name: "Kunden" }).waitFor();
  const second = await page.context().newPage();
  await second.goto(`${office.address}#/fleet`);
  await second.getByRole("heading", { name: "Flotte" }).waitFor();
  await second.locator("header details.person").locator("summary").click();
  await second.getByRole("button", { name: "Abmelden" }).click();
  await second.getByLabel("Passwort").waitFor();
  await page.getByLabel("Passwort").waitFor();
  expect(await page.getByRole("heading", { name: "Kunden" }).count()).toBe(0);
  await second.close();
  await office.signInAs("staff");
  expect(office.faults()).toEqual([]);
});

if (inject("isThorough"))
  test("ends the session of all tabs on sign-out without a network, also after Reload", async () => {
    await open("customers");
    await page.getByRole("heading", { name: "Kunden" }).waitFor();
    const second = await page.context().newPage();
    await second.goto(`${office.address}#/fleet`);
    await second.getByRole("heading", { name: "Flotte" }).waitFor();
    await page.context().route("**/api/v1/logout", (request) => request.abort());
    onTestFinished(() => page.context().unroute("**/api/v1/logout"));
    await second.locator("header details.person").locator("summary").click();
    await second.getByRole("button", { name: "Abmelden" }).click();
    await page.getByLabel("Passwort").waitFor();
    await second.reload();
    await second.getByLabel("Passwort").waitFor();
    await second.close();
    await office.signInAs("staff");
  });
