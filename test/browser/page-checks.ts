import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { inject } from "vitest";

/** Minified, because each page compiles it again. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** None of the used rules requires style sheets. Violations are reported with their HTML. */
const HOW = { resultTypes: ["violations"], preload: { assets: ["media"] }, selectors: false };

type Rules = Readonly<Record<string, { readonly enabled: boolean }>>;

/**
 * Returns axe's violations on a page by rule and element. Injects axe on first use, bypassing the page's policy as
 * browser tools do.
 */
export async function listAxeFaults(page: Page, rules: Rules = {}): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AXE);
  return page.evaluate<readonly string[]>(`axe.run(document, ${JSON.stringify({ ...HOW, rules })})
    .then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 300))].join(" | ")))`);
}

/** Returns by how many pixels a page exceeds the screen width. */
export const getOverflowWidth = (page: Page) =>
  page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");

/** Saves a screenshot in screenshots/ for visual review. Not asserted, so only taken for a release. */
export async function saveScreenshot(page: Page, name: string, fullPage = false): Promise<void> {
  if (inject("isThorough")) await page.screenshot({ path: `screenshots/${name}.png`, fullPage });
}
