import { expect, test } from "vitest";
import { type Office, useOffice } from "../../browser/office-page.ts";
import { type PageView, readPageView, trackPendingRequests } from "../../browser/page-view.ts";

let office: Office;
let page: Office["page"];

useOffice((opened) => {
  ({ office, page } = opened);
  trackPendingRequests(page);
});

/** A browser's history has at most 50 entries. */
const MAX_ENTRIES = 20;

const listLinks = (selector: string) =>
  page.evaluate<readonly string[]>(
    `[...new Set([...document.querySelectorAll(${JSON.stringify(selector)})].map((link) => link.getAttribute("href")))]`,
  );

/** Opens pages in order, each again with Reload, and then goes back through all of them. */
async function expectSameViews(hrefs: readonly string[]): Promise<void> {
  const views: PageView[] = [];
  // Forms propose the current minute, which must not change between two views. Timers still run.
  await page.clock.setFixedTime(new Date());
  for (const href of hrefs) {
    await page.goto(`${office.address}${href}`);
    const view = await readPageView(page);
    expect([href, view.title]).not.toEqual([href, ""]);
    await page.reload();
    expect([href, await readPageView(page)]).toEqual([href, view]);
    views.push(view);
  }
  for (const view of views.toReversed().slice(1)) {
    await page.goBack();
    expect(await readPageView(page)).toEqual(view);
  }
}

test("shows every page of the settings as it was after Reload and Back", async () => {
  await page.goto(`${office.address}#/settings-index`);
  await page.locator('main a[href="#/start"]').waitFor();
  const hrefs = await listLinks('main a[href^="#/"]');
  expect(hrefs.length).toBeGreaterThan(40);
  for (let start = 0; start < hrefs.length; start += MAX_ENTRIES)
    await expectSameViews(hrefs.slice(start, start + MAX_ENTRIES));
});

test("shows every page of the menu with the same filters after Reload and Back", async () => {
  await expectSameViews(
    [
      ...["today", "transfers", "quotes?status=sent", "expenses?view=this_month", "reports"],
      ...["money/charges?payment_method_id=cash", "money/deposits?over=false", "money/refunds"],
      "money/agencyStatement?agency=1",
    ].map((hash) => `#/${hash}`),
  );
});

test("shows the first record of every list as it was after Reload and Back", async () => {
  const hrefs: string[] = [];
  for (const list of ["reservations", "quotes", "fleet", "customers", "expenses", "list/agents"]) {
    await page.goto(`${office.address}#/${list}`);
    await readPageView(page);
    const links = await listLinks("main .folds tbody tr:first-child a[href^='#/']");
    expect([list, links.length]).not.toEqual([list, 0]);
    hrefs.push(...links.slice(0, 1));
  }
  await expectSameViews(hrefs);
});

test("shows every tab of the money pages and of the ministry's reports as it was after Reload and Back", async () => {
  for (const [start, minimum] of [
    ["money", 8],
    ["ministry-reports", 2],
    ["reports", 5],
  ] as const) {
    await page.goto(`${office.address}#/${start}`);
    await readPageView(page);
    const tabs = await listLinks("main nav a[href^='#/']");
    expect([start, tabs.length >= minimum, tabs]).toEqual([start, true, tabs]);
    await expectSameViews([`#/${start}`, ...tabs]);
  }
});
