import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { BOTH_THEMES, OFFICE_START_TIMEOUT_MS, openOffice } from "./office-page.ts";

let office: Awaited<ReturnType<typeof openOffice>>;
let page: typeof office.page;

beforeAll(async () => {
  office = await openOffice(inject("port"));
  page = office.page;
}, OFFICE_START_TIMEOUT_MS);

afterAll(async () => {
  await office.close();
});

const open = async (list: string, title: string) => {
  await page.goto(`${office.address}#/list/${list}`);
  await page.getByRole("heading", { name: title, level: 1 }).waitFor();
};
const fill = async (fields: Readonly<Record<string, string>>) => {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
};
const save = async () => {
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByText("Gespeichert").waitFor();
};

test("shows on the page Today which setup is required before the start", async () => {
  await page.goto(office.address);
  await page.getByLabel("Passwort").waitFor();
  await office.looksRight("sign-in");
  await office.signInAs("staff");
  await page.getByRole("heading", { name: "Vor dem Start erforderlich" }).waitFor();
  await office.looksRight("today");
});

test("sets up a branch with errors in the user's language, and keeps the draft on a reload", async () => {
  await open("branches", "Standorte");
  await page.keyboard.press("n");
  await page.getByLabel("Code *").waitFor();
  await fill({ "Code *": "I B Z", "Name *": "Ibiza" });
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByText("Buchstaben, Ziffern, Punkte").waitFor();
  await page.getByText("Füllen Sie dieses Feld aus.").waitFor();
  await office.looksRight("branch-form");
  await page.reload();
  await page.getByText("Ihre ungespeicherten Änderungen wurden wiederhergestellt.").waitFor();
  expect(await page.getByLabel("Name *").inputValue()).toBe("Ibiza");
  await fill({ "Code *": "IBZ" });
  await page.getByLabel("Standortgruppe *").selectOption({ index: 1 });
  await save();
  expect(page.url()).toContain("#/list/branches/IBZ");
});

test("adds opening hours, a pickup place and a category with the same kind of form", async () => {
  await page.goto(`${office.address}#/list/opening-hours/new`);
  await page.getByLabel("Standort *").selectOption("IBZ");
  await page.getByLabel("Wochentag *").selectOption("1");
  await fill({ "Öffnet *": "20:00", "Schließt *": "08:00" });
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByText("Geben Sie einen späteren Wert als 20:00 ein.").waitFor();
  await fill({ "Öffnet *": "08:00", "Schließt *": "20:00" });
  await save();
  await page.goto(`${office.address}#/list/places/new`);
  await page.getByLabel("Name *").fill("Flughafen Ibiza");
  await page.getByLabel("Standort *").selectOption("IBZ");
  await save();
  await page.goto(`${office.address}#/list/categories/new`);
  await fill({ "Code *": "QUAD", "Name *": "Quad", "Steuersatz (%) *": "21" });
  await save();
});

test("shows another user's changes next to the user's own, which are preserved", async () => {
  await page.goto(`${office.address}#/list/categories/QUAD`);
  await page.getByLabel("Sitzplätze").fill("2");
  const token = await office.token();
  const body = { expected_version: 1, seats: 4 };
  expect((await office.ask("PATCH", "/api/v1/office/categories/QUAD", { token, body })).status).toBe(200);
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByText("Von jemand anderem gespeichert: 4").waitFor();
  expect(await page.getByLabel("Sitzplätze").inputValue()).toBe("2");
  await office.looksRight("changed-meanwhile");
  await save();
  await page.getByText("Verlauf").click();
  await page.getByText("Sitzplätze: 4 → 2").waitFor();
});

// Proves "office.md": A season's periods in rows, errors in their row
test("shows errors in a season's period row, and names the overlapping row", async () => {
  await page.goto(`${office.address}#/list/seasons/new`);
  await page.getByLabel("Name *", { exact: true }).fill("Weihnachten 2091");
  await page.getByRole("button", { name: "Zeile hinzufügen" }).click();
  await page.getByLabel("Von *").fill("2091-12-20");
  await page.getByLabel("Bis *").fill("2091-12-10");
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByText(/Geben Sie einen Wert ab .*20\. Dez/).waitFor();
  expect(await page.getByLabel("Bis *").getAttribute("aria-invalid")).toBe("true");
  await page.getByLabel("Bis *").fill("2092-01-06");
  await page.getByRole("button", { name: "Zeile hinzufügen" }).click();
  await page.getByLabel("Von *").nth(1).fill("2092-01-01");
  await page.getByLabel("Bis *").nth(1).fill("2092-01-10");
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByText("Dieser Bereich überschneidet sich mit 2091-12-20 – 2092-01-06.").waitFor();
  await office.looksRight("season-form");
  await page.getByRole("button", { name: "Zeile 2 löschen" }).click();
  await save();
});

