import { expect, inject, test } from "vitest";
import { BOTH_THEMES, getDateInDays, type Office, useOffice } from "./office-page.ts";

let office: Office;
let page: Office["page"];

const { shows, submit, ask } = useOffice((opened) => {
  ({ office, page } = opened);
});

interface ListedInvoice {
  readonly id: number;
  readonly document_kind: string;
  readonly total_pending: string;
}

interface Created {
  readonly id: number;
}

async function create(path: string, body: object): Promise<Created> {
  const answer = await ask("POST", path, body);
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  const [created] = Object.values(answer.body as Readonly<Record<string, Created>>);
  return created ?? { id: 0 };
}

/** Contract data that the customer enters on the page of the quote. */
const DETAILS: Readonly<Record<string, string>> = {
  customer_document_id: "X1234567L",
  customer_phone: "600700800",
  driver_date_of_birth: "1990-05-05",
  driver_driving_license_number: "B123456",
  driver_driving_license_date: "2012-05-05",
};

test("creates a quote, accepts it and opens its reservation", async () => {
  await page.goto(`${office.address}#/quotes`);
  await page.getByRole("heading", { name: "Angebote" }).waitFor();
  await shows(/Treffer/);
  await office.looksRight("quotes", BOTH_THEMES);
  await page.getByRole("link", { name: "Neues Angebot" }).last().click();
  await page.getByRole("heading", { name: "Neues Angebot" }).waitFor();
  await page.getByLabel("Abholtag").fill(getDateInDays(45));
  await page.getByLabel("Rückgabetag").fill(getDateInDays(48));
  await page.getByRole("radio", { name: /Kompakt.*frei/ }).click();
  await page.getByLabel("Vorname *").fill("Quirin");
  await page.getByLabel("Nachname *").fill("Angerer");
  await page.getByLabel("E-Mail").fill("quirin@example.com");
  await page.getByLabel("Gültig bis *").fill("");
  await page.getByRole("button", { name: /Angebot speichern · / }).click();
  await shows("Füllen Sie dieses Feld aus.");
  await page.getByLabel("Gültig bis *").fill(`${getDateInDays(5)}T18:00`);
  await office.looksRight("new-quote", BOTH_THEMES);
  await page.getByRole("button", { name: /Angebot speichern · / }).click();
  await page.getByRole("heading", { name: /Angebot Q\d{4}-\d{4} · Quirin Angerer/ }).waitFor();
  const price = await page.locator("#price ~ table tfoot td").first().textContent();
  // A change that doesn't affect the price keeps it.
  await page.getByRole("link", { name: "Angebot ändern" }).click();
  await page.getByLabel("Telefon").fill("600 700 800");
  await page.getByRole("button", { name: `Angebot speichern · ${price}` }).click();
  await page.locator(".panel a", { hasText: /600.?700.?800/ }).waitFor();
  await page.getByRole("button", { name: "Angebot senden" }).click();
  expect(await page.locator(".sheet [name=email]").inputValue()).toBe("quirin@example.com");
  await submit();
  await shows("Angebot gesendet");
  await page.locator(".title .state", { hasText: "Gesendet" }).waitFor();
  await office.looksRight("quote", BOTH_THEMES);
  // The search finds it by its number.
  const number = /Q\d{4}-\d{4}/.exec((await page.locator("h1").textContent()) ?? "")?.[0] ?? "";
  await page.keyboard.press("/");
  await page.keyboard.type(number);
  await page.getByRole("option", { name: new RegExp(number) }).waitFor();
  await page.keyboard.press("Escape");
  // The customer accepts on the page of the link.
  const id = /quotes\/(\d+)/.exec(page.url())?.[1] ?? "";
  const { link } = ((await ask("GET", `/quotes/${id}`)).body as { readonly quote: { readonly link: string } }).quote;
  const customer = await page.context().newPage();
  await customer.goto(link);
  for (const input of await customer.locator("form[action$=accept] fieldset input").all()) {
    const name = (await input.getAttribute("name")) ?? "";
    await input.fill(DETAILS[name] ?? "");
  }
  await customer.locator("form[action$=accept] button").click();
  await customer.locator("form[action$=accept]").waitFor({ state: "detached" });
  await customer.close();
  await page.reload();
  await page.locator(".title .state", { hasText: "Angenommen" }).waitFor();
  await page.getByRole("link", { name: /Reservierung \d+ ansehen/ }).click();
  await page.getByRole("heading", { name: /Reservierung \d+ · Quirin Angerer/ }).waitFor();
  expect(await page.locator("#price ~ table tfoot td").first().textContent()).toBe(price);
});

