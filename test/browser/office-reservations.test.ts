import { expect, inject, test } from "vitest";
import { BOTH_THEMES, getDateInDays, type Office, useOffice } from "./office-page.ts";

let office: Office;
let page: Office["page"];
let token: string;

const { shows } = useOffice((opened) => {
  ({ office, page, token } = opened);
});

interface ReservationAnswer {
  readonly id: number;
  readonly version: number;
  readonly date_to: string;
  readonly time_to: string;
  readonly total_cost: string;
  readonly units: readonly { readonly id: number; readonly reference: string | null }[];
}

async function read(id: number): Promise<ReservationAnswer> {
  const { body } = await office.ask("GET", `/api/v1/office/reservations/${id}`, { token });
  return (body as { readonly reservation: ReservationAnswer }).reservation;
}

/** Creates a confirmed reservation, as another desk would. */
async function book(days: number, name: string): Promise<ReservationAnswer> {
  const { status, body } = await office.ask("POST", "/api/v1/office/reservations", {
    token,
    body: {
      date_from: getDateInDays(days),
      time_from: "10:00",
      date_to: getDateInDays(days + 3),
      time_to: "10:00",
      pickup_place: 1,
      return_place: 1,
      category_code: "COMP",
      customer: { name, surname: "Brandt", email: `${name.toLowerCase()}@example.com` },
    },
  });
  expect([status, body]).toEqual([201, expect.anything()]);
  return (body as { readonly reservation: ReservationAnswer }).reservation;
}

interface Sent {
  readonly results: readonly { readonly state: string }[];
}

/** Uploads a solid-colour picture for a booking like the app. Returns its name. */
const sendPicture = (id: number, colour: string) =>
  page.evaluate<string>(
    `(async () => {
    const canvas = new OffscreenCanvas(320, 240);
    const context = canvas.getContext("2d");
    context.fillStyle = "${colour}";
    context.fillRect(0, 0, 320, 240);
    const bytes = await (await canvas.convertToBlob({ type: "image/jpeg" })).arrayBuffer();
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const hash = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const headers = { Authorization: ${JSON.stringify(token)}, "Content-Type": "image/jpeg" };
    await fetch("/api/v1/booking/${id}/check-in-files/" + hash, { method: "PUT", headers, body: bytes });
    return hash;
  })()`,
  );

// Proves "office.md": Today: tasks with their actions, deliveries and returns
test("shows today's pending tasks, pickups and returns with their actions", async () => {
  await shows(/Abholungen? heute/);
  await page.getByRole("link", { name: "Rückgabe erfassen" }).first().waitFor();
  await office.looksRight("day", BOTH_THEMES);
  await page.setViewportSize({ width: 340, height: 800 });
  const indents = await page.evaluate<readonly number[]>(`[...document.querySelectorAll(".goings .phone")]
    .filter((phone) => phone.offsetTop > phone.previousElementSibling.offsetTop + 4)
    .map((phone) => phone.getBoundingClientRect().left - phone.parentElement.getBoundingClientRect().left)`);
  expect(indents.length).toBeGreaterThan(0);
  expect(indents.filter((indent) => indent !== 0)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 1000 });
});

