import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PAGES_FOLDER } from "#scripts/build-pages.ts";
import { chooseForGate } from "#support/gate-sample.ts";
import { type DesignPage, listOverlays, openDesignPage } from "./design-page.ts";
import { getOverflowWidth, listAxeFaults } from "./page-checks.ts";

let design: DesignPage;

beforeAll(async () => {
  design = await openDesignPage();
});

afterAll(async () => {
  await design.close();
});

/** Component that the gallery doesn't show: the frame of all pages. The gallery shows its parts. */
const NOT_SHOWN = new Set(["OfficeShell"]);
/** Functions that draw something without being components. */
const DRAWING = ["loadLazily", "openSignaturePad"];

/** Returns the components that a folder exports. */
const listComponents = (folder: string): readonly string[] =>
  readdirSync(folder, { encoding: "utf8" })
    .filter((name) => name.endsWith(".tsx"))
    .flatMap((name) => [
      ...readFileSync(`${folder}/${name}`, "utf8").matchAll(
        /^export (?:default )?(?:async )?(?:function|const) ([A-Z][a-z]\w*)/gm,
      ),
    ])
    .map(([, name = ""]) => name);

test("shows every exported component of the shared and the office's parts in the component gallery", async () => {
  await design.open();
  const shownComponents = await design.page.evaluate<readonly string[]>(
    "[...document.querySelectorAll('[data-component]')].map(({ dataset }) => dataset.component)",
  );
  const exported = ["pwa/shared", "pwa/office/src", "pwa/office/src/desk"].flatMap(listComponents);
  expect(exported.length).toBeGreaterThan(40);
  expect([...exported, ...DRAWING].filter((name) => !shownComponents.includes(name) && !NOT_SHOWN.has(name))).toEqual(
    [],
  );
  expect(design.faults).toEqual([]);
});

test("excludes the component gallery from the deployed pages", () => {
  expect(readdirSync(PAGES_FOLDER)).not.toContain("design");
});

// Components with their own landmarks and headings are next to each other.
const STRUCTURE = Object.fromEntries(
  [
    ...["landmark-no-duplicate-main", "landmark-main-is-top-level", "landmark-one-main", "landmark-unique"],
    ...["landmark-complementary-is-top-level", "heading-order", "page-has-heading-one", "region"],
  ].map((rule) => [rule, { enabled: false }]),
);

const APPEARANCES = [
  ["dark", 390],
  ["light", 1440],
] as const;

test.each(chooseForGate(APPEARANCES, 1))(
  "shows components without accessibility violations in the %s theme at %i px",
  async (colorScheme, width) => {
    const { page } = design;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await design.open();
    expect(await listAxeFaults(page, STRUCTURE)).toEqual([]);
    expect(await getOverflowWidth(page)).toBe(0);
    const overlays = await listOverlays(page);
    expect(overlays.length).toBeGreaterThan(7);
    for (const overlay of chooseForGate(overlays, 2)) {
      await design.open(overlay);
      expect([overlay, await listAxeFaults(page, STRUCTURE)]).toEqual([overlay, []]);
      expect([overlay, await getOverflowWidth(page)]).toEqual([overlay, 0]);
    }
    expect(design.faults).toEqual([]);
  },
);