// Proves "office.md": The price table: pasted, previewed, saved, undone; kept through a reload
test("pastes spreadsheet cells into the price table, keeps them on a reload, saves and reverts them", async () => {
  await page.goto(`${office.address}#/prices-table`);
  await page.locator(".grid tbody input").first().waitFor();
  // The first cell with a price. Some durations are empty because others cover them.
  const first = await page.evaluate<number>(
    "[...document.querySelectorAll('.grid tbody input')].findIndex(({ value }) => value !== '')",
  );
  const cell = page.locator(".grid tbody input").nth(first);
  const before = await cell.inputValue();
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "91,50\\r\\n");
    const paste = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.querySelectorAll(".grid tbody input")[${first}].dispatchEvent(paste);
  })()`);
  await page.locator(".grid .changed").first().waitFor();
  expect(await cell.inputValue()).toBe("91,50");
  await page.reload();
  await page.getByText("Ihre ungespeicherten Änderungen wurden wiederhergestellt.").waitFor();
  expect(await cell.inputValue()).toBe("91,50");
  // Typing character by character also uses the language's thousands separator: "1," isn't yet a fraction.
  await page.evaluate("document.documentElement.lang = 'en'");
  await cell.fill("");
  await cell.pressSequentially("1,250");
  expect(await cell.inputValue()).toBe("1,250");
  await page.reload();
  await page.getByText("Ihre ungespeicherten Änderungen wurden wiederhergestellt.").waitFor();
  expect(await cell.inputValue()).toBe("1250");
  // An invalid amount is marked at its cell.
  await cell.fill("91,505");
  await page.getByRole("button", { name: "Speichern", exact: true }).click();
  await page.locator("main .problem", { hasText: "Geben Sie einen Betrag ab null ein" }).waitFor();
  expect(await cell.getAttribute("aria-invalid")).toBe("true");
  await cell.fill("91,50");
  await page.getByRole("button", { name: "Vorschau" }).click();
  await page.locator(".preview tbody tr").first().waitFor();
  await office.looksRight("price-table");
  // On a phone, each price has its rental length above it, and nothing is scrolled sideways.
  await page.setViewportSize({ width: 390, height: 900 });
  const [hidden, label] = await page.evaluate<[number, string]>(
    "[document.querySelector('.grid').scrollWidth - document.querySelector('.grid').clientWidth, getComputedStyle(document.querySelector('.grid td'), '::before').content]",
  );
  expect([hidden, label]).toEqual([0, expect.stringMatching(/Tag/)]);
  await page.setViewportSize({ width: 1440, height: 1000 });
  await page.getByRole("button", { name: "Speichern", exact: true }).click();
  await page.getByText("Bestehende Reservierungen behalten ihren Preis.").waitFor();
  expect(await page.locator(".grid .changed").count()).toBe(0);
  await page.getByRole("button", { name: "Letztes Speichern zurücknehmen" }).click();
  await expect.poll(() => cell.inputValue()).toBe(before);
});

test("shows the settings of Spanish law to a company in Spain", async () => {
  await open("settings", "Einstellungen");
  const lessor = page.getByLabel("Vermietercode bei SES.HOSPEDAJES", { exact: false });
  await lessor.waitFor();
  await page.goto(`${office.address}#/settings-index`);
  await page.getByRole("link", { name: "Behörden", exact: true }).waitFor();
});

test("shows not found for a missing record instead of a form", async () => {
  await page.goto(`${office.address}#/list/branches/999999`);
  await page.getByText("Seite nicht gefunden").waitFor();
  expect(await page.locator("main form").count()).toBe(0);
  await page.getByRole("link", { name: "Standorte", exact: true }).last().click();
  await page.getByRole("heading", { name: "Standorte", exact: true }).waitFor();
});

