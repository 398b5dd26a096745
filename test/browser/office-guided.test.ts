import { expect, inject, onTestFinished, test } from "vitest";
import { getNextPickup } from "#support/company-today.ts";
import { BOTH_THEMES, getDateInDays, type Office, useOffice } from "./office-page.ts";

let office: Office;
let page: Office["page"];
let token = "";

const { shows, press, submit, ask } = useOffice((opened) => {
  ({ office, page, token } = opened);
});

interface Detail {
  readonly reservation: {
    readonly id: number;
    readonly status: string;
    readonly total_cost: string;
    readonly total_pending: string;
    readonly deposit_held: string;
    readonly version: number;
    readonly units: readonly { readonly reference: string | null }[];
  };
  readonly documents: readonly { readonly total: string }[];
  readonly damages: readonly { readonly charged: string | null; readonly part: string }[];
}

const read = async (id: number) => (await ask("GET", `/reservations/${id}`)).body as Detail;

/** Books a rental that begins soon. A new vehicle makes it independent of what the demo has rented at this hour. */
async function book(): Promise<Detail["reservation"]> {
  const vehicle = { reference: "GUIDED-1", name: "Seat León", category_code: "COMP", rental_location_code: "PMI" };
  expect((await ask("POST", "/vehicles", { ...vehicle, fuel: "petrol", usage_units: 10_000 })).status).toBe(201);
  const pickup = getNextPickup();
  const { status, body } = await ask("POST", "/reservations", {
    ...{ date_from: pickup.date, time_from: pickup.time, date_to: getDateInDays(4), time_to: "23:30" },
    ...{ pickup_place: 1, return_place: 1, category_code: "COMP" },
    customer: { name: "Gisela", surname: "Geleit", email: "gisela@example.com", document_id: "X1234567L" },
  });
  expect([status, body]).toEqual([201, expect.anything()]);
  return (body as Detail).reservation;
}

/** Draws a signature with the mouse. */
async function sign(): Promise<void> {
  const pad = page.locator(".signature canvas");
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  if (!box) throw new Error("no signature pad");
  await page.mouse.move(box.x + 30, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 90, { steps: 8 });
  await page.mouse.move(box.x + 220, box.y + 40, { steps: 8 });
  await page.mouse.up();
}

/** Whether something is drawn on the pad, in another colour than its first pixel. */
const HAS_INK = `(() => {
  const pad = document.querySelector(".signature canvas");
  const pixels = new Uint32Array(pad.getContext("2d").getImageData(0, 0, pad.width, pad.height).data.buffer);
  return pixels.some((pixel) => pixel !== pixels[0]);
})()`;

/** Returns the SHA-256 of a text in hexadecimal digits. */
const hashText = async (text: string) =>
  Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toString("hex");

let id = 0;

test("hands a vehicle over step by step, with missing data and proposed payments", async () => {
  ({ id } = await book());
  await page.goto(`${office.address}#/reservations/${id}/deliver`);
  const vehicle = page.locator(".vehicle-options [name=reference]:checked");
  await vehicle.waitFor();
  await office.looksRight("guided-vehicle", BOTH_THEMES);
  // Only vehicles that can leave are offered.
  const { body } = await ask("GET", `/reservations/${id}/vehicles`);
  const listed = (body as { data: readonly { readonly reference: string; readonly can_leave: boolean }[] }).data;
  const offered = await page.evaluate<string[]>(
    "[...document.querySelectorAll('[name=reference]')].map(({ value }) => value)",
  );
  expect(offered.toSorted()).toEqual(
    listed
      .filter(({ can_leave: canLeave }) => canLeave)
      .map(({ reference }) => reference)
      .toSorted(),
  );
  await submit();
  await shows(/Fehlt vor der Übergabe:.*Führerschein/);
  await page.getByLabel("Führerscheinnummer").fill("B7654321");
  await submit();
  await shows(/Fehlt vor der Übergabe:.*Zahlung, Kaution/);
  await submit();
  await shows("Wählen Sie eine Zahlungsart, oder leeren Sie den Betrag");
  await page.locator('[name="payment.method"]').selectOption("credit_card");
  await page.locator('[name="deposit_taken.method"]').selectOption("cash");
  await office.looksRight("guided-money", BOTH_THEMES);
  await submit();
  await shows(/Fehlt vor der Übergabe:.*Unterschrift/);
  // The customer reads the contract above the pad.
  await page
    .locator(".contract-text dt", { hasText: "Fahrer" })
    .or(page.locator(".contract-text h4"))
    .first()
    .waitFor();
  expect(await page.locator(".contract-text section").textContent()).toContain("B7654321");
  await sign();
  await page.locator(".signature").getByText("Unterschrieben").waitFor();
  await page
    .locator(".sheet")
    .getByText(/Fehlt vor der Übergabe:/)
    .waitFor({ state: "detached" });
  await office.looksRight("guided-signature", BOTH_THEMES);
  await press("Unterschrift löschen");
  await page
    .locator(".sheet")
    .getByText(/Fehlt vor der Übergabe:.*Unterschrift/)
    .waitFor();
  await sign();
  await page.locator(".signature").getByText("Unterschrieben").waitFor();
  const uploads: string[] = [];
  page.on("request", (request) => request.method() === "PUT" && uploads.push(request.url()));
  await submit();
  await shows("Fahrzeug übergeben");
  await press("Fertig");
  const signedHash = uploads.at(-1)?.split("/").at(-1);
  expect(uploads).toHaveLength(2);
  const { reservation } = await read(id);
  expect(reservation).toMatchObject({ status: "in_progress", total_pending: "0.00" });
  expect(Number(reservation.deposit_held)).toBeGreaterThan(0);
  // The signature is stored with the hand-over, as one from the check-in app, and with the text above it.
  const work = await office.ask("GET", `/api/v1/booking/${id}/check-in`, { token });
  expect(JSON.stringify(work.body)).toContain('"method":"drawn"');
  const { data } = (await ask("GET", `/reservations/${id}/contract`)).body as {
    readonly data: readonly { readonly text: string; readonly is_signed: boolean }[];
  };
  expect(data.map(({ is_signed: isSigned }) => isSigned)).toEqual([true]);
  expect(await hashText(data[0]?.text ?? "")).toBe(signedHash);
});

