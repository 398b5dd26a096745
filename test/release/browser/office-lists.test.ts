import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { BOTH_THEMES, getDateInDays, type Office, useOffice } from "../../browser/office-page.ts";

let office: Office;
let page: Office["page"];

const { shows, press, submit, ask } = useOffice((opened) => {
  ({ office, page } = opened);
});

test.each([
  ["customers", "Firmen", "view=companies"],
  ["fleet", "Gesperrt", "view=blocked"],
  ["money/documents", "Rechnungskorrekturen", "view=credit_notes"],
  ["money/charges", "Dieser Monat", "view=this_month"],
  ["expenses", "Dieser Monat", "view=this_month"],
  ["quotes", "Angenommen", "view=accepted"],
])("shows the views of %s, and saves one under a name", async (path, name, view) => {
  await page.goto(`${office.address}#/${path}`);
  await page.locator(".views").getByRole("button", { name, exact: true }).click();
  await page.waitForURL((url) => url.hash.includes(view));
  await page.getByText("Ansicht speichern", { exact: true }).first().click();
  await page.locator("[name=view_name]").fill(`Meine ${path}`);
  await page.keyboard.press("Enter");
  const savedViewButton = page.getByRole("button", { name: `Meine ${path}`, exact: true });
  await savedViewButton.waitFor();
  expect(await savedViewButton.getAttribute("aria-pressed")).toBe("true");
  await page.locator(".views").getByRole("button", { name: "Alle", exact: true }).click();
  await page.waitForURL((url) => !url.hash.includes("view="));
  await savedViewButton.click();
  await page.waitForURL((url) => url.hash.includes(view));
  await office.looksRight(`views-${path.replace("/", "-")}`, BOTH_THEMES);
  await page.getByRole("button", { name: `Ansicht Meine ${path} löschen` }).click();
  await savedViewButton.waitFor({ state: "detached" });
});

test("blocks selected vehicles, shows why one of them can't be blocked, and downloads selected documents in one file", async () => {
  await page.goto(`${office.address}#/fleet`);
  const rows = page.locator(".folds tbody tr");
  await rows.first().waitFor();
  await rows.nth(0).getByRole("checkbox").check();
  await rows.nth(1).getByRole("checkbox").check();
  await press("Fahrzeuge sperren");
  await page.locator(".sheet [name=from]").fill(`${getDateInDays(200)}T08:00`);
  await page.locator(".sheet [name=to]").fill(`${getDateInDays(201)}T08:00`);
  await submit();
  await page.locator(".bulk .notice.done", { hasText: "2 erledigt, 0 fehlgeschlagen" }).waitFor();
  await office.looksRight("bulk-fleet", BOTH_THEMES);
  // Only rows that failed stay selected.
  await rows.nth(0).getByRole("checkbox").check();
  await rows.nth(1).getByRole("checkbox").check();
  await press("Fahrzeuge sperren");
  await page.locator(".sheet [name=from]").fill(`${getDateInDays(201)}T08:00`);
  await page.locator(".sheet [name=to]").fill(`${getDateInDays(200)}T08:00`);
  await submit();
  await page.locator(".bulk .notice.refused", { hasText: "0 erledigt, 2 fehlgeschlagen" }).waitFor();
  expect(await page.locator(".bulk-results li.problem a").count()).toBe(2);
  await page.goto(`${office.address}#/money/documents`);
  await rows.first().waitFor();
  await rows.nth(0).getByRole("checkbox").check();
  await rows.nth(1).getByRole("checkbox").check();
  const download = page.waitForEvent("download");
  await press("PDF herunterladen (ZIP)");
  expect((await download).suggestedFilename()).toBe("documents.zip");
  await page.locator(".bulk-results li", { hasText: ".pdf" }).nth(1).waitFor();
  await office.looksRight("bulk-documents", BOTH_THEMES);
});

test("marks and compares selected customers", async () => {
  // Own customers, because other tests book for those of the demo data.
  for (const name of ["Berta", "Bruno"])
    expect((await ask("POST", "/customers", { name, surname: "Sperrig" })).status).toBe(201);
  await page.goto(`${office.address}#/customers?q=sperrig`);
  const rows = page.locator(".folds tbody tr", { hasText: "Sperrig" });
  await rows.nth(1).waitFor();
  await rows.nth(0).getByRole("checkbox").check();
  await rows.nth(1).getByRole("checkbox").check();
  await press("Kunden zusammenführen");
  await page.locator(".sheet .merge-rows").waitFor();
  await office.looksRight("bulk-merge", BOTH_THEMES);
  await page.keyboard.press("Escape");
  await press("Kunden für Mieten sperren");
  await page.locator(".sheet [name=reason]").fill("Zahlt nicht");
  await submit();
  await page.locator(".bulk .notice.done", { hasText: "2 erledigt, 0 fehlgeschlagen" }).waitFor();
  await office.looksRight("bulk-customers", BOTH_THEMES);
});

