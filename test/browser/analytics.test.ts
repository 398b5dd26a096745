import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { readHeadline, signIn, useAnalytics } from "./analytics-page.ts";
import { picture } from "./appearance.ts";
import { expectAccessible } from "./foreign-website.ts";

let page: Page;
useAnalytics((opened) => {
  ({ page } = opened);
});

test("staff sign in and see a year's billing, in their language, as bars and as figures that add up", async () => {
  await signIn(page);
  expect(await readHeadline(page)).toBeGreaterThan(1000);
  const sums = await page.locator("tfoot td:last-child").allTextContents();
  const together = sums.map((text) => Number(text.replace(/\D/g, ""))).reduce((sum, value) => sum + value, 0);
  // Each is rounded to whole euros for display.
  expect(Math.abs(together - (await readHeadline(page)))).toBeLessThanOrEqual(3);
  // What the figure includes and excludes.
  expect(await page.locator(".note").first().textContent()).toContain("Sin traslados ni gastos de cancelación");
  await expectAccessible(page);
  await picture(page, "analytics-billing");
});