test("returns a vehicle early, with its charges and damage priced before the invoice", async () => {
  const before = await read(id);
  const reference = before.reservation.units[0]?.reference ?? "";
  const { body } = await ask("GET", `/vehicles/${reference}`);
  const { usage_units: usage } = (body as { vehicle: { usage_units: number } }).vehicle;
  await press("Rückgabe erfassen");
  await page.getByLabel("Kilometerstand *").fill(String(usage + 10));
  await page.getByLabel("Tankstand *").selectOption("8");
  await page.locator(".early", { hasText: /geplant für .*23:30/ }).waitFor();
  await submit();
  await shows("Wählen Sie den Preis der vorzeitigen Rückgabe.");
  await office.looksRight("guided-early", BOTH_THEMES);
  // A date with its time and the name of a branch need 13rem.
  const widths = await page.evaluate<readonly number[]>(
    `["at", "return_rental_location_code"].map((name) => document.querySelector(".sheet [name=" + name + "]").offsetWidth)`,
  );
  expect(widths.map((width) => width >= 208)).toEqual([true, true]);
  await press("Vereinbarten Preis behalten");
  await submit();
  await press("Schaden hinzufügen");
  await page.locator('[name="damages.0.part"]').selectOption("left_mirror");
  await page.locator('[name="damages.0.code"]').selectOption({ index: 1 });
  await page.locator('[name="damages.0.amount"]').fill("150");
  await page.locator(".quote", { hasText: /Schäden und Extras\s*150,00/ }).waitFor();
  await office.looksRight("guided-damage", BOTH_THEMES);
  // A reopened draft continues at its step.
  await page.goto(`${office.address}#/reservations/${id}/collect`);
  await page.reload();
  await page.locator(".quote", { hasText: /Schäden und Extras\s*150,00/ }).waitFor();
  expect(await page.locator('[name="damages.0.amount"]').inputValue()).toBe("150");
  await submit();
  await page.getByLabel("Offenen Betrag begleichen durch").selectOption("deposit");
  expect(await page.locator('[name="deposit_kept.amount"]').inputValue()).toBe("150,00");
  // The customer reads the return above the pad.
  await page.locator(".contract-text h3").waitFor();
  const record = await page.locator(".contract-text section").textContent();
  expect(record).toContain("150,00");
  expect(record?.replace(/[.\s]/g, "")).toContain(String(usage + 10));
  const uploads: string[] = [];
  page.on("request", (request) => request.method() === "PUT" && uploads.push(request.url()));
  await sign();
  await page.locator(".signature").getByText("Unterschrieben").waitFor();
  await office.looksRight("guided-settlement", BOTH_THEMES);
  await submit();
  await shows("Fahrzeug zurückgegeben");
  await page.locator(".guided-done .rows li").nth(1).waitFor();
  await office.looksRight("guided-documents", BOTH_THEMES);
  await press("Fertig");
  const after = await read(id);
  expect(after.reservation).toMatchObject({ status: "done", total_pending: "0.00", deposit_held: "0.00" });
  expect(Number(after.reservation.total_cost) - Number(before.reservation.total_cost)).toBe(150);
  expect(after.documents.map(({ total }) => total)).toEqual([after.reservation.total_cost]);
  expect(after.damages).toMatchObject([{ part: "left_mirror", charged: "150.00" }]);
  // Both the hand-over and the return are signed, with the texts that were shown.
  const { data } = (await ask("GET", `/reservations/${id}/contract`)).body as {
    readonly data: readonly { readonly text: string; readonly is_signed: boolean }[];
  };
  expect(data.map(({ is_signed: isSigned }) => isSigned)).toEqual([true, true]);
  expect(uploads).toHaveLength(2);
  expect(await hashText(data[1]?.text ?? "")).toBe(uploads[1]?.split("/").at(-1));
  const work = await office.ask("GET", `/api/v1/booking/${id}/check-in`, { token });
  expect(JSON.stringify(work.body).match(/"method":"drawn"/g)).toHaveLength(2);
  // The damage is shown on the reservation with its price and state.
  const damage = page.locator("section", { has: page.getByRole("heading", { name: "Schäden" }) });
  await damage.getByText("Berechnet").waitFor();
  expect(await damage.locator("li").textContent()).toContain("150,00");
  await office.looksRight("guided-closed", BOTH_THEMES);
});