if (inject("isThorough"))
  test("duplicates a quote and declines it with a reason", async () => {
    const quote = await create("/quotes", {
      ...{ date_from: getDateInDays(50), time_from: "10:00", date_to: getDateInDays(52), time_to: "10:00" },
      ...{ pickup_place: 1, return_place: 1, category_code: "COMP", valid_until: `${getDateInDays(3)}T12:00` },
      customer: { name: "Rosa", surname: "Absage" },
    });
    await page.goto(`${office.address}#/quotes/${quote.id}`);
    await page.getByRole("button", { name: "Als abgelehnt markieren" }).click();
    await submit();
    await shows("Füllen Sie dieses Feld aus.");
    await page.getByLabel("Grund der Ablehnung *").fill("Fährt mit der Bahn");
    await submit();
    await shows("Angebot abgelehnt");
    await page.locator(".facts", { hasText: "Fährt mit der Bahn" }).waitFor();
    await page.getByRole("button", { name: "Angebot duplizieren" }).click();
    await page.getByLabel("Gültig bis *").fill(`${getDateInDays(6)}T12:00`);
    await submit();
    await page.locator(".title .state", { hasText: "Entwurf" }).waitFor();
    expect(page.url()).not.toMatch(new RegExp(`/quotes/${quote.id}$`));
  });