// Proves "office.md": A new reservation by keyboard; input is kept
test("creates a reservation by keyboard only, and keeps typed input on a reload", async () => {
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await page.getByRole("heading", { name: "Reservierungen" }).waitFor();
  await shows(/Treffer/);
  await office.looksRight("reservations", BOTH_THEMES);
  await page.keyboard.press("n");
  await page.getByRole("heading", { name: "Neue Reservierung" }).waitFor();
  expect(await page.evaluate("document.activeElement.name")).toBe("date_from");
  await page.getByLabel("Abholtag").fill(getDateInDays(50));
  await page.getByLabel("Rückgabetag").fill(getDateInDays(53));
  await page.getByLabel("Vorname *").fill("Nora");
  await page.reload();
  await page.getByRole("heading", { name: "Neue Reservierung" }).waitFor();
  expect(await page.getByLabel("Vorname *").inputValue()).toBe("Nora");
  // Without category and surname, both are marked and the first gets the focus.
  await page.keyboard.press("Control+Enter");
  await shows("Korrigieren Sie die markierten Felder");
  await page.getByRole("radio", { name: /Kompakt.*frei/ }).focus();
  await page.keyboard.press("Space");
  await page.getByLabel("Kunden suchen").focus();
  await page.keyboard.type("zzzzz");
  await shows("Kein passender Kunde");
  await page.keyboard.press("Escape");
  await page.getByLabel("Nachname *").focus();
  await page.keyboard.type("Keller");
  await page.getByRole("button", { name: /Reservierung anlegen · / }).waitFor();
  await office.looksRight("new-reservation", BOTH_THEMES);
  const price = (await page.locator(".summary tfoot td").first().textContent()) ?? "none";
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: /Reservierung \d+ · Nora Keller/ }).waitFor();
  expect(await page.locator("#price ~ table tfoot td").textContent()).toBe(price);
  expect((await page.locator(".title .state").first().textContent())?.trim()).toBe("Bestätigt");
  await office.looksRight("reservation", BOTH_THEMES);
});

// Proves "office.md": An action shows its quote first; changes of others are shown next to the user's
test("shows the fee before cancelling, requires a reason and shows conflicting changes", async () => {
  const id = Number(/\/(\d+)/.exec(page.url().split("#")[1] ?? "")?.[1]);
  await page.getByRole("button", { name: "Reservierung stornieren" }).click();
  await page.locator(".outcome dt", { hasText: "Gebühr" }).waitFor();
  await office.looksRight("cancel", BOTH_THEMES);
  await page.locator(".sheet [type=submit]").click();
  await shows("Füllen Sie dieses Feld aus.");
  const { version } = await read(id);
  const body = { expected_version: version, notes: "Kommt mit der Fähre" };
  expect((await office.ask("PATCH", `/api/v1/office/reservations/${id}`, { token, body })).status).toBe(200);
  await page.getByLabel("Grund *").fill("Flug fällt aus");
  await page.locator(".sheet [type=submit]").click();
  await shows("Vorher");
  await page.locator(".beside-table", { hasText: "Kommt mit der Fähre" }).waitFor();
  await page.locator(".sheet [type=submit]").click();
  await shows("Reservierung storniert");
  await shows("“Flug fällt aus”");
});

test("scrolls to the changes of another user when a long form can't be saved because of them", async () => {
  const { id, version } = await book(82, "Petra");
  await page.goto(`${office.address}#/reservations/${id}`);
  await page.getByRole("button", { name: "Reservierung ändern" }).click();
  await page.locator(".sheet textarea").last().fill("Kommt mit Hund");
  const body = { expected_version: version, customer: { document_id: "X7654321L" } };
  expect((await office.ask("PATCH", `/api/v1/office/reservations/${id}`, { token, body })).status).toBe(200);
  await page.locator(".sheet [type=submit]").click();
  const conflict = page.locator(".sheet .beside-table");
  await conflict.waitFor();
  await expect.poll(async () => (await conflict.boundingBox())?.y ?? -1).toBeGreaterThan(0);
  await page.locator(".sheet [type=submit]").click();
  await shows("Reservierung geändert");
});

test("shows the allowed range next to a discount while it is typed", async () => {
  const { id } = await book(83, "Doris");
  await page.goto(`${office.address}#/reservations/${id}`);
  await page.getByRole("button", { name: "Rabatt geben" }).click();
  await page.locator('[name="discount.value"]').fill("150");
  const field = page.locator(".sheet .field", { has: page.locator('[name="discount.value"]') });
  await field.getByText("Geben Sie einen Prozentsatz von 0 bis 100").waitFor();
  expect(await page.locator(".sheet .notice.refused").count()).toBe(0);
  await page.locator('[name="discount.value"]').fill("10");
  await page.locator(".sheet .outcome").waitFor();
  expect(await field.locator(".problem").count()).toBe(0);
  await page.keyboard.press("Escape");
});