test("asks before a hand-over that is more than a day early, and names the planned pickup", async () => {
  const { status, body } = await ask("POST", "/reservations", {
    ...{ date_from: "2031-03-03", time_from: "10:00", date_to: "2031-03-05", time_to: "10:00" },
    ...{ pickup_place: 1, return_place: 1, category_code: "COMP" },
    customer: { name: "Frida", surname: "Frueh", email: "frida@example.com" },
  });
  expect([status, body]).toEqual([201, expect.anything()]);
  await page.goto(`${office.address}#/reservations/${(body as Detail).reservation.id}/deliver`);
  await shows(/^Geplante Abholung: .*3\. März 2031, 10:00\./);
  await page.locator(".vehicle-options [name=reference]:checked").waitFor();
  await office.looksRight("guided-early-hand-over", BOTH_THEMES);
  await submit();
  await shows("Füllen Sie dieses Feld aus.");
  await page.getByLabel("Früher übergeben, ohne diese Tage zu berechnen").check();
  await submit();
  await page.getByLabel("Führerscheinnummer").waitFor();
  await page.keyboard.press("Escape");
});

if (inject("isThorough"))
  test("reopens a hand-over at its last step, or at the vehicle if the vehicle is now blocked", async () => {
    const booked = await book();
    const open = async () => {
      await page.goto(`${office.address}#/reservations/${booked.id}/deliver`);
      await page.reload();
    };
    await open();
    const vehicle = page.locator(".vehicle-options [name=reference]:checked");
    const reference = await vehicle.inputValue();
    await submit();
    await page.getByLabel("Führerscheinnummer").fill("B7654321");
    await submit();
    const amount = page.locator('[name="payment.amount"]');
    await amount.fill("50");
    await open();
    await amount.waitFor();
    expect(await amount.inputValue()).toBe("50");
    await page.locator('[name="payment.method"]').selectOption("cash");
    await page.locator('[name="deposit_taken.method"]').selectOption("cash");
    await submit();
    await page.locator(".signature canvas").waitFor();
    const day = getDateInDays(0);
    const { status, body } = await ask("POST", `/vehicles/${reference}/blocks`, {
      ...{ from: `${day}T00:00`, to: `${getDateInDays(3)}T10:00`, reason: "workshop" },
    });
    expect([status, body]).toEqual([201, expect.anything()]);
    // The next test needs the vehicle.
    const blockPath = `/api/v1/office/blocks/${(body as { block: { id: number } }).block.id}`;
    onTestFinished(async () => {
      const headers = { Authorization: await office.token(), "Idempotency-Key": JSON.stringify(crypto.randomUUID()) };
      const deletion = { method: "DELETE", headers };
      const request = `fetch("${blockPath}", ${JSON.stringify(deletion)}).then(({ status }) => status)`;
      expect(await page.evaluate<number>(request)).toBe(204);
      const { version } = (await read(booked.id)).reservation;
      const cancelled = await ask("POST", `/reservations/${booked.id}/cancel`, {
        ...{ expected_version: version, reason: "Test ended" },
      });
      expect(cancelled.status).toBe(200);
    });
    await open();
    await shows(/^Das Fahrzeug ist in der Zeit gesperrt/);
    await office.looksRight("guided-reopened", BOTH_THEMES);
    // If the category has no other free vehicle, choose one of another category.
    const isOwnFree = (await page.locator(".vehicle-choice > .vehicle-options [name=reference]").count()) > 0;
    if (!isOwnFree) await page.getByText(/^Andere Kategorien/).click();
    await page.locator(".vehicle-options [name=reference]:visible").first().check();
    await submit();
    await page.getByLabel("Führerscheinnummer").waitFor();
    await page.keyboard.press("Escape");
  });