test("replaces the date range of a payment list by the view that the user chooses", async () => {
  await page.goto(`${office.address}#/money/charges?date_from=2020-01-01&date_to=2020-12-31`);
  const today = page.locator(".views").getByRole("button", { name: "Heute", exact: true });
  await today.waitFor();
  expect(await page.locator(".views [aria-pressed=true]").count()).toBe(0);
  await today.click();
  await page.waitForURL((url) => url.hash.endsWith("#/money/charges?view=today"));
});

test("sorts lists by their headings, filters them by views and filters, and keeps the chosen columns", async () => {
  await page.getByRole("navigation", { name: "Menü" }).getByRole("link", { name: "Reservierungen" }).click();
  await page.waitForURL(/view=upcoming/);
  await shows(/Treffer/);
  const days = async () =>
    (await ask("GET", `/reservations?${new URL(page.url()).hash.split("?")[1]}&page_size=50`)).body as {
      readonly data: readonly { readonly id: number; readonly date_from: string; readonly status: string }[];
    };
  const upcoming = (await days()).data;
  expect(upcoming.every(({ date_from: date }) => date >= getDateInDays(-1))).toBe(true);
  expect(upcoming.map(({ date_from: date }) => date)).toEqual(upcoming.map(({ date_from: date }) => date).toSorted());
  const rows = page.locator(".folds tbody tr");
  expect(await rows.first().locator("th").textContent()).toContain(String(upcoming[0]?.id));
  await page.setViewportSize({ width: 1440, height: 900 });
  const total = page.getByRole("columnheader", { name: "Gesamt" });
  await total.getByRole("button").click();
  await page.waitForURL(/sort=total_cost/);
  expect(await total.getAttribute("aria-sort")).toBe("ascending");
  await total.getByRole("button").click();
  await page.waitForURL(/sort=-total_cost/);
  await expect.poll(() => total.getAttribute("aria-sort")).toBe("descending");
  await page.getByRole("button", { name: "Rückgaben heute" }).click();
  await page.waitForURL(/view=returns_today/);
  await page.getByRole("button", { name: "Mehr Filter" }).click();
  await page.locator("[name=kind]").selectOption("rental");
  await page.getByRole("button", { name: "Filter Art entfernen" }).click();
  await page.waitForURL((url) => !url.hash.includes("kind="));
  await page.getByText("Ansicht speichern", { exact: true }).first().click();
  await page.locator("[name=view_name]").fill("Heute zurück");
  await page.keyboard.press("Enter");
  const savedView = page.getByRole("button", { name: "Heute zurück", exact: true });
  await savedView.waitFor();
  expect(await savedView.getAttribute("aria-pressed")).toBe("true");
  await page.getByRole("button", { name: "Alle", exact: true }).click();
  await page.waitForURL((url) => !url.hash.includes("view="));
  await savedView.click();
  await page.waitForURL(/view=returns_today/);
  await page.getByRole("button", { name: "Ansicht Heute zurück löschen" }).click();
  await savedView.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Alle", exact: true }).click();
  await page.getByText("Spalten", { exact: true }).click();
  await page.getByRole("checkbox", { name: "Fahrzeuge" }).uncheck();
  await page.getByRole("columnheader", { name: "Fahrzeuge" }).waitFor({ state: "detached" });
  await page.reload();
  await shows(/Treffer/);
  expect(await page.getByRole("columnheader", { name: "Fahrzeuge" }).count()).toBe(0);
  await page.getByText("Spalten", { exact: true }).click();
  await page.getByRole("checkbox", { name: "Fahrzeuge" }).check();
  await page.getByRole("columnheader", { name: "Fahrzeuge" }).waitFor();
  await page.setViewportSize({ width: 1440, height: 1000 });
  await office.looksRight("reservations-list", BOTH_THEMES);
});

const LISTS = [
  ...["reservations?view=upcoming&sort=date_from", "quotes", "fleet", "customers"],
  ...["money/documents", "money/charges", "expenses"],
];

interface Measures {
  readonly top: number;
  readonly height: number;
  readonly visible: number;
  readonly all: number;
  readonly beyond: number;
}

const getHiddenWidth = () =>
  page.evaluate<number>(
    "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.folds'))",
  );

test.each(LISTS)(
  "has space for 14 rows of %s on a laptop's first screen, and for its columns on a small one",
  async (list) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${office.address}#/${list}`);
    await page.locator(".folds tbody tr").first().waitFor();
    const measure = () =>
      page.evaluate<Measures>(`(() => {
    const table = document.querySelector(".folds");
    const rows = [...table.querySelectorAll("tbody tr")].map((row) => row.getBoundingClientRect());
    return {
      top: rows[0].top,
      height: Math.round(Math.min(...rows.map((row) => row.height))),
      visible: rows.filter((row) => row.bottom <= innerHeight).length,
      all: rows.length,
      beyond: table.scrollWidth - table.clientWidth,
    };
  })()`);
    // Wait for the rows of this list, because those of the previous one may still be shown.
    await expect
      .poll(async () => {
        const { visible, all } = await measure();
        // A short list ends before the screen.
        return visible >= Math.min(14, all);
      })
      .toBe(true);
    const { top, height, beyond } = await measure();
    expect([list, height, beyond]).toEqual([list, 36, 0]);
    expect((900 - top) / height).toBeGreaterThanOrEqual(14);
    await page.setViewportSize({ width: 1024, height: 900 });
    expect([list, await getHiddenWidth()]).toEqual([list, 0]);
    await page.setViewportSize({ width: 1440, height: 1000 });
  },
);

