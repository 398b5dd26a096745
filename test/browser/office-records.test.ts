import { readFile } from "node:fs/promises";
import { expect, inject, test } from "vitest";
import { BOTH_THEMES, getDateInDays, type Office, useOffice } from "./office-page.ts";

let office: Office;
let page: Office["page"];

const { shows, press, submit, ask } = useOffice((opened) => {
  ({ office, page } = opened);
});

interface Register {
  readonly closings: readonly Readonly<Record<"opening" | "expected" | "counted" | "difference", string>>[];
}

// Proves "office.md": Fleet: found by state; a vehicle joins, is blocked, changed by two at once, retired
test("filters the fleet by vehicle state, then adds, blocks, concurrently edits and retires a vehicle", async () => {
  await page.keyboard.press("g");
  await page.keyboard.press("f");
  await page.getByRole("heading", { name: "Flotte" }).waitFor();
  await shows(/Treffer/);
  await office.looksRight("fleet", BOTH_THEMES);
  await page.locator("[name=state]").selectOption("out");
  await page.waitForURL(/state=out/);
  await page.locator(".folds [data-state=free]").first().waitFor({ state: "detached" });
  await page.locator(".folds [data-state=out]").first().waitFor();
  await page.keyboard.press("n");
  await page.getByLabel("Interne Nummer *").fill("COMP-77");
  await page.getByLabel("Standort *").selectOption({ index: 1 });
  await submit();
  await shows("Füllen Sie dieses Feld aus.");
  await page.getByLabel("Fahrzeug *").fill("Seat León");
  await page.getByLabel("Kategorie *").selectOption("COMP");
  await page.getByLabel("Kennzeichen").fill("7777 BCD");
  await submit();
  await page.getByRole("heading", { name: "7777 BCD · Seat León" }).waitFor();
  await press("Fahrzeug sperren");
  await page.getByLabel("Von *").fill(`${getDateInDays(0)}T00:00`);
  await page.getByLabel("Bis *").fill(`${getDateInDays(-1)}T20:00`);
  await submit();
  await page.locator(".sheet .problem").first().waitFor();
  await page.getByLabel("Bis *").fill(`${getDateInDays(2)}T20:00`);
  await office.looksRight("block", BOTH_THEMES);
  await submit();
  await shows("Fahrzeug gesperrt");
  await page.locator(".title [data-state=blocked]").waitFor();
  await press("Fahrzeugdaten ändern");
  await page.getByLabel("Farbe").fill("rot");
  const otherChange = { expected_version: 1, stock_color: "blau", usage_units: 12_000 };
  expect((await ask("PATCH", "/vehicles/COMP-77", otherChange)).status).toBe(200);
  await submit();
  await page.locator(".beside-table", { hasText: "blau" }).waitFor();
  await office.looksRight("vehicle-changed-meanwhile", BOTH_THEMES);
  await submit();
  await shows("Fahrzeug geändert");
  await page.locator(".facts", { hasText: "rot" }).waitFor();
  await page.getByRole("button", { name: /^Sperre aufheben: / }).click();
  await page.getByRole("button", { name: /^Sperre aufheben.*\?/ }).click();
  await page.locator(".title [data-state=free]").waitFor();
  await office.looksRight("vehicle", BOTH_THEMES);
  await press("Fahrzeug ausmustern");
  await submit();
  await page.locator(".title [data-state=retired]").waitFor();
  expect(await page.getByRole("button", { name: "Fahrzeug sperren", exact: true }).count()).toBe(0);
});

if (inject("isThorough"))
  test("records the cost of maintenance as an expense, and leads from each to the other", async () => {
    const service = {
      vehicle_reference: "COMP-77",
      date: getDateInDays(-1),
      usage_units: 12_100,
      work: "Ölwechsel",
      cost: "140.00",
    };
    expect((await ask("POST", "/vehicle-services", service)).status).toBe(201);
    await page.goto(`${office.address}#/fleet/COMP-77`);
    await page.reload();
    await page.getByRole("button", { name: "Als Ausgabe erfassen: Ölwechsel" }).click();
    expect(await page.locator(".sheet [name=description]").inputValue()).toBe("Ölwechsel");
    await page.locator(".sheet [name=concept_id]").selectOption({ index: 1 });
    await page.getByLabel("Lieferant", { exact: true }).fill("Taller Mar SL");
    await page.locator(".sheet [name=tax_percent]").fill("21");
    await office.looksRight("maintenance-expense", BOTH_THEMES);
    await submit();
    await shows("Ausgabe erfasst");
    await page.getByRole("button", { name: "Als Ausgabe erfassen: Ölwechsel" }).waitFor({ state: "detached" });
    await page.locator("section[aria-labelledby=services]").getByRole("link", { name: "Ausgabe", exact: true }).click();
    await page.getByRole("heading", { name: /169,40/, level: 1 }).waitFor();
    await page.locator("section[aria-labelledby=paper] a[href*=vehicle-services]").click();
    await page.getByRole("heading", { name: /^COMP-77 · .+ · Ölwechsel$/, level: 1 }).waitFor();
  });