test("shows another user's change next to a typed discount, and saves the discount with the next click", async () => {
  const { id, version, total_cost: total } = await book(84, "Dieter");
  await page.goto(`${office.address}#/reservations/${id}`);
  await page.getByRole("button", { name: "Rabatt geben" }).click();
  await page.locator('[name="discount.value"]').fill("10");
  await page.locator('[name="discount.reason"]').fill("Stammgast");
  const body = { expected_version: version, notes: "Kommt mit dem Zug" };
  expect((await office.ask("PATCH", `/api/v1/office/reservations/${id}`, { token, body })).status).toBe(200);
  await page.locator(".sheet [type=submit]").click();
  await page.locator(".sheet .beside-table", { hasText: "Kommt mit dem Zug" }).waitFor();
  await page.locator(".sheet [type=submit]").click();
  await shows("Rabatt gespeichert");
  expect(Number((await read(id)).total_cost)).toBeLessThan(Number(total));
});

test("shows another user's change next to the chosen agent, and saves the agent with the next click", async () => {
  const { id, version } = await book(85, "Agnes");
  await page.goto(`${office.address}#/reservations/${id}`);
  await page.getByRole("button", { name: "Vermittler zuordnen" }).click();
  await page.locator('.sheet [name="agent_id"]').selectOption({ index: 1 });
  const body = { expected_version: version, notes: "Kommt zu zweit" };
  expect((await office.ask("PATCH", `/api/v1/office/reservations/${id}`, { token, body })).status).toBe(200);
  await page.locator(".sheet [type=submit]").click();
  await page.locator(".sheet .beside-table", { hasText: "Kommt zu zweit" }).waitFor();
  await page.locator(".sheet [type=submit]").click();
  await page.locator(".sheet").waitFor({ state: "detached" });
  expect(await read(id)).toMatchObject({ agent_id: expect.any(Number), notes: "Kommt zu zweit" });
});

test("records a payment and a deposit at the desk, and issues the draft invoice", async () => {
  const { id, total_cost, version } = await book(80, "Paula");
  const otherChange = { expected_version: version, customer: { document_id: "X1234567L" } };
  expect((await office.ask("PATCH", `/api/v1/office/reservations/${id}`, { token, body: otherChange })).status).toBe(
    200,
  );
  const draft = { request_id: `browser-draft-${id}`, issued: false };
  expect((await office.ask("POST", `/api/v1/booking/${id}/documents`, { token, body: draft })).status).toBe(200);
  await page.goto(`${office.address}#/reservations/${id}`);
  await shows("Paula Brandt");
  await page.locator(".changes li", { hasText: /: Ausweisnummer$/ }).waitFor();
  await page.getByRole("button", { name: "Zahlung erfassen" }).click();
  const sheet = page.locator(".sheet");
  expect(await sheet.getByLabel("Betrag *").inputValue()).toBe(total_cost.replace(".", ","));
  await sheet.locator("[type=submit]").click();
  await shows("Füllen Sie dieses Feld aus.");
  await sheet.getByLabel("Zahlungsart *").selectOption("cash");
  await office.looksRight("take-money", BOTH_THEMES);
  // The payment is recorded although its result can't be loaded. Advising a retry would record it twice.
  const detailPath = new RegExp(`/office/reservations/${id}$`);
  await page.route(detailPath, (route) => route.abort());
  await sheet.locator("[type=submit]").click();
  await shows("Zahlung erfasst.");
  const staleNotice = page.getByRole("alert").filter({ hasText: "Die Daten können älter sein." });
  await staleNotice.waitFor();
  await page.unroute(detailPath);
  await staleNotice.getByRole("button", { name: "Erneut versuchen" }).click();
  await staleNotice.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Zahlung erfassen" }).click();
  await sheet.getByLabel("Art *", { exact: true }).selectOption("deposit_returned");
  await sheet.getByLabel("Betrag *").fill("50");
  await sheet.getByLabel("Zahlungsart *").selectOption("cash");
  await sheet.locator("[type=submit]").click();
  await shows("Der Betrag ist höher als die hinterlegte Kaution. Geben Sie einen niedrigeren ein.");
  await sheet.getByLabel("Art *", { exact: true }).selectOption("deposit_received");
  await sheet.locator("[type=submit]").click();
  await sheet.waitFor({ state: "detached" });
  const { body } = await office.ask("GET", `/api/v1/booking/${id}/documents`, { token });
  expect(body).toMatchObject({ deposit_held: "50.00", charges: [{ amount: total_cost }, { amount: "50.00" }] });
  await page.getByRole("button", { name: /Beleg ausstellen/ }).click();
  await sheet.locator(".document-preview", { hasText: total_cost.replace(".", ",") }).waitFor();
  await sheet.locator("[type=submit]").click();
  await shows("Entwurf: Der Beleg ist ausgestellt.");
  const history = await page.locator(".timeline .changes").allInnerTexts();
  const historyText = history.join("\n");
  for (const expectedText of [
    "Zahlungsbuchung: Zahlung",
    "Zahlungsbuchung: Kaution erhalten",
    "Betrag: 50,00",
    "Rechnungsart: Rechnung",
    "Ausgestellt: Nein",
  ])
    expect(historyText).toContain(expectedText);
  expect(historyText).not.toMatch(/charge|deposit|reservation_|issued|^: /m);
});