// Proves "office.md": Deleting a used entry names its references
test("refuses to delete a resource in use, and names the records that use it", async () => {
  await page.goto(`${office.address}#/list/categories/COMP`);
  await page.getByRole("button", { name: "Löschen", exact: true }).click();
  await page.getByRole("button", { name: "Endgültig löschen" }).click();
  const notice = page.locator(".foot [role=status]", { hasText: /noch verwendet von \d+ / });
  await notice.waitFor();
  expect(await notice.textContent()).toMatch(/\d+ (Fahrzeuge|Preise)/);
});

// Proves "office.md": A lost network loses nothing that was typed
test("saves a change once although the network fails while saving, also after a reload", async () => {
  await page.goto(`${office.address}#/list/categories/QUAD`);
  await page.getByLabel("Sitzplätze").fill("3");
  await page.route("**/api/v1/office/categories/*", (route) => route.abort());
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByText("Keine Verbindung.").waitFor();
  await page.unroute("**/api/v1/office/categories/*");
  await page.reload();
  await page.getByText("Ihre ungespeicherten Änderungen wurden wiederhergestellt.").waitFor();
  expect(await page.getByLabel("Sitzplätze").inputValue()).toBe("3");
  await save();
  await page.getByText("Verlauf").click();
  await page.getByText("Sitzplätze: 2 → 3").waitFor();
});

