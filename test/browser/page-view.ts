import type { Page, Request } from "playwright-core";

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

/** Whether the page shows that it, a list or a part of it is loading, in German as all tests of the office. */
const IS_LOADING = `document.querySelector("main h1") === null ||
  document.querySelector("main .skeleton, main [aria-busy=true]") !== null ||
  [...document.querySelectorAll("main")].some(({ textContent }) => textContent.includes("Wird geladen"))`;

const requestsByPage = new WeakMap<Page, Set<Request>>();

/** Tracks the unanswered requests of a page. Call it before the page opens what `readPageView` reads. */
export function trackPendingRequests(page: Page): void {
  const requests = new Set<Request>();
  requestsByPage.set(page, requests);
  page.on("request", (request) => requests.add(request));
  for (const event of ["requestfinished", "requestfailed"] as const)
    page.on(event as "requestfinished", (request) => requests.delete(request));
}

/** Reads the view of the current page once nothing is loading and it no longer changes. */
export async function readPageView(page: Page): Promise<PageView> {
  const requests = requestsByPage.get(page);
  if (!requests) throw new Error("The requests of this page aren't tracked.");
  let before = "";
  const end = Date.now() + PATIENCE_MS;
  for (let unchanged = 0; unchanged < 2; ) {
    await page.waitForTimeout(60);
    if (Date.now() > end) {
      const paths = [...requests].map((request) => request.url());
      throw new Error(`The page doesn't finish loading: ${before} ${paths.join(" ")}`);
    }
    const text = JSON.stringify(await page.evaluate<PageView>(VIEW));
    const isSettled = text === before && !(await page.evaluate<boolean>(IS_LOADING)) && requests.size === 0;
    unchanged = isSettled ? unchanged + 1 : 0;
    before = text;
  }
  return JSON.parse(before) as PageView;
}