if (inject("isThorough"))
  test("replaces a requested card hold if its amount changes, and asks to sign again if the contract text changes", async () => {
    const booked = await book();
    await page.goto(`${office.address}#/reservations/${booked.id}/deliver`);
    const reference = await page.locator(".vehicle-options [name=reference]:checked").inputValue();
    const readVehicle = async () =>
      (
        (await ask("GET", `/vehicles/${reference}`)).body as {
          readonly vehicle: { readonly fuel: string; readonly version: number };
        }
      ).vehicle;
    const { fuel: storedFuel } = await readVehicle();
    const setFuel = async (fuel: string) => {
      const { version } = await readVehicle();
      expect((await ask("PATCH", `/vehicles/${reference}`, { expected_version: version, fuel })).status).toBe(200);
    };
    await setFuel("electric");
    onTestFinished(() => setFuel(storedFuel));
    await page.reload();
    await page.locator(".vehicle-options [name=reference]:checked").waitFor();
    await page.locator("[name=kilometres]").fill("12x");
    await submit();
    await shows("Geben Sie eine ganze Zahl ein.");
    await page.locator("[name=kilometres]").fill("998877");
    await page.getByLabel("Ladestand").selectOption({ label: "63 %" });
    // The reading is improbable, so it's refused at its step until it's confirmed.
    await submit();
    await shows(/^Weit über dem letzten Stand/);
    await office.looksRight("guided-reading", BOTH_THEMES);
    const confirmation = page.locator("[name=readings_confirmed]");
    await confirmation.check();
    await page.locator("[name=kilometres]").fill("998879");
    await submit();
    await shows(/^Weit über dem letzten Stand/);
    await page.locator("[name=kilometres]").fill("998877");
    await confirmation.check();
    await submit();
    await page.getByLabel("Führerscheinnummer").fill("B7654321");
    await submit();
    await page.locator('[name="payment.method"]').selectOption("cash");
    await page.locator('[name="deposit_taken.method"]').selectOption("card_hold");
    await page.locator('[name="deposit_taken.amount"]').fill("99999");
    await submit();
    await shows("Der Betrag ist höher als der offene Betrag. Geben Sie höchstens den offenen Betrag ein.");
    await page.locator('[name="deposit_taken.amount"]').fill("200");
    await submit();
    const contract = page.locator(".contract-text section");
    await contract.getByText("998.877").waitFor();
    expect(await contract.textContent()).toMatch(/Carga de la batería\s*63\s%/);
    const vehicles = (await ask("GET", `/reservations/${booked.id}/vehicles`)).body as {
      data: readonly { readonly reference: string; readonly stock_plate: string; readonly can_leave: boolean }[];
    };
    const plates = vehicles.data.map(({ stock_plate: plate }) => plate);
    expect(plates.some((plate) => plate)).toBe(true);
    const text = (await contract.textContent()) ?? "";
    expect(plates.filter((plate) => text.includes(plate))).toHaveLength(1);
    await sign();
    await page.locator(".signature").getByText("Unterschrieben").waitFor();
    await press("Voriger Schritt");
    await page.locator('[name="deposit_taken.amount"]').fill("350");
    await submit();
    await contract.waitFor();
    const { holds } = (await ask("GET", `/reservations/${booked.id}`)).body as {
      holds: readonly { readonly amount: string; readonly status: string }[];
    };
    expect(holds.map(({ amount, status }) => `${amount} ${status}`).toSorted()).toEqual([
      "200.00 released",
      "350.00 requested",
    ]);
    await sign();
    await page.locator(".signature").getByText("Unterschrieben").waitFor();
    await page.locator(".guided-steps button").first().click();
    await page.locator("[name=kilometres]").fill("998878");
    await submit();
    await confirmation.check();
    for (const _ of [1, 2, 3]) await submit();
    await contract.getByText("998.878").waitFor();
    expect(await page.locator(".signature").getByText("Unterschrieben").count()).toBe(0);
    // The pad is empty for another text. The first press says so instead of going on without the signature.
    expect(await page.evaluate<boolean>(HAS_INK)).toBe(false);
    await submit();
    await shows(/^Der Text wurde nach der Unterschrift geändert/);
    expect((await read(booked.id)).reservation.status).not.toBe("in_progress");
    await page.keyboard.press("Escape");
  });