test("proposes the current balance in payment forms, even if the open page lacks another user's payment", async () => {
  const { id, total_cost: total } = await book(81, "Petra");
  await page.goto(`${office.address}#/reservations/${id}`);
  await shows("Petra Brandt");
  const pay = (key: string, kind: string, amount: string) =>
    office.ask("POST", `/api/v1/booking/${id}/charges`, {
      token,
      body: { request_id: `${key}-${id}`, kind, amount, payment_method_id: "cash" },
    });
  const amount = page.locator(".sheet [name=amount]");
  const open = async (name: string, cents: number) => {
    await page.getByRole("button", { name, exact: true }).click();
    await expect.poll(() => amount.inputValue()).toBe((cents / 100).toFixed(2).replace(".", ","));
    await page.keyboard.press("Escape");
    await amount.waitFor({ state: "detached" });
  };
  const cents = Math.round(Number(total) * 100);
  expect((await pay("first", "charge", "10.00")).status).toBe(200);
  await open("Zahlung erfassen", cents - 1000);
  expect((await pay("second", "charge", "5.50")).status).toBe(200);
  await open("Zahlungslink erstellen", cents - 1550);
});

// Proves "office.md": An action on an ended reservation shows it, and the page is updated
if (inject("isThorough"))
  test("shows the new status after an action on a reservation that ended in the meantime", async () => {
    const { id, version } = await book(70, "Greta");
    await page.goto(`${office.address}#/reservations/${id}`);
    await shows("Greta Brandt");
    const body = { expected_version: version, reason: "Am Telefon" };
    const ended = await office.ask("POST", `/api/v1/office/reservations/${id}/cancel`, { token, body });
    expect(ended.status).toBe(200);
    await page.getByRole("button", { name: "Reservierung stornieren" }).click();
    await shows("Nur eine unbestätigte oder bestätigte Reservierung kann storniert werden.");
    await page.locator(".beside-table", { hasText: "Storniert" }).waitFor();
    await page.getByRole("button", { name: "Zurück", exact: true }).click();
    await page.locator(".title .state", { hasText: "Storniert" }).waitFor();
  });