const toCents = (text: string) => Math.round(Number(text.replace(/\./g, "").replace(",", ".")) * 100);

test("shows reports with a chart and tables that match their totals, and exports the same figures", async () => {
  await page.getByRole("link", { name: "Auswertungen", exact: true }).click();
  await page.getByRole("img", { name: "Bruttoumsatz nach Monat" }).waitFor();
  await page.locator("[name=group]").selectOption("category");
  await page.waitForURL(/group=category/);
  const tables = page.locator(".report-table");
  await expect.poll(() => tables.count()).toBe(2);
  const readColumn = async (at: number, row: "tbody" | "tfoot") =>
    (await tables.nth(at).locator(`${row} td:nth-child(2)`).allTextContents()).map((text) =>
      toCents(text.replace(/[^\d.,-]/g, "") || "0"),
    );
  for (const at of [0, 1]) {
    const [total = 0] = await readColumn(at, "tfoot");
    expect((await readColumn(at, "tbody")).reduce((sum, cents) => sum + cents, 0)).toBe(total);
    expect(total).toBeGreaterThan(0);
  }
  const byGross = tables.first().getByRole("button", { name: "Bruttoumsatz" });
  await byGross.click();
  const down = await readColumn(0, "tbody");
  expect(down).toEqual(down.toSorted((cents, other) => other - cents));
  await byGross.click();
  expect(await readColumn(0, "tbody")).toEqual(down.toReversed());
  const [total = 0] = await readColumn(0, "tfoot");
  const [file] = await Promise.all([page.waitForEvent("download"), press("CSV herunterladen")]);
  const [, ...lines] = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  expect(lines.reduce((sum, line) => sum + toCents(line.split(";")[3] ?? ""), 0)).toBe(total);
  await office.looksRight("reports", BOTH_THEMES);
  await page.locator("[name=from]").fill(`${getDateInDays(400)}`);
  await shows("Der letzte Tag liegt vor dem ersten.");
  await page.getByRole("link", { name: "Auslastung" }).click();
  await page.getByText("Vermietete Tage im Verhältnis").waitFor();
  await page.locator("[name=range]").selectOption("last_year");
  await page.locator("[name=compare]").check();
  await page.getByRole("img", { name: "Auslastung nach Monat" }).waitFor();
  await page.reload();
  await page.getByRole("img", { name: "Auslastung nach Monat" }).waitFor();
  expect(await page.locator("[name=compare]").isChecked()).toBe(true);
});

interface Listed {
  readonly reference: string;
  readonly rental_location_code: string;
}
const fleet = async () => {
  const { body } = await ask("GET", "/vehicles?page_size=200");
  return (body as { readonly data: readonly Listed[] }).data;
};

// Proves "office.md: lists and forms": A vehicle moved, damage repaired, in the pages
test("moves a vehicle to another branch, and marks its damage as repaired after a confirmation", async () => {
  const createdRecords = {
    reference: "COMP-78",
    name: "Seat León",
    category_code: "COMP",
    rental_location_code: "PMI",
  };
  expect((await ask("POST", "/vehicles", { ...createdRecords, fuel: "petrol" })).status).toBe(201);
  await page.goto(`${office.address}#/fleet/COMP-78`);
  await press("Fahrzeug anderem Standort zuordnen");
  await submit();
  await shows("Füllen Sie dieses Feld aus.");
  await page.getByLabel("Neuer Standort *").selectOption("MAH");
  await office.looksRight("vehicle-move", BOTH_THEMES);
  await submit();
  await shows("Fahrzeug an anderen Standort verlegt");
  let damaged = "";
  for (const { reference } of await fleet()) {
    const fullVehicle = await ask("GET", `/vehicles/${reference}`);
    const { damages } = (fullVehicle.body as { readonly vehicle: { readonly damages: readonly unknown[] } }).vehicle;
    damaged = reference;
    if (damages.length > 0) break;
  }
  await page.goto(`${office.address}#/fleet/${damaged}`);
  const repair = page.getByRole("button", { name: /^Schaden als repariert markieren/ });
  await repair.first().waitFor();
  const before = await repair.count();
  await repair.first().click();
  await page.getByRole("button", { name: /^Schaden als repariert markieren\?/ }).click();
  await shows("Schaden als repariert markiert");
  await expect.poll(() => repair.count()).toBe(before - 1);
  await shows("Schaden repariert");
});
