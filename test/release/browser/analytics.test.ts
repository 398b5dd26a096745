import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { address, readHeadline, signIn, useAnalytics } from "../../browser/analytics-page.ts";
import { beyondScreen, picture } from "../../browser/appearance.ts";
import { expectAccessible } from "../../browser/foreign-website.ts";

let browser: Browser;
let page: Page;
let violations: readonly string[];
useAnalytics((opened) => {
  ({ browser, page, violations } = opened);
});

beforeAll(() => signIn(page));

test("the figures go to a spreadsheet of the reader's country", async () => {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Descargar CSV" }).click(),
  ]);
  // In Spain, cells are separated by semicolons and decimals by commas.
  const rows = (await readFile(await download.path(), "utf8")).split("\r\n").map((line) => line.split(";"));
  expect(rows[0]).toEqual(expect.arrayContaining(["Nombre", "Total"]));
  const [, , ...figures] = rows.find(([first]) => first === "Total") ?? [];
  const cents = figures.map((figure) => Math.round(Number(figure.replace(",", ".")) * 100));
  expect(cents).toHaveLength(13);
  expect(cents.slice(0, 12).reduce((sum, value) => sum + value, 0)).toBe(cents[12]);
});

test("rows are sorted by any column, and a reload sees the same year and view", async () => {
  const figures = async () =>
    (await page.locator("table").first().locator("tbody td:last-child").allTextContents()).map((text) =>
      Number(text.replace(/\D/g, "")),
    );
  const total = page.locator("table").first().getByRole("button", { name: "Total" });
  await total.click();
  const down = await figures();
  expect(down).toEqual(down.toSorted((value, other) => other - value));
  await total.click();
  expect(await figures()).toEqual(down.toReversed());
  // Row totals stay visible next to the names, however narrow the screen.
  const { x = 0, width = 0 } = (await page.locator("tfoot td:last-child").first().boundingBox()) ?? {};
  expect(x + width).toBeLessThanOrEqual(1280);
  // Month headers stay visible when scrolled down.
  await page.evaluate(`(() => {
    const table = document.querySelector("section.scroll");
    table.scrollIntoView();
    table.scrollTop = table.scrollHeight;
  })()`);
  const table = page.locator("section.scroll").first();
  // Scrolled content starts on whole pixels, while the lines above it end on fractions.
  for (const row of ["thead", "tfoot"]) {
    const { y = -1, height = 0 } = (await table.locator(`${row} :is(th, td)`).last().boundingBox()) ?? {};
    expect([row, Math.round(y) >= 0, y + height <= 900]).toEqual([row, true, true]);
  }
  await page.getByLabel("Oficina").selectOption({ index: 2 });
  await page.getByLabel("Clientes").selectOption("individual");
  await page.getByRole("img", { name: "Por mes" }).waitFor();
  const before = [await readHeadline(page), page.url()];
  await page.reload();
  await page.getByRole("img", { name: "Por mes" }).waitFor();
  expect([await readHeadline(page), page.url()]).toEqual(before);
  expect(await page.getByLabel("Clientes").inputValue()).toBe("individual");
  await page.getByLabel("Clientes").selectOption("all");
  await page.getByLabel("Oficina").selectOption("");
  await page.getByLabel("Idioma").selectOption("de");
  await page.getByRole("button", { name: "CSV herunterladen" }).waitFor();
  await picture(page, "analytics-sorted");
  await page.getByLabel("Sprache").selectOption("es");
  await page.getByRole("img", { name: "Por mes" }).waitFor();
});

test("the page follows a window that becomes narrower, as a phone that is turned", async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => beyondScreen(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test("redraws the chart in the colors of the other theme", async () => {
  const drawn = () => page.evaluate<string>("document.querySelector('canvas').toDataURL()");
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await expect.poll(drawn).not.toBe("data:,");
  const light = await drawn();
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expect.poll(drawn).not.toBe(light);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
});

test("occupation and expenses, of one branch, in the dark and on a phone", async () => {
  await page.getByRole("button", { name: "Ocupación", exact: true }).click();
  await page.getByText("Ocupación media").waitFor();
  expect(await readHeadline(page)).toBeGreaterThan(0);
  await page.getByLabel("Oficina").selectOption({ index: 1 });
  await page.getByText("Ocupación media").waitFor();
  await picture(page, "analytics-occupation");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Gastos", exact: true }).click();
  await page.getByText("Gastado", { exact: true }).waitFor();
  await picture(page, "analytics-expenses-dark");
  await expectAccessible(page);
});

test("shows all branches for a bookmark of a deleted branch, with a notice", async () => {
  const there = page.url();
  await page.goto(address.replace("?", "?branch=GONE&view=billing&"));
  await page.getByText("Facturado con impuestos").waitFor();
  expect([await page.getByLabel("Oficina").inputValue(), new URL(page.url()).searchParams.get("branch")]).toEqual([
    "",
    null,
  ]);
  await page.goto(there);
});

test("rejects a customer's sign-in, and requests again on a page without network", async () => {
  const other = await browser.newPage();
  await other.goto(address);
  await other.getByLabel("Correo o usuario").fill("customer@acme.test");
  await other.getByLabel("Contraseña").fill("Customer-acme-2026!");
  await other.getByRole("button", { name: "Entrar" }).click();
  await other.getByRole("alert").getByText("son para el personal").waitFor();
  await other.close();
  await page.route("**/delivery-collection-app-settings*", (route) => route.abort());
  await page.reload();
  await page.getByText("No se han podido leer").waitFor();
  await page.unroute("**/delivery-collection-app-settings*");
  await page.getByRole("button", { name: "Reintentar" }).click();
  await page.getByLabel("Oficina").waitFor();
});

test("reports failed requests and retries them on demand", async () => {
  // Wait for pending requests, because they would fail instead.
  await page.locator("dd").first().waitFor();
  await page.route("**/api/v1/analysis/**", (route) => route.abort());
  await page.getByRole("button", { name: "Facturación", exact: true }).click();
  await page.getByText("No se han podido leer").waitFor();
  await page.unroute("**/api/v1/analysis/**");
  await page.getByRole("button", { name: "Reintentar" }).click();
  await page.getByText("Facturado con impuestos").waitFor();
});

test("follows its own content policy, and shows nothing to a signed-out browser", async () => {
  await page.getByRole("button", { name: "Salir" }).click();
  await page.getByRole("button", { name: "Entrar" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Entrar" }).waitFor();
  expect(violations.filter((text) => /Content Security|TrustedHTML|Uncaught/.test(text))).toEqual([]);
});