if (inject("isThorough"))
  test("invoices reservations of one payer together after a preview", async () => {
    const payer = await create("/customers", {
      ...{ customer_type: "legal_entity", name: "Sammel Bau SL", document_id: "B12345674", payment_terms_days: 30 },
      ...{ address_street: "Carrer Major", address_number: "1", address_city: "Palma", address_zip: "07001" },
      ...{ address_state: "Illes Balears", address_country: "ES", origin_country: "ES" },
    });
    const names = ["Eins", "Zwei"];
    for (const name of names)
      await create("/reservations", {
        ...{ date_from: getDateInDays(55), time_from: "10:00", date_to: getDateInDays(57), time_to: "10:00" },
        ...{ pickup_place: 1, return_place: 1, category_code: "COMP", billing_customer_id: payer.id },
        customer: { name: "Firma", surname: name, email: `${name.toLowerCase()}@example.com` },
      });
    await page.goto(`${office.address}#/customers/${payer.id}`);
    await page.getByRole("link", { name: "Sammelrechnung" }).click();
    await shows("2 Reservierungen noch nicht abgerechnet");
    await page.getByLabel("Alle auswählen").check();
    await page.getByRole("button", { name: "Vorschau der Rechnung für 2 Reservierungen" }).click();
    await page.locator(".document-preview", { hasText: "Sammel Bau SL" }).waitFor();
    await office.looksRight("collective-invoice", BOTH_THEMES);
    // Another choice needs another preview.
    await page.locator("[name^=reservation-]").first().uncheck();
    await page.getByRole("button", { name: "Vorschau der Rechnung für 1 Reservierung", exact: true }).waitFor();
    await page.locator("[name^=reservation-]").first().check();
    await page.getByRole("button", { name: /Rechnung ausstellen · / }).click();
    await shows(/Rechnung \S+ ausgestellt\./);
    await shows("Alle Reservierungen dieses Rechnungsempfängers sind abgerechnet.");
    await page.getByRole("link", { name: "Beleg anzeigen" }).click();
    await page.locator(".folds", { hasText: "Sammel Bau SL" }).waitFor();
    await page.locator(".row-menu > summary").first().click();
    await page.getByRole("button", { name: /Rechnungskorrektur ausstellen: / }).click();
    await page.locator(".sheet .document-preview tfoot", { hasText: "−" }).waitFor();
    // The tax of an unpaid debt is credited contract by contract.
    await page.locator(".sheet [name=reason]").selectOption("bad_debt");
    await page.locator(".sheet .document-preview").waitFor({ state: "detached" });
    await submit();
    await page.locator(".sheet .problem", { hasText: "Füllen Sie dieses Feld aus." }).waitFor();
    await page.getByLabel("Mietvertrag *").selectOption({ index: 1 });
    await page.locator(".sheet .document-preview tfoot tr", { hasText: "Nettobetrag" }).getByText("0,00").waitFor();
    await office.looksRight("credit-unpaid-debt", BOTH_THEMES);
    await submit();
    await shows(/Rechnungskorrektur ausgestellt/);
    // Another user records a payment, which the list doesn't show.
    const { data } = (await ask("GET", `/documents?customer_id=${payer.id}`)).body as {
      readonly data: readonly ListedInvoice[];
    };
    const invoice = data.find(({ document_kind: kind }) => kind === "full");
    const paid = await ask("POST", `/documents/${invoice?.id}/charges`, { amount: "10.00", payment_method_id: "cash" });
    expect(paid.status).toBe(201);
    await page.getByRole("button", { name: /Zahlung erfassen: / }).click();
    const pending = (Number(invoice?.total_pending) - 10).toFixed(2).replace(".", ",");
    await expect.poll(() => page.locator(".sheet [name=amount]").inputValue()).toBe(pending);
    await submit();
    await shows(/Zahlung erfasst/);
    expect(office.faults()).toEqual([]);
  });

if (inject("isThorough"))
  test("creates a payment link and a card hold, previews an invoice, and marks a customer as do not rent", async () => {
    const { id } = await create("/reservations", {
      ...{ date_from: getDateInDays(65), time_from: "10:00", date_to: getDateInDays(67), time_to: "10:00" },
      ...{ pickup_place: 1, return_place: 1, category_code: "COMP" },
      customer: { name: "Lina", surname: "Karte", email: "lina@example.com" },
    });
    await page.goto(`${office.address}#/reservations/${id}`);
    await page.getByRole("button", { name: "Zahlungslink erstellen" }).click();
    await office.looksRight("payment-link", BOTH_THEMES);
    await submit();
    await page.locator(".money", { hasText: "Zahlungslinks" }).waitFor();
    await page.getByRole("button", { name: "Kaution per Link vorautorisieren" }).click();
    const due = await page.locator(".sheet [name=amount]").inputValue();
    await page.locator(".sheet [name=amount]").fill("99999");
    await submit();
    await page.locator(".sheet .problem", { hasText: `Geben Sie höchstens ${due}` }).waitFor();
    await page.locator(".sheet [name=amount]").fill(due);
    await submit();
    await page.locator(".money .state", { hasText: "Wartet auf den Kunden" }).waitFor();
    await office.looksRight("card-holds", BOTH_THEMES);
    await page.getByRole("button", { name: "Link deaktivieren" }).last().click();
    await page.locator(".money .state", { hasText: "Storniert" }).waitFor();
    // Before the hand-over, the contract comes first, and the invoice is in the menu.
    const documents = page.getByRole("region", { name: "Belege" });
    expect(await documents.locator("button:visible").allInnerTexts()).toEqual(["Vertrag ansehen"]);
    await documents.locator(".row-menu > summary").click();
    await page.getByRole("button", { name: "Rechnung ausstellen" }).click();
    await page.locator(".sheet .document-preview", { hasText: "Lina Karte" }).waitFor();
    await page.keyboard.press("Escape");
    const { body } = await ask("GET", `/reservations/${id}`);
    const customerId = (body as { readonly reservation: { readonly customer_id: number } }).reservation.customer_id;
    await page.goto(`${office.address}#/customers/${customerId}`);
    await page.getByRole("button", { name: "Kunden für Mieten sperren" }).click();
    await page.getByLabel("Grund *").fill("Unbezahlte Rechnung");
    await submit();
    await shows("Nicht an diesen Kunden vermieten: Unbezahlte Rechnung");
    await page.goto(`${office.address}#/reservations/${id}`);
    await shows("Nicht an diesen Kunden vermieten: Unbezahlte Rechnung");
  });