// Proves "office.md": Customers: changed over a lost network, two made one with what stays shown before
if (inject("isThorough"))
  test("edits a customer over a failing network and merges two after a preview of the result", async () => {
    const frieda = { name: "Frieda", surname: "Oelmann" };
    const first = await ask("POST", "/customers", { ...frieda, email: "frieda@example.com" });
    const second = { ...frieda, document_id: "L01X00T47", address_city: "Kiel", phone_number: "600 999 888" };
    expect([first.status, (await ask("POST", "/customers", second)).status]).toEqual([201, 201]);
    const { customer } = first.body as { readonly customer: { readonly id: number } };
    expect((await ask("POST", `/customers/${customer.id}/notes`, { text: "Kommt spät" })).status).toBe(201);
    await page.goto(`${office.address}#/customers`);
    await page.getByRole("searchbox").fill("oelm");
    await shows("2 Treffer");
    await office.looksRight("customers", BOTH_THEMES);
    await page.getByRole("link", { name: "Frieda Oelmann" }).last().click();
    await page.getByRole("heading", { name: "Frieda Oelmann", level: 1 }).waitFor();
    await press("Kundendaten ändern");
    await page.getByLabel("Telefon").fill("600 111 222");
    await page.route("**/api/v1/office/customers/*", (route) => route.abort());
    await submit();
    await shows("Keine Verbindung.");
    await page.unroute("**/api/v1/office/customers/*");
    await page.reload();
    await press("Kundendaten ändern");
    expect(await page.getByLabel("Telefon").inputValue()).toBe("600 111 222");
    await submit();
    await shows("Gespeichert");
    await press("Kunden zusammenführen");
    await page.locator(".choices button").first().click();
    // Both customers have a telephone. At first, the one of the customer who is merged is chosen.
    const phone = page.getByRole("group", { name: "Telefon" });
    expect(await phone.getByRole("radio").last().isChecked()).toBe(true);
    await phone.getByRole("radio").first().check();
    await page.locator(".merge-moves dl", { hasText: "Notizen" }).getByText("1", { exact: true }).waitFor();
    await office.looksRight("merge", BOTH_THEMES);
    await submit();
    await shows("zusammengeführt");
    await page.locator(".facts", { hasText: "L01X00T47" }).waitFor();
    await page.locator(".facts", { hasText: "600 111 222" }).waitFor();
    await page.locator(".facts", { hasText: "frieda@example.com" }).waitFor();
    // A customer with past rentals.
    const { body } = await ask("GET", "/reservations?status=done&page_size=1");
    const [rented] = (body as { readonly data: readonly { readonly customer_id: number }[] }).data;
    await page.goto(`${office.address}#/customers/${rented?.customer_id}`);
    await page.locator("#contracts ~ .folds").waitFor();
    await office.looksRight("customer", BOTH_THEMES);
  });

if (inject("isThorough"))
  test("warns about a mistyped Spanish document number, and saves one of another country", async () => {
    await page.goto(`${office.address}#/customers`);
    await page.getByRole("link", { name: "Neuer Kunde", exact: true }).click();
    const sheet = page.locator(".sheet");
    const number = sheet.locator("[name=document_id]");
    const warning = sheet.getByText("Keine gültige spanische Nummer.");
    await sheet.locator("[name=customer_type]").selectOption("individual");
    await number.fill("12345678Z");
    expect(await warning.count()).toBe(0);
    await number.fill("12345678A");
    await warning.waitFor();
    expect(await number.getAttribute("aria-invalid")).toBe("false");
    await office.looksRight("mistyped-document", BOTH_THEMES);
    await sheet.locator("[name=origin_country]").fill("DE");
    await warning.waitFor({ state: "detached" });
    await sheet.locator("[name=name]").fill("Franka");
    await sheet.locator("[name=surname]").fill("Fremd");
    await submit();
    await page.getByRole("heading", { name: "Franka Fremd" }).waitFor();
    const { body } = await ask("GET", "/customers?q=12345678A");
    expect((body as { readonly data: readonly object[] }).data).toMatchObject([{ document_id: "12345678A" }]);
  });