// Proves "office.md": The button shows the difference
test("extends a rental in progress at the difference that was shown", async () => {
  const listed = await office.ask("GET", "/api/v1/office/reservations?status=in_progress&kind=rental&page_size=50", {
    token,
  });
  const out = (listed.body as { readonly data: readonly ReservationAnswer[] }).data.filter(
    ({ date_to }) => date_to > getDateInDays(1),
  );
  let id = 0;
  let longer = "";
  for (const reservationAnswer of out) {
    longer = new Date(Date.parse(reservationAnswer.date_to) + 2 * 86_400_000).toISOString().slice(0, 10);
    const body = { move: "extend", date_to: longer, time_to: reservationAnswer.time_to };
    const quoted = await office.ask("POST", `/api/v1/office/reservations/${reservationAnswer.id}/quote`, {
      token,
      body,
    });
    id = reservationAnswer.id;
    if ((quoted.body as { readonly allowed: boolean }).allowed) break;
  }
  const { date_to: agreed } = await read(id);
  const nextDay = new Date(Date.parse(agreed) + 86_400_000).toISOString().slice(0, 10);
  await page.goto(`${office.address}#/reservations/${id}/extend`);
  expect(await page.getByLabel("Rückgabetag").inputValue()).toBe(nextDay);
  await page.getByLabel("Rückgabetag").fill(agreed);
  await shows("Die neue Rückgabe ist nicht später als vereinbart. Wählen Sie eine spätere Zeit.");
  expect(await page.locator(".sheet [type=submit]").isDisabled()).toBe(true);
  await page.getByLabel("Rückgabetag").fill(longer);
  await page.locator(".sheet [type=submit]", { hasText: "Verlängern · +" }).click();
  await shows("Miete verlängert");
  expect((await read(id)).date_to).toBe(longer);
});

test("charges a closed contract for a later fine with a separate invoice and that amount due", async () => {
  const listed = await office.ask("GET", "/api/v1/office/reservations?status=done&kind=rental&page_size=1", { token });
  const [closed] = (listed.body as { readonly data: readonly ReservationAnswer[] }).data;
  const id = closed?.id ?? 0;
  await page.goto(`${office.address}#/reservations/${id}/surcharge`);
  await shows("Berechnet nach dem Abschluss");
  await page.getByLabel("Wofür berechnet wird").selectOption("FINE");
  await page.getByLabel("Text auf der Rechnung").fill("2030/123");
  await page.getByLabel("Einzelpreis").fill("45,50");
  await page.locator(".sheet [type=submit]", { hasText: "Kosten nachberechnen · +45,50" }).waitFor();
  await office.looksRight("surcharge", BOTH_THEMES);
  await page.locator(".sheet [type=submit]").click();
  await shows("Füllen Sie dieses Feld aus.");
  await page.getByLabel("Grund").fill("Kam mit der Post");
  await page.locator(".sheet [type=submit]").click();
  await shows("Kosten nachberechnet und Rechnung ausgestellt");
  await page.locator(".sums", { hasText: "Gestión de multa: 2030/123" }).waitFor();
  await page.locator(".timeline", { hasText: "Nachberechnete Kosten: Gestión de multa: 2030/123" }).waitFor();
  expect((Number((await read(id)).total_cost) - Number(closed?.total_cost)).toFixed(2)).toBe("45.50");
});

// Proves "office.md: lists and forms": A reservation is invoiced on its page, a transfer too; histories are in words
test("invoices a transfer at the desk without a hand-over, with a readable history", async () => {
  const createdTransfer = await office.ask("POST", "/api/v1/office/transfers", {
    token,
    body: {
      transfer: {
        outward: { date: getDateInDays(40), time: "11:00", origin_point_id: 1, destination_point_id: 2 },
        ...{ transfer_vehicle_id: 1, adults: 2 },
      },
      customer: { name: "Ulla", surname: "Brandt" },
    },
  });
  const { id, total_cost: amount } = (createdTransfer.body as { readonly reservation: ReservationAnswer }).reservation;
  const body = { request_id: `transfer-${id}`, kind: "charge", amount, payment_method_id: "cash" };
  expect((await office.ask("POST", `/api/v1/booking/${id}/charges`, { token, body })).status).toBe(200);
  await page.goto(`${office.address}#/reservations/${id}`);
  await page.getByRole("button", { name: "Rechnung ausstellen" }).click();
  await office.looksRight("invoice", BOTH_THEMES);
  await page.getByLabel("Betrag der Anzahlung").fill("9999");
  await page.locator(".sheet [type=submit]").click();
  await shows("Der Betrag ist höher als der offene Betrag. Geben Sie einen niedrigeren ein.");
  await page.getByLabel("Betrag der Anzahlung").fill("");
  await page.locator(".sheet [type=submit]").click();
  await shows("Rechnung ausgestellt");
  await page.locator(".timeline", { hasText: "Rechnungsart: Rechnung" }).waitFor();
  await page.locator(".timeline", { hasText: "Betrag:" }).waitFor();
  expect(await page.locator(".timeline").textContent()).not.toMatch(/charge|reservation_|issued/);
});

