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

/**
 * What an eye would see at once: a word or a sum that is broken, something to press that is cut, a table that is wider
 * than its place, texts on each other. A board and a grid of prices scroll by nature.
 */
export const layoutFaults = (page: Page) => page.evaluate<readonly string[]>(LAYOUT_FAULTS);

const LAYOUT_FAULTS = `(() => {
  const faults = [];
  const scrolls = (one) => one.closest(".board, .grid, .snippet") !== null;
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true }) && one.closest(".unseen, .skip") === null;
  const linesOf = (text, from, to) => {
    const range = document.createRange();
    range.setStart(text, from);
    range.setEnd(text, to);
    return new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top / 8))).size;
  };
  const hidesBeyond = (one) => getComputedStyle(one).overflowX !== "visible";
  const shownOf = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    let { left, right, top, bottom } = range.getBoundingClientRect();
    for (let around = one.parentElement; around; around = around.parentElement) {
      if (!hidesBeyond(around)) continue;
      const box = around.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return { one, left, right, top, bottom };
  };
  const shown = [...document.querySelectorAll("main, main *")].filter((one) => isShown(one) && !scrolls(one));
  const texts = shown.flatMap((one) => [...one.childNodes].filter((node) => node.nodeType === 3 && node.data.trim()));
  for (const text of texts) {
    const { data, parentElement: around } = text;
    // What is read by machines is as long as it is; a hyphen says where a word goes on.
    const mayBreak = ({ index, 0: word }) => {
      const whole = data.slice(0, index).match(/\\S*$/)[0] + word + data.slice(index + word.length).match(/^\\S*/)[0];
      return /@|:\\/\\/|\\d{6}/.test(whole) || getComputedStyle(around).hyphens === "auto";
    };
    for (const found of data.matchAll(/[\\p{L}\\p{N}]{2,}/gu))
      if (!mayBreak(found) && linesOf(text, found.index, found.index + found[0].length) > 1)
        faults.push("a word is broken: " + found[0]);
    for (const found of data.matchAll(/[-−]?\\d[\\d.,]*\\s[€$]/gu))
      if (linesOf(text, found.index, found.index + found[0].length) > 1) faults.push("a sum is broken: " + found[0]);
  }
  for (const one of shown) {
    const place = one.parentElement;
    if (one.matches("table") && one.offsetWidth > place.clientWidth + 1)
      faults.push("a table is wider than its place: " + one.offsetWidth + " of " + place.clientWidth);
    if (hidesBeyond(one) && one.scrollWidth > one.clientWidth + 1 && !one.matches("input, select, textarea, .table")
      && getComputedStyle(one).textOverflow !== "ellipsis") faults.push("a text is cut: " + one.textContent.slice(0, 40));
    if (!one.matches("button, .button, input, select, textarea")) continue;
    const { left, right } = one.getBoundingClientRect();
    for (let around = place; around; around = around.parentElement) {
      const box = around.getBoundingClientRect();
      if (hidesBeyond(around) && (right > box.right + 1 || left < box.left - 1))
        faults.push("something to press is cut: " + one.textContent.slice(0, 40));
    }
  }
  const boxes = [...new Set(texts.map(({ parentElement }) => parentElement))]
    .filter((one) => one.closest(".foot") === null && !one.matches("option"))
    .map(shownOf)
    .sort((one, other) => one.top - other.top);
  boxes.forEach((one, at) => {
    for (const other of boxes.slice(at + 1)) {
      if (other.top > one.bottom - 4) break;
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - other.top;
      if (across > 3 && down > 4 && !one.one.contains(other.one) && !other.one.contains(one.one))
        faults.push("texts on each other: " + one.one.textContent.slice(0, 30) + " ~ " + other.one.textContent.slice(0, 30));
    }
  });
  return [...new Set(faults)];
})()`;