test("explains what to enter before the button that saves the letterhead is enabled", async () => {
  await page.goto(`${office.address}#/letterhead`);
  const save = page.getByRole("button", { name: "Speichern" });
  await shows("Wählen Sie zum Speichern ein Logo, oder ändern Sie Farbe oder Fußzeile.");
  expect(await save.isDisabled()).toBe(true);
  await page.locator("[name=foot]").fill("Register von Palma");
  expect(await save.isEnabled()).toBe(true);
  expect(await page.getByText("Wählen Sie zum Speichern").count()).toBe(0);
  await page.locator("[name=foot]").fill("");
});

// Proves "office.md": Documents and money: unpaid ones, payments by method, the cash closed with its difference
if (inject("isThorough"))
  test("finds unpaid documents and payments by method, and closes a branch's cash with a difference", async () => {
    await page.goto(`${office.address}#/money`);
    await page.getByRole("heading", { name: "Belege und Geld" }).waitFor();
    await shows(/Treffer|Noch kein Beleg/);
    await office.looksRight("documents", BOTH_THEMES);
    // The journal's period is shown and chosen before the export.
    await press("Journal exportieren");
    const [from, to] = [page.locator(".sheet [name=date_from]"), page.locator(".sheet [name=date_to]")];
    expect([await from.inputValue(), await to.inputValue()]).toEqual([
      expect.stringMatching(/-01$/),
      expect.stringMatching(/-(28|29|30|31)$/),
    ]);
    await from.fill("2026-02-01");
    await to.fill("2026-01-31");
    await submit();
    await page.locator(".sheet .problem").first().waitFor();
    await to.fill("2026-02-28");
    const download = page.waitForEvent("download");
    await submit();
    expect((await download).suggestedFilename()).toBe("journal-2026-02-01-2026-02-28.csv");
    await page.locator(".done", { hasText: /Journal exportiert: .*1\. – .*28\. Feb/ }).waitFor();
    await press("Unbezahlt");
    await page.waitForURL(/view=unpaid/);
    await page.getByRole("link", { name: "Zahlungen", exact: true }).click();
    await page.locator("[name=payment_method_id]").selectOption("cash");
    await page.waitForURL(/payment_method_id=cash/);
    await office.looksRight("charges", BOTH_THEMES);
    await page.getByRole("link", { name: "Tagesbericht Zahlungen" }).click();
    await shows("Wählen Sie einen Standort");
    await page.locator("main").getByLabel("Standort").selectOption("PMI");
    await press("Kasse schließen");
    await submit();
    await shows("Füllen Sie dieses Feld aus.");
    await page.getByLabel("Anfangsbestand").fill("100");
    await page.getByLabel("Istbestand *").fill("99,50");
    await page.locator(".outcome strong", { hasText: /€/ }).waitFor();
    await office.looksRight("close-cash", BOTH_THEMES);
    await submit();
    await page.locator(".done", { hasText: "Kasse geschlossen." }).waitFor();
    // Cash that others received in the meantime is in the closing but not in the form shown.
    const { closings } = (await ask("GET", "/register?rental_location_code=PMI")).body as unknown as Register;
    const [{ opening, expected, counted, difference } = { opening: "", expected: "", counted: "", difference: "" }] =
      closings;
    expect([opening, counted, (Number(counted) - Number(expected)).toFixed(2)]).toEqual([
      "100.00",
      "99.50",
      difference,
    ]);
    const euros = (amount: string) =>
      new Intl.NumberFormat("de", { style: "currency", currency: "EUR" }).format(Math.abs(Number(amount)));
    await page.locator(".done", { hasText: euros(difference) }).waitFor();
    await page.getByRole("table", { name: "Kassenabschlüsse" }).getByText(euros(expected)).waitFor();
    expect(await page.getByRole("button", { name: "Kasse schließen" }).count()).toBe(0);
    await office.looksRight("register", BOTH_THEMES);
    await page.getByRole("link", { name: "Erstattungen" }).click();
    await page.getByRole("button", { name: "Erstattung freigeben" }).first().waitFor();
    const requestedRefunds = await office.page.locator("section[aria-labelledby=asked]").textContent();
    expect(requestedRefunds).toContain("Promised on the phone");
    expect(requestedRefunds).not.toContain("In der Warteschlange");
    await office.looksRight("refunds", BOTH_THEMES);
  });