// Proves "office.md": The board: dragged to a vehicle and undone, moved by keys with its quote
// Proves "accessibility.md": A10
test("drags a contract to a vehicle and back on the planning board, and moves it by keyboard", async () => {
  const { id } = await book(60, "Jonas");
  const board = `#/planning?from=${getDateInDays(59)}&days=7&storage=1&category=COMP`;
  await page.goto(`${office.address}${board}`);
  const bar = page.locator(".unassigned .bar button", { hasText: "Jonas Brandt" });
  await bar.waitFor();
  await office.looksRight("planning", BOTH_THEMES);
  // Skips the vehicle that another test moves to another island.
  const row = page.locator('[data-row^="v-"]:not([data-row="v-COMP-78"])').first();
  const reference = ((await row.getAttribute("data-row")) ?? "").slice(2);
  // Its position after all animations.
  await bar.hover({ position: { x: 40, y: 10 } });
  const [from, to] = [await bar.boundingBox(), await row.boundingBox()];
  if (!from || !to) throw new Error("nothing to drag");
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 30, { steps: 3 });
  await page.mouse.move(from.x + 40, to.y + 15, { steps: 3 });
  await page.mouse.up();
  await page.locator(".vehicle .bar button", { hasText: "Jonas Brandt" }).waitFor();
  expect((await read(id)).units[0]?.reference).toBe(reference);
  await page.getByRole("button", { name: "Rückgängig" }).click();
  await shows("Änderung rückgängig gemacht");
  await bar.waitFor();
  expect((await read(id)).units[0]?.reference).toBeNull();
  // Moves the return by a day with the keyboard. The price is shown first, and Escape cancels.
  await bar.focus();
  await page.keyboard.press("e");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.locator(".sheet .foot .main:enabled", { hasText: "Reservierung ändern" }).waitFor();
  await page.locator(".outcome", { hasText: "4 Tage" }).waitFor();
  await page.keyboard.press("Escape");
  expect((await read(id)).date_to).toBe(getDateInDays(63));
});

// Proves "office.md": Photos of delivery and return are shown side by side
// Proves "check-in.md": P10
if (inject("isThorough"))
  test("shows hand-over and return photos side by side", async () => {
    const { id, version } = await book(75, "Vera");
    const vehicleSearch = await office.ask("GET", "/api/booking-items-search?category_code=COMP&rental_storage_id=1", {
      token,
    });
    const vehicles = (vehicleSearch.body as { readonly data: readonly { reference: string; state: string }[] }).data;
    const vehicle = vehicles.findLast(({ state }) => state === "free")?.reference;
    const [unit] = (await read(id)).units;
    const work = async (kind: string, seq: number, base: number, colour: string) => {
      const hash = await sendPicture(id, colour);
      const now = new Date().toISOString();
      const { body } = await office.ask("POST", "/api/v1/booking/check-in-operations", {
        token,
        body: {
          ...{ op_id: crypto.randomUUID(), device_id: "pictures-phone", seq, kind, booking_id: id },
          ...{ resource_id: unit?.id, base_version: base, recorded_at: now, vehicle_reference: vehicle },
          photos: [{ hash, view: "front", taken_at: now }],
        },
      });
      expect((body as Sent).results[0]).toMatchObject({ state: expect.stringMatching(/applied|conflict/) });
    };
    await work("delivery", 1, version, "#2a6");
    await work("collection", 2, version + 1, "#a62");
    await page.goto(`${office.address}#/reservations/${id}`);
    await page.reload();
    const row = page.locator(".photos tbody tr").first();
    await row.locator("td img").nth(1).waitFor();
    expect(await row.locator("td img").count()).toBe(2);
    await office.looksRight("photos", BOTH_THEMES);
  });