test("warns that a captured amount without a charge is owed to the customer, and links to the vehicle's return", async () => {
  const { id } = await create("/reservations", {
    ...{ date_from: getDateInDays(66), time_from: "10:00", date_to: getDateInDays(68), time_to: "10:00" },
    ...{ pickup_place: 1, return_place: 1, category_code: "COMP" },
    customer: { name: "Karl", surname: "Karte", email: "karl@example.com" },
  });
  // A gateway authorised the hold, and the vehicle is on rent.
  const hold = {
    ...{ id: 99, amount: "300.00", status: "authorised", captured_amount: "0.00", expires_at: null },
    ...{ gateway: "stripe", payment_link_id: 0, action: null, problem: null, created: "2030-06-01 10:00" },
  };
  const path = new RegExp(`/office/reservations/${id}$`);
  const detail = (await ask("GET", `/reservations/${id}`)).body as { readonly reservation: object };
  const reservation = { ...detail.reservation, status: "in_progress", allowed: ["collect"] };
  await page.route(path, (route) => route.fulfill({ json: { ...detail, reservation, holds: [hold] } }));
  const capture = { amount: "80.00", released: "220.00", total_pending: "0.00", credit: "80.00" };
  await page.route(/\/holds\/99\/capture\/quote$/, (route) => route.fulfill({ json: { capture } }));
  await page.goto(`${office.address}#/reservations/${id}`);
  await page.getByRole("button", { name: "Kartenvorautorisierung einziehen" }).click();
  await page.locator(".sheet [name=amount]").fill("80");
  const notice = page.locator(".sheet .notice", { hasText: "der Vorautorisierung sind nicht berechnet" });
  await notice.waitFor();
  await office.looksRight("capture-uncharged", BOTH_THEMES);
  await notice.getByRole("link", { name: "Rückgabe erfassen" }).click();
  await page.waitForURL(/\/collect$/);
  await page.locator(".sheet [name=kilometres]").waitFor();
  await page.unroute(path);
  await page.keyboard.press("Escape");
});

test("changes a message template with a preview, and resets it", async () => {
  await page.goto(`${office.address}#/message-templates`);
  await page.getByRole("heading", { name: "Nachrichtenvorlagen" }).waitFor();
  await page.locator("select[name=template_language]").selectOption("de");
  const thanks = page.getByRole("region", { name: "Danke", exact: true });
  await thanks.getByText("Standardtext").waitFor();
  await office.looksRight("message-templates", BOTH_THEMES);
  await thanks.getByRole("button", { name: "Text ändern" }).click();
  await page.getByLabel("Text *").fill("Bis bald, {name}!");
  await page.getByRole("region", { name: "Vorschau" }).getByText("Bis bald, Ana!").waitFor();
  await page.getByRole("button", { name: "Speichern" }).click();
  await thanks.getByText("Eigener Text").waitFor();
  await thanks.getByText("Bis bald, {name}!").waitFor();
  await thanks.getByRole("button", { name: "Auf Standardtext zurücksetzen" }).click();
  await thanks.getByText("Standardtext").waitFor();
});
