import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LANGUAGES } from "../../../pwa/shared/i18n.ts";
import { type DesignPage, listOverlays, openDesignPage } from "../../browser/design-page.ts";
import { getOverflowWidth, saveScreenshot } from "../../browser/page-checks.ts";

let design: DesignPage;

beforeAll(async () => {
  design = await openDesignPage();
});

afterAll(async () => {
  await design.close();
});

const WIDTHS = [1440, 390] as const;
const THEMES = ["light", "dark"] as const;

/** Height of each state in pixels by width. Delete the file to record it again. */
const HEIGHTS = join(import.meta.dirname, "design-heights.json");

type Heights = Readonly<Record<string, readonly number[]>>;

// One line for each state, as the formatter writes them.
const formatHeights = (heights: Heights) =>
  `{\n${Object.entries(heights)
    .map(([name, values]) => `  ${JSON.stringify(name)}: [${values.join(", ")}]`)
    .join(",\n")}\n}\n`;

/** Difference between the fonts of two machines. */
const isSimilar = (height: number, other = 0) => Math.abs(height - other) <= 12 + 0.2 * Math.max(height, other);

const figures = () => design.page.locator("figure:not(:has(> a))");
const nameFigure = async (figure: Locator) => {
  const [component, state] = await Promise.all([
    figure.locator("xpath=..").getAttribute("data-component"),
    figure.getAttribute("data-state-of"),
  ]);
  return `${component} ${state}`;
};

test("keeps the stored height of each state of a component, on a desktop and a phone", async () => {
  const { page } = design;
  const measured: Record<string, number[]> = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await design.open();
    for (const figure of await figures().all()) {
      const name = await nameFigure(figure);
      measured[name] = [...(measured[name] ?? []), Math.round((await figure.boundingBox())?.height ?? 0)];
    }
  }
  if (!existsSync(HEIGHTS)) writeFileSync(HEIGHTS, formatHeights(measured));
  const known = JSON.parse(readFileSync(HEIGHTS, "utf8")) as Heights;
  const changed = Object.entries(measured).filter(
    ([name, heights]) => !heights.every((height, index) => isSimilar(height, known[name]?.[index])),
  );
  expect(Object.keys(known).filter((name) => !(name in measured))).toEqual([]);
  expect(changed.map(([name, heights]) => [name, heights, known[name]])).toEqual([]);
});

test("draws each state of a component differently in light and dark themes, at the same size", async () => {
  const { page } = design;
  await page.setViewportSize({ width: 1440, height: 900 });
  const screenshots: Record<string, Record<string, string>> = {};
  const sizes: Record<string, string[]> = {};
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await design.open();
    for (const figure of await figures().all()) {
      const name = await nameFigure(figure);
      const { width = 0, height = 0 } = (await figure.boundingBox()) ?? {};
      sizes[name] = [...(sizes[name] ?? []), `${width}x${height}`];
      const screenshot = await figure.locator("> .shown").screenshot();
      screenshots[name] = { ...screenshots[name], [colorScheme]: screenshot.toString("base64") };
    }
  }
  const same = Object.entries(screenshots).filter(([name, { light, dark }]) => {
    const [component = ""] = name.split(" ");
    const normal = screenshots[`${component} normal`]?.["light"];
    return light === dark || (!name.endsWith(" normal") && light === normal);
  });
  expect(same.map(([name]) => name)).toEqual([]);
  expect(Object.entries(sizes).filter(([, [light, dark]]) => light !== dark)).toEqual([]);
});

test("shows the keyboard focus on buttons, links and fields", async () => {
  const { page } = design;
  await page.emulateMedia({ colorScheme: "light" });
  await design.open();
  const controls = page.locator(
    "[data-component=button] figure:first-of-type :is(button, a), [data-component=BasicInput] figure:first-of-type input",
  );
  await page.keyboard.press("Tab");
  const alike: string[] = [];
  for (const control of await controls.all()) {
    const around = control.locator("xpath=..");
    await page.mouse.move(0, 0);
    await control.blur();
    const rest = (await around.screenshot()).toString("base64");
    await control.focus();
    const focused = (await around.screenshot()).toString("base64");
    if (rest === focused) alike.push(String(await control.evaluate("element => element.outerHTML")));
  }
  expect(alike).toEqual([]);
});

test.each(LANGUAGES)(
  "shows the component gallery without overflow on a desktop and a phone in %s, and saves screenshots",
  async (lang) => {
    const { page } = design;
    for (const [colorScheme, width] of [
      ["light", 1440],
      ["dark", 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await design.open({ lang });
      expect([lang, width, await getOverflowWidth(page)]).toEqual([lang, width, 0]);
      await saveScreenshot(page, `design-${lang}-${width}-${colorScheme}`, true);
      for (const overlay of await listOverlays(page)) {
        await design.open({ ...overlay, lang });
        expect([overlay, await getOverflowWidth(page)]).toEqual([overlay, 0]);
        await saveScreenshot(page, `design-${overlay.show}-${overlay.state}-${lang}-${width}-${colorScheme}`);
      }
    }
    expect(design.faults).toEqual([]);
  },
);