// Proves "office.md": Actions without permission aren't offered, and the page names who may do them
if (inject("isThorough"))
  test("shows desk agents which actions their role doesn't allow, and lets them do the rest", async () => {
    await page.locator(".person > summary").click();
    await page.getByRole("button", { name: "Abmelden" }).click();
    await office.signInAs("agent");
    await page.goto(`${office.address}#/reservations?status=done&kind=rental`);
    await page.locator(".folds tbody a").first().click();
    await shows("Ihre Rolle erlaubt nicht: Miete wieder öffnen.");
    expect(await page.getByRole("button", { name: "Miete wieder öffnen" }).count()).toBe(0);
    // A discount above the limit is refused once, next to its value: while it is typed and after sending it.
    token = await office.token();
    const { id } = await book(90, "Lena");
    await page.goto(`${office.address}#/reservations/${id}`);
    await page.getByRole("button", { name: "Rabatt geben" }).click();
    const sheet = page.locator(".sheet");
    await sheet.locator('[name="discount.value"]').fill("50");
    await sheet.locator('[name="discount.reason"]').fill("Stammkunde");
    const field = sheet.locator(".field", { has: page.locator('[name="discount.value"]') });
    await field.getByText(/^Dieser Rabatt liegt über Ihrer Grenze/).waitFor();
    expect(await sheet.getByText(/Ihrer Grenze/).count()).toBe(1);
    // The preview has nothing to show, so it isn't an empty bar.
    await sheet.locator(".quote[aria-busy=false]").waitFor({ state: "attached" });
    expect((await sheet.locator(".quote").boundingBox())?.height).toBe(0);
    await sheet.locator("[type=submit]").click();
    await sheet.getByRole("alert").filter({ hasText: "Korrigieren Sie die markierten Felder" }).waitFor();
    expect(await sheet.getByText(/Ihrer Grenze/).count()).toBe(1);
    await page.keyboard.press("Escape");
    expect(office.faults()).toEqual([]);
  });

if (inject("isThorough"))
  test("names the next free date of a sold-out category with one request, and moves the pickup to it", async () => {
    const [from, to] = [getDateInDays(400), getDateInDays(403)];
    const requests: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/free-dates")) requests.push(request.url());
    });
    await page.goto(`${office.address}#/reservations/new?date_from=${from}&date_to=${to}`);
    await page.getByRole("heading", { name: "Neue Reservierung" }).waitFor();
    await page.locator("[name=time_from]").fill("10:00");
    await page.locator("[name=time_to]").fill("10:00");
    await page
      .locator(".choice", { hasText: /\d+,\d\d/ })
      .first()
      .waitFor();
    const category = page.locator(".choice", { has: page.locator("[value=COMP]") });
    await category.getByText("frei", { exact: true }).waitFor();
    expect(requests).toEqual([]);
    const rental = {
      date_from: from,
      time_from: "10:00",
      date_to: to,
      time_to: "10:00",
      pickup_place: 1,
      return_place: 1,
    };
    const customer = { name: "Vera", surname: "Voll", email: "vera@example.com" };
    let status = 201;
    while (status === 201) {
      const body = { ...rental, category_code: "COMP", customer, confirm_new: true };
      ({ status } = await office.ask("POST", "/api/v1/office/reservations", { token, body }));
    }
    expect(status).toBe(409);
    await page.locator("[name=time_to]").fill("10:30");
    await page.locator("[name=time_to]").fill("10:00");
    await category.getByText(/ausgebucht · wieder frei am/).waitFor();
    await category.click();
    await office.looksRight("next-free-date", BOTH_THEMES);
    await page.getByRole("button", { name: /^Übergabe am/ }).click();
    await category.getByText("frei", { exact: true }).waitFor();
    // The proposed day is the other rentals' last day, or the next day if the preparation takes until then.
    expect([to, getDateInDays(404)]).toContain(await page.locator("[name=date_from]").inputValue());
    expect(requests.length).toBe(1);
  });

test("accepts no year of more than four digits in a date", async () => {
  await page.goto(`${office.address}#/reservations/new`);
  const date = page.locator("[name=date_from]");
  await date.focus();
  await page.keyboard.type("1201122026");
  expect(await date.inputValue()).toMatch(/^\d{4}-12-01$/);
});
