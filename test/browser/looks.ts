import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { inject } from "vitest";

/** Without its names and comments: each page that it comes into compiles it anew. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** No rule that is tried asks for the rules of the style sheets; what is found is told by its HTML. */
const HOW = { resultTypes: ["violations"], preload: { assets: ["media"] }, selectors: false };

type Rules = Readonly<Record<string, { readonly enabled: boolean }>>;

/**
 * What axe finds wrong on a page, each rule with the elements that break it. It comes into the page when it is first
 * asked, past the page's policy, as the browser's own tools do.
 */
export async function axeFaults(page: Page, rules: Rules = {}): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AXE);
  return page.evaluate<readonly string[]>(`axe.run(document, ${JSON.stringify({ ...HOW, rules })})
    .then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 300))].join(" | ")))`);
}

/** How far a page is wider than its screen. */
export const beyondScreen = (page: Page) => page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");

/** A picture in screenshots/ for whoever looks at the pages: nothing asserts it, so a release alone takes it. */
export async function picture(page: Page, name: string, fullPage = false): Promise<void> {
  if (inject("isThorough")) await page.screenshot({ path: `screenshots/${name}.png`, fullPage });
}