test("finds a reservation, a vehicle and a setting from any page by keyboard", async () => {
  await page.goto(`${office.address}#/today`);
  await page.getByRole("heading", { name: "Heute", level: 1 }).click();
  await page.keyboard.press("/");
  await page.keyboard.type("COMP-02");
  await page
    .getByRole("option", { name: /^Fahrzeug/ })
    .first()
    .waitFor();
  await office.looksRight("global-search");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/fleet\/COMP-02$/);
  // The title of a loaded page gets the focus.
  await page.getByRole("heading", { name: /Golf/, level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Saisons");
  await page.getByRole("option", { name: /Saisons/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Saisons", level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("zzzzz");
  await page.locator(".global-search [role=status]", { hasText: "Keine Treffer" }).waitFor();
  await page.keyboard.press("Escape");
  expect(await page.getByRole("combobox", { name: "Alles durchsuchen" }).inputValue()).toBe("");
});

test("opens a new vehicle's form and finds settings from the page Today, and shows not found for an unknown page", async () => {
  await page.goto(`${office.address}#/today`);
  await page.getByRole("heading", { name: "Heute", level: 1 }).click();
  await page.keyboard.press("n");
  await page.locator(".new nav a").first().waitFor();
  await page.locator(".new nav").getByRole("link", { name: "Fahrzeug hinzufügen" }).click();
  await page.waitForURL(/#\/fleet\/new$/);
  await page.goto(`${office.address}#/today`);
  await page.getByRole("heading", { name: "Heute", level: 1 }).waitFor();
  await page.getByRole("navigation", { name: "Menü" }).getByRole("link", { name: "Einstellungen" }).click();
  await page.getByLabel("Einstellung suchen").fill("Saison");
  await expect.poll(() => page.locator("main .settings a").allTextContents()).toContain("Saisons");
  expect(await page.locator("main .settings a", { hasText: "Webhooks" }).count()).toBe(0);
  await office.looksRight("settings-index", BOTH_THEMES);
  await page.goto(`${office.address}#/nowhere`);
  await page.getByRole("heading", { name: /^Seite nicht gefunden/ }).waitFor();
});

if (inject("isThorough"))
  test("shares the session with another tab, and loads a page that failed offline once online", async () => {
    const second = await office.page.context().newPage();
    await second.goto(`${office.address}#/reservations`);
    await second.getByRole("heading", { name: "Reservierungen", level: 1 }).waitFor();
    await second.context().setOffline(true);
    await second.getByRole("navigation", { name: "Menü" }).getByRole("link", { name: "Flotte" }).click();
    await second.getByText("Die Seite konnte nicht geladen werden.").waitFor();
    await second.context().setOffline(false);
    await second.getByRole("heading", { name: "Flotte", level: 1 }).waitFor();
    // The page is loaded, but not its list.
    const menu = second.getByRole("navigation", { name: "Menü" });
    await menu.getByRole("link", { name: "Reservierungen" }).click();
    await second.getByRole("heading", { name: "Reservierungen", level: 1 }).waitFor();
    await second.context().setOffline(true);
    await menu.getByRole("link", { name: "Flotte" }).click();
    await second.getByText("Daten konnten nicht geladen werden.").waitFor();
    await second.context().setOffline(false);
    await second.locator(".folds tbody tr").first().waitFor();
    await second.close();
  });

if (inject("isThorough"))
  test("stays on the current page if the code of a page that the user has left finishes loading later", async () => {
    const second = await page.context().newPage();
    await second.goto(office.address);
    await second.getByRole("heading", { name: "Heute", exact: true }).waitFor();
    const isPlanning = /\/planning-[^/]+\.js$/;
    const left = Promise.withResolvers<void>();
    await second.route(isPlanning, async (route) => {
      await left.promise;
      await route.continue();
    });
    const menu = second.getByRole("navigation", { name: "Menü" });
    const asked = second.waitForRequest(isPlanning);
    await menu.getByRole("link", { name: "Planung" }).click();
    await asked;
    await menu.getByRole("link", { name: "Flotte" }).click();
    await second.getByRole("heading", { name: "Flotte", level: 1 }).waitFor();
    const arrived = second.waitForEvent("requestfinished", (request) => isPlanning.test(request.url()));
    left.resolve();
    await arrived;
    // Time to run the module and to draw the page.
    await second.waitForTimeout(500);
    expect(await second.getByRole("heading", { name: "Flotte", level: 1 }).count()).toBe(1);
    await second.close();
  });

test("shows a desk agent which actions aren't allowed", async () => {
  await page.locator(".person > summary").click();
  await page.getByRole("button", { name: "Abmelden" }).click();
  await office.signInAs("agent");
  expect(await page.getByRole("heading", { name: "Vor dem Start erforderlich" }).count()).toBe(0);
  await page.goto(`${office.address}#/list/users`);
  const administrator = "Ihnen fehlt die Berechtigung für die Verwaltung. Fragen Sie einen Administrator.";
  const manager = "Ihnen fehlt die Berechtigung für Aktionen von Führungskräften. Fragen Sie eine Führungskraft.";
  await page.getByText(administrator).waitFor();
  // Pages without permission have their title and no buttons, not even to try again.
  for (const [path, title, refusal] of [
    ["list/users", "Benutzer", administrator],
    ["signing-certificate", "Signaturzertifikat", administrator],
    ["money/taxRecords", "Belege und Geld", administrator],
    ["fleet/new", "Fahrzeug hinzufügen", manager],
    ["expenses/new", "Ausgabe hinzufügen", manager],
    ["list/seasons/new", "Neue Saison", manager.replace("Aktionen von Führungskräften", "Preisänderungen")],
  ] as const) {
    await page.goto(`${office.address}#/${path}`);
    await page.getByRole("heading", { name: title, level: 1, exact: true }).waitFor();
    await page.getByText(refusal).waitFor();
    expect(await page.locator("main button").count()).toBe(0);
  }
  expect(office.faults()).toEqual([]);
});

test("leads a customer who signs in to the office to the customer page", async () => {
  await page.locator(".person > summary").click();
  await page.getByRole("button", { name: "Abmelden" }).click();
  await page.getByLabel("E-Mail oder Benutzer").fill("customer@acme.test");
  await page.getByLabel("Passwort").fill("Customer-acme-2026!");
  await page.getByRole("button", { name: "Anmelden" }).click();
  await page.getByRole("heading", { name: "Dieser Bereich ist nur für Mitarbeiter." }).waitFor();
  expect(await page.locator("nav, header").count()).toBe(0);
  // The page reports the sign-out while it's in progress.
  await expect.poll(() => page.evaluate("sessionStorage.getItem('office-token')")).toBeNull();
  await office.looksRight("for-staff", BOTH_THEMES);
  await page.getByRole("button", { name: "Anderes Konto verwenden" }).click();
  await page.getByLabel("Passwort").fill("Customer-acme-2026!");
  await page.getByLabel("E-Mail oder Benutzer").fill("customer@acme.test");
  await page.getByRole("button", { name: "Anmelden" }).click();
  await page.getByRole("link", { name: "Meine Reservierungen ansehen" }).click();
  await page.waitForSelector("[data-way=in]");
  expect(office.faults()).toEqual([]);
});
