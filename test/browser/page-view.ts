import type { Page } from "playwright-core";

/** Title, marked tabs and views, filters and number of rows of the office's current page. */
export interface PageView {
  readonly hash: string;
  readonly title: string;
  readonly marked: readonly string[];
  readonly fields: readonly string[];
  readonly rows: number;
}

const VIEW = `({
  hash: location.hash,
  title: document.querySelector("main h1")?.textContent ?? "",
  marked: [...document.querySelectorAll("main [aria-current], main [aria-pressed=true], main [aria-sort]:not([aria-sort=none])")].map(({ textContent }) => textContent),
  fields: [...document.querySelectorAll("main :is(input:not([type=file]), select, textarea)")].map(({ name, type, checked, value }) => name + "=" + (type === "checkbox" || type === "radio" ? checked : value)),
  rows: document.querySelectorAll("main tbody tr").length,
})`;

const PATIENCE_MS = 30_000;

const IS_LOADING = `document.querySelector("main h1") === null || document.querySelector("main .skeleton, main [aria-busy=true]") !== null`;

/** Reads the view of the current page once it no longer changes. */
export async function readPageView(page: Page): Promise<PageView> {
  let before = "";
  const end = Date.now() + PATIENCE_MS;
  for (let unchanged = 0; unchanged < 2; ) {
    await page.waitForTimeout(60);
    if (Date.now() > end) throw new Error(`The page doesn't finish loading: ${before}`);
    const text = JSON.stringify(await page.evaluate<PageView>(VIEW));
    const isSettled = text === before && !(await page.evaluate<boolean>(IS_LOADING));
    unchanged = isSettled ? unchanged + 1 : 0;
    before = text;
  }
  return JSON.parse(before) as PageView;
}
