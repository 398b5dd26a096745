import { expect, test } from "vitest";
import { BOTH_THEMES, type Office, useOffice } from "../../browser/office-page.ts";

let office: Office;
let page: Office["page"];
let token: string;

const { shows, press, submit } = useOffice((opened) => {
  ({ office, page, token } = opened);
});

const sheet = (label: string) => page.locator(".sheet").getByLabel(label, { exact: true });

test("records an expense by plate, asks about duplicates, handles two editors and deletes the expense", async () => {
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await page.getByRole("heading", { name: "Ausgaben", level: 1 }).waitFor();
  await shows(/Treffer/);
  await office.looksRight("expenses", BOTH_THEMES);
  await page.keyboard.press("n");
  await sheet("Nettobetrag").fill("180,50");
  await submit();
  await shows("Füllen Sie dieses Feld aus.");
  const [{ reference = "", stock_plate: plate = "" } = {}] = (
    (await office.ask("GET", "/api/v1/office/vehicles?page_size=1", { token })).body as {
      data: { reference: string; stock_plate: string }[];
    }
  ).data;
  await page.locator(".sheet datalist option").first().waitFor({ state: "attached" });
  await sheet("Fahrzeug *").fill(plate.replaceAll(" ", "").toLowerCase());
  await sheet("Ausgabenart *").selectOption({ index: 1 });
  await sheet("Belegnummer").fill("R-2026/7");
  await sheet("Rabatt").fill("18");
  await sheet("Steuer (%)").fill("21");
  await page.locator(".outcome", { hasText: "196,63" }).waitFor();
  await office.looksRight("expense", BOTH_THEMES);
  await submit();
  await shows(/Ausgabe erfasst: 196,63/);
  await page.keyboard.press("n");
  expect(await sheet("Steuer (%)").inputValue()).toBe("21");
  await page.locator(".sheet datalist option").first().waitFor({ state: "attached" });
  await sheet("Fahrzeug *").fill(reference);
  await sheet("Ausgabenart *").selectOption({ index: 2 });
  await sheet("Belegnummer").fill("r-2026/7");
  await sheet("Gesamt").fill("121");
  await submit();
  await shows(/stehen schon in einer Ausgabe/);
  await page.getByLabel("Dies ist eine andere Ausgabe").check();
  await submit();
  await shows(/Ausgabe erfasst: 121,00/);
  await page.getByRole("searchbox").fill("r-2026/7");
  await page.locator(".totals", { hasText: "317,63" }).waitFor();
  await page.locator("tbody th a").first().click();
  await page.getByRole("heading", { name: /121,00/, level: 1 }).waitFor();
  const id = page.url().split("/").at(-1);
  await press("Ausgabe ändern");
  await sheet("Nettobetrag").fill("200");
  await page.locator(".outcome", { hasText: "242,00" }).waitFor();
  const otherChange = { expected_version: 1, description: "Vorne" };
  const { status } = await office.ask("PATCH", `/api/v1/office/expenses/${id}`, { token, body: otherChange });
  expect(status).toBe(200);
  await submit();
  await page.locator(".beside-table", { hasText: "Vorne" }).waitFor();
  await submit();
  await page.getByRole("heading", { name: /242,00/, level: 1 }).waitFor();
  await office.looksRight("expense-changed", BOTH_THEMES);
  await press("Ausgabe löschen");
  await press("Ausgabe löschen?");
  await shows(/Ausgabe gelöscht: 242,00/);
});

test("shows a vehicle's expenses of this year, and opens the form for another one", async () => {
  await page.goto(`${office.address}#/fleet/AUTO-01`);
  await page.getByRole("heading", { name: "Ausgaben" }).waitFor();
  await shows(/Ausgegeben 20\d\d/);
  await page.getByRole("link", { name: "Ausgabe hinzufügen" }).click();
  await sheet("Fahrzeug *").waitFor();
  expect(await sheet("Fahrzeug *").inputValue()).toBe("AUTO-01");
});