// Proves "office.md: lists and forms": A person's data exported and erased, in the pages
test("exports a person's data as a file, and erases it with a reason", async () => {
  const person = { name: "Gesa", surname: "Vorbei", email: "gesa@example.com", document_id: "C01X00T47" };
  const { body } = await ask("POST", "/customers", person);
  const { id } = (body as { readonly customer: { readonly id: number } }).customer;
  await page.goto(`${office.address}#/customers/${id}`);
  const [file] = await Promise.all([page.waitForEvent("download"), press("Personendaten exportieren")]);
  const text = await readFile(await file.path(), "utf8");
  expect(JSON.parse(text)).toMatchObject({ data: { customers: [{ email: "gesa@example.com" }] } });
  await shows("Personendaten exportiert");
  await press("Personendaten löschen");
  await submit();
  await shows("Füllen Sie dieses Feld aus.");
  await page.getByLabel("Grund *").fill("Auf ihren Wunsch");
  await office.looksRight("erase", BOTH_THEMES);
  await submit();
  await shows("Personenbezogene Daten gelöscht");
  expect(await page.getByText("gesa@example.com").count()).toBe(0);
});

// Proves "office.md: lists and forms": A manager meets what they may not
if (inject("isThorough"))
  test("lets a manager change prices and fleet, and hides users, keys and gateways", async () => {
    await page.locator(".person > summary").click();
    await press("Abmelden");
    await office.signInAs("manager");
    await page.getByRole("navigation", { name: "Menü" }).getByRole("link", { name: "Einstellungen" }).click();
    const settings = page.locator("main .settings");
    await settings.getByRole("link", { name: "Kategorien", exact: true }).waitFor();
    for (const name of ["Benutzer", "Zahlungsanbieter", "Partnerschlüssel", "Erste Schritte"])
      expect([name, await settings.getByRole("link", { name, exact: true }).count()]).toEqual([name, 0]);
    await page.goto(`${office.address}#/list/categories/COMP`);
    await page.getByRole("button", { name: "Speichern" }).waitFor();
    await page.goto(`${office.address}#/list/settings`);
    await shows("Sie können dies ansehen, aber nicht ändern.");
    expect(await page.getByRole("button", { name: "Speichern" }).count()).toBe(0);
    await page.goto(`${office.address}#/list/gateways`);
    await shows("Ihnen fehlt die Berechtigung für die Verwaltung. Fragen Sie einen Administrator.");
  });

// Proves "office.md: lists and forms": An operator meets what they may not
if (inject("isThorough"))
  test("shows operators their branch's day without actions that sell or change", async () => {
    await page.locator(".person > summary").click();
    await press("Abmelden");
    await office.signInAs("airport");
    await page.locator(".cards > li").first().waitFor();
    expect(await page.getByRole("link", { name: /^(?:Erstattung veranlassen|Als No-Show markieren)$/ }).count()).toBe(
      0,
    );
    await page.goto(`${office.address}#/reservations?status=confirmed&kind=rental`);
    await shows(/Treffer|Keine Reservierung/);
    expect(await page.getByRole("link", { name: "Neue Reservierung" }).count()).toBe(0);
    // Earlier rows belong to other tests, which change them.
    await page.locator(".folds tbody a").last().click();
    await shows(/^Ihre Rolle erlaubt nicht: .*Reservierung stornieren/);
    expect(await page.getByRole("button", { name: "Reservierung stornieren" }).count()).toBe(0);
    await page.goto(`${office.address}#/list/categories`);
    await shows(/Treffer/);
    expect(await page.getByRole("link", { name: "Neue Kategorie", exact: true }).count()).toBe(0);
    await page.locator("main tbody a").first().click();
    await shows("Sie können dies ansehen, aber nicht ändern.");
    expect(await page.getByLabel("Name *", { exact: true }).isDisabled()).toBe(true);
  });

if (inject("isThorough"))
  test("shows agents the fleet without actions that their role doesn't allow", async () => {
    await page.locator(".person > summary").click();
    await press("Abmelden");
    await office.signInAs("agent");
    await page.goto(`${office.address}#/fleet`);
    await shows(/Treffer/);
    expect(await page.getByRole("link", { name: "Fahrzeug hinzufügen" }).count()).toBe(0);
    await page.locator(".folds tbody a").first().click();
    await page.getByRole("button", { name: "Fahrzeug sperren", exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Fahrzeug ausmustern" }).count()).toBe(0);
    expect(office.faults()).toEqual([]);
  });
