import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findDescendant, findOutermostDescendants, getChildText } from "#domain/xml.ts";
import { createDeliveryMessage, createOpId, insertCheckInRental, sendCheckInOperation } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { encryptSecret } from "#worker/auth/secret-encryption.ts";
import { parseAuthorityXml } from "#worker/authorities/xml.ts";
import { simulateAuthority } from "#worker/development/authority-simulator.ts";
import { type SimulatedMinistryData, simulateSesResponse } from "#worker/development/ses/ministry-simulator.ts";
import { type Authority, setAuthoritySimulator } from "#worker/tenancy/authorities.ts";
import { refreshMinistryCodeLists } from "#worker/usecases/ministry-reports/refresh-lists.ts";
import { reportRentalsToMinistry } from "#worker/usecases/ministry-reports/report-rentals.ts";
import { testSesConnection } from "#worker/usecases/ministry-reports/send.ts";

const LESSOR = "0000012345";
let boss = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  const db = env.TENANT_ACME;
  const sealed = await encryptSecret(env.MASTER_KEY, "acme", "a secret");
  await db.batch([
    db
      .prepare(
        "UPDATE settings SET ses_mode = 'ses', ses_lessor_code = ?1, ses_user = 'B07123458WS', ses_password_sealed = ?2",
      )
      .bind(LESSOR, sealed),
    db.prepare("UPDATE branches SET ses_establishment_code = '0000001234'"),
    db.prepare(
      "UPDATE vehicles SET brand = 'Seat', model = 'Ibiza', plate = '0000BBB', vin = 'VSSZZZ00000000000', color = 'Blanco'",
    ),
  ]);
  await openTestTenant(env).freshSnapshot();
  const { objects } = await env.FILES.list({ prefix: "stand-in/" });
  await env.FILES.delete(objects.map(({ key }) => key));
  boss = await createToken("boss");
  await reportRentalsToMinistry(openTestTenant(env), 1000);
});

afterEach(() => setAuthoritySimulator(simulateAuthority));

interface MinistryReportAnswer {
  readonly kind: string;
  readonly part: number;
  readonly state: string;
  readonly missing: readonly string[];
  readonly xml: string | null;
}

interface Lists {
  readonly municipalities: number;
  readonly words: readonly object[];
  readonly lists: readonly { readonly list: string; readonly entries: readonly object[] }[];
}

async function listMinistryReports(id = 7): Promise<readonly MinistryReportAnswer[]> {
  const answer = await callOffice("GET", `/reservations/${id}/ses`, { token: boss });
  expect(answer.status).toBe(200);
  return answer.json();
}

const readSimulator = async () =>
  (await requestWorker(`http://localhost:8787/dev/ses/${LESSOR}`)).json<SimulatedMinistryData>();

let clock = 1_800_000_000_000;

/** Runs cron until no report is pending. */
async function sendReports(): Promise<void> {
  for (let attempt = 0; attempt < 4; attempt++) {
    clock += 3_600_000;
    await reportRentalsToMinistry(openTestTenant(env), clock);
  }
}

const rows = async <T>(sql: string) => (await env.TENANT_ACME.prepare(sql).all<T>()).results;
const listStoredStates = () =>
  rows<{ state: string; error: string | null }>("SELECT state, error FROM ministry_reports ORDER BY id");

/** Changes the reservation at a given time and lets cron report it. */
async function changeBooking(assignment: string, at: number): Promise<void> {
  await env.TENANT_ACME.prepare(`UPDATE bookings SET ${assignment}, last_update = ${at}`).run();
  await sendReports();
}

/** Makes the ministry unreachable for a number of submissions. Its code lists are read before. */
async function failSubmissions(times: number): Promise<void> {
  const { settings } = (await openTestTenant(env).snapshot()).catalogue;
  await refreshMinistryCodeLists({ tenant: openTestTenant(env), settings }, clock);
  await requestWorker("http://localhost:8787/dev/ses/faults", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ times }),
  });
}

async function insertReservation(): Promise<void> {
  await insertCheckInRental();
  await env.TENANT_ACME.prepare("UPDATE bookings SET customer_phone = '600111222', last_update = 2000").run();
}

const DATA = {
  driver_is_customer: "true",
  driver_origin_country: "GB",
  driver_driving_license_number: "DOE9005041",
  driver_driving_license_expiration_date: "2030-01-31",
  customer_address_street: "1 High St",
  customer_address_city: "Leeds",
  customer_address_zip: "LS1 1AA",
  customer_address_country: "GB",
};

async function completeContractData(at: number): Promise<void> {
  await env.TENANT_ACME.prepare(
    "UPDATE bookings SET customer_document_id = 'X123456', contract_data = ?, last_update = ?",
  )
    .bind(JSON.stringify(DATA), at)
    .run();
}

describe("reporting rentals to the ministry (SES.HOSPEDAJES)", () => {
  // Proves "security, privacy and operation": Data missing for the ministry is named before the delivery
  test("lists data that the ministry requires before hand-over, and reports the reservation in the meantime", async () => {
    await insertReservation();
    await sendReports();
    const [reservation, handOverReport] = await listMinistryReports();
    expect(reservation).toMatchObject({ kind: "RV", state: "accepted", missing: [] });
    expect(handOverReport).toMatchObject({
      kind: "AV",
      state: "not_due",
      missing: [
        "customer_document_id",
        "customer_address[street]",
        "customer_address[city]",
        "customer_address[zip]",
        "customer_address[country]",
        "driver_driving_license_number",
        "driver_driving_license_expiration_date",
        "stock_brand",
        "stock_model",
        "stock_plate",
        "stock_vin",
        "stock_color",
      ],
    });
    const root = parseAuthorityXml(reservation?.xml ?? "");
    expect(findOutermostDescendants(root, "rol").map(({ text }) => text)).toEqual(["TI", "CP"]);
    expect(getChildText(root, "codigoEstablecimientoRecogida")).toBe("0000001234");
    expect((await readSimulator()).ministryReports).toMatchObject([{ kind: "RV", reference: "7", isAnnulled: false }]);
  });

  test("reports the address of a place outside of the branch instead of its establishment", async () => {
    await insertReservation();
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare(
        "INSERT INTO pickup_places (id, name, place_type, branch_code, address_street_address, address_city, address_zip, address_country_code, created_at, last_update) VALUES (900, 'Hotel Sol', 'hotel', (SELECT branch_code FROM bookings), 'Carrer del Mar 2', 'Palma', '07012', 'ES', 1, 1)",
      ),
      env.TENANT_ACME.prepare("UPDATE bookings SET pickup_place_id = 900, last_update = 2001"),
    ]);
    await sendReports();
    const [reservation] = await listMinistryReports();
    const root = parseAuthorityXml(reservation?.xml ?? "");
    expect(getChildText(root, "codigoEstablecimientoRecogida")).toBeUndefined();
    expect(getChildText(findDescendant(root, "direccionRecogida"), "direccion")).toBe("Carrer del Mar 2");
    expect(getChildText(root, "codigoEstablecimientoDevolucion")).toBe("0000001234");
  });

  test("reports the driver and the vehicle to the ministry at hand-over", async () => {
    await insertReservation();
    await completeContractData(2001);
    const token = await createToken("boss");
    expect((await sendCheckInOperation(token, createDeliveryMessage())).status).toBe(200);
    await sendReports();
    const handOverReport = (await listMinistryReports()).find(({ kind }) => kind === "AV");
    expect(handOverReport).toMatchObject({ state: "accepted", missing: [] });
    const root = parseAuthorityXml(handOverReport?.xml ?? "");
    const driver = findOutermostDescendants(root, "persona").find(
      (xmlElement) => getChildText(xmlElement, "rol") === "CP",
    );
    expect(getChildText(driver, "numeroDocumento")).toBe("X123456");
    expect(getChildText(findDescendant(driver, "permisoConducir"), "validez")).toBe("2030-01-31");
    expect(getChildText(findDescendant(driver, "direccion"), "pais")).toBe("GBR");
    expect(["marca", "matricula", "numeroBastidor", "kmRecogida"].map((name) => getChildText(root, name))).toEqual([
      "SEAT",
      "0000BBB",
      "VSSZZZ00000000000",
      "1000",
    ]);
    expect((await readSimulator()).ministryReports.map(({ kind }) => kind)).toContain("AV");
  });

  test("reports both vehicles of an exchange to the ministry, each for its own time", async () => {
    await insertReservation();
    await completeContractData(2001);
    await env.TENANT_ACME.prepare("UPDATE vehicles SET plate = '1111CCC' WHERE reference = 'A-2'").run();
    expect((await sendCheckInOperation(boss, createDeliveryMessage())).status).toBe(200);
    await sendReports();
    const exchange = createDeliveryMessage({
      ...{ op_id: createOpId(), seq: 2, kind: "exchange", base_version: 2, recorded_at: "2024-05-04T08:00:00.000Z" },
      ...{ kilometres: 1200, exchange: { vehicle_reference: "A-2", kilometres: 500, fuel_eighths: 8 } },
    });
    expect((await sendCheckInOperation(boss, exchange)).result).toMatchObject({ state: "applied" });
    await sendReports();
    const listVehicles = async () =>
      (await listMinistryReports()).flatMap(({ kind, state, xml }) =>
        kind === "AV"
          ? [
              [
                state,
                ...["referencia", "matricula", "fechaRecogida", "fechaDevolucion", "kmRecogida"].map((name) =>
                  getChildText(findDescendant(parseAuthorityXml(xml ?? ""), "comunicacion"), name),
                ),
              ],
            ]
          : [],
      );
    const [pickup, first, planned] = ["2024-05-03T10:00:00", "2024-05-04T10:00:00", "2024-05-05T10:00:00"];
    expect(await listVehicles()).toEqual([
      ["accepted", "7-70", "0000BBB", pickup, first, "1000"],
      ["accepted", "7-70-2", "1111CCC", first, planned, "500"],
    ]);
    // An extension changes the report of the present vehicle only.
    clock = Math.max(clock, Date.now() + 60_000);
    await changeBooking("date_to = '2024-05-06'", clock);
    expect((await listVehicles()).map((values) => values[4])).toEqual([first, "2024-05-06T10:00:00"]);
    const atMinistry = (await readSimulator()).ministryReports.filter(({ kind }) => kind === "AV");
    expect(atMinistry.flatMap(({ reference, isAnnulled }) => (isAnnulled ? [] : [reference]))).toEqual([
      "7-70",
      "7-70-2",
    ]);
    // The regular check counts both vehicles.
    await env.TENANT_ACME.prepare("DELETE FROM ministry_reports WHERE vehicle_number = 2 AND state = 'accepted'").run();
    await sendReports();
    expect((await listVehicles()).map(([state]) => state)).not.toContain("due");
  });

  test("annuls the report of a unit that the office removed", async () => {
    await insertReservation();
    await sendReports();
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare(
        "INSERT INTO booking_units (id, booking_id, booking_line_id) SELECT 77, booking_id, id FROM booking_lines WHERE booking_id = 7",
      ),
      env.TENANT_ACME.prepare(
        "INSERT INTO ministry_reports (booking_id, kind, unit_id, state, xml, fingerprint, code, created_at) VALUES (7, 'AV', 77, 'accepted', '', '', 'unit-77', 1)",
      ),
      env.TENANT_ACME.prepare("DELETE FROM booking_units WHERE id = 77"),
    ]);
    await changeBooking("customer_phone = '600111333'", 3000);
    expect(
      await rows("SELECT unit_id, state = 'accepted' AS stays FROM ministry_reports WHERE code = 'unit-77'"),
    ).toEqual([{ unit_id: null, stays: 0 }]);
  });

  // Proves "security, privacy and operation": Each driver is reported: a second additional one separately
  test("reports each driver to the ministry, a second additional one separately, and annuls the report of a removed one", async () => {
    await insertReservation();
    await completeContractData(2001);
    const more = (name: string, n: number) => ({
      [`additional_driver_${n}_name`]: name,
      [`additional_driver_${n}_surname`]: "Roe",
      [`additional_driver_${n}_document_id`]: `P${n}`,
      [`additional_driver_${n}_driving_license_number`]: `L${n}`,
      [`additional_driver_${n}_driving_license_expiration_date`]: "2031-01-31",
    });
    const write = (data: object, at: number) =>
      env.TENANT_ACME.prepare("UPDATE bookings SET contract_data = ?, last_update = ?")
        .bind(JSON.stringify(data), at)
        .run();
    await write({ ...DATA, ...more("Tom", 1), ...more("Una", 2) }, 2002);
    expect((await sendCheckInOperation(boss, createDeliveryMessage())).status).toBe(200);
    await sendReports();
    const parts = (await listMinistryReports()).filter(({ kind }) => kind === "AV");
    expect(parts).toMatchObject([
      { part: 1, state: "accepted" },
      { part: 2, state: "accepted" },
    ]);
    const drivers = parts.map(({ xml }) =>
      findOutermostDescendants(parseAuthorityXml(xml ?? ""), "nombre").map(({ text }) => text),
    );
    expect(drivers.map((names) => names.at(-1))).toEqual(["Tom", "Una"]);
    const listHandOverReports = async () => (await readSimulator()).ministryReports.filter(({ kind }) => kind === "AV");
    expect((await listHandOverReports()).map(({ reference }) => reference)).toEqual(["7-70", "7-70/2"]);
    await write({ ...DATA, ...more("Tom", 1) }, Date.now() + 60_000);
    await sendReports();
    expect((await listHandOverReports()).map(({ isAnnulled }) => isAnnulled)).toEqual([false, true]);
  });

  // Proves "security, privacy and operation": A company is reported with its representative
  test("reports a company's rental with its representative, and asks the office if the representative is missing", async () => {
    await insertReservation();
    await completeContractData(2001);
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET customer_type = 'legal_entity', customer_name = 'Acme Obres SL', customer_surname = '', customer_document_id = 'B12345674'",
    ).run();
    const lacks = (await listMinistryReports()).flatMap(({ missing }) => missing);
    expect(lacks).toEqual(
      expect.arrayContaining(["representative_name", "representative_surname", "representative_document_id"]),
    );
    const { version } =
      (await env.TENANT_ACME.prepare("SELECT version FROM bookings WHERE id = 7").first<{ version: number }>()) ?? {};
    const reportDetails = {
      representative_name: "Eva",
      representative_surname: "Puig Mas",
      representative_document_id: "00000000T",
    };
    const answer = await callOffice("PATCH", "/reservations/7/ses", {
      token: boss,
      body: { expected_version: version, ...reportDetails },
    });
    expect(answer.status).toBe(200);
    expect((await sendCheckInOperation(boss, createDeliveryMessage())).status).toBe(200);
    await sendReports();
    const handOverReport = (await listMinistryReports()).find(({ kind }) => kind === "AV");
    expect(handOverReport).toMatchObject({ state: "accepted", missing: [] });
    const [rents] = findOutermostDescendants(parseAuthorityXml(handOverReport?.xml ?? ""), "persona");
    expect(["rol", "nombre", "apellido1", "numeroDocumento"].map((name) => getChildText(rents, name))).toEqual([
      ...["TI", "Eva", "Puig", "00000000T"],
    ]);
  });

  // Proves "security, privacy and operation": A change is annulled and reported again
  test("annuls and resends the report of a changed rental, and annuls that of a cancelled one", async () => {
    await insertReservation();
    await sendReports();
    await env.TENANT_ACME.prepare("UPDATE bookings SET date_to = '2024-05-06', last_update = 3000").run();
    await sendReports();
    expect((await readSimulator()).ministryReports.map(({ isAnnulled }) => isAnnulled)).toEqual([true, false]);
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET status = 'cancelled', cancelled_at = 1, last_update = 4000",
    ).run();
    await sendReports();
    expect((await readSimulator()).ministryReports.map(({ isAnnulled }) => isAnnulled)).toEqual([true, true]);
    expect((await listMinistryReports()).map(({ kind, state }) => [kind, state])).toEqual([["RV", "annulled"]]);
  });

  test("reports nothing and lists no missing data for a rental cancelled before its report was sent", async () => {
    await insertReservation();
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET customer_phone = NULL, customer_email = NULL, status = 'cancelled', cancelled_at = 1, last_update = 4000",
    ).run();
    await sendReports();
    expect(await listMinistryReports()).toEqual([]);
    expect(await readSimulator()).toMatchObject({ ministryReports: [], lots: [] });
    const attention = await callOffice("GET", "/attention", { token: boss });
    const { data: tasks } = await attention.json<{ data: readonly { kind: string }[] }>();
    expect(tasks.filter(({ kind }) => kind.startsWith("ministry_report"))).toEqual([]);
  });

  // Proves "security, privacy and operation": Bookings after the activation are reported
  test("reports only rentals since the office enabled reports to the ministry, and marks earlier ones", async () => {
    await env.TENANT_ACME.prepare("DELETE FROM ministry_report_cursor").run();
    await env.TENANT_ACME.prepare("UPDATE settings SET ses_mode = 'none'").run();
    await openTestTenant(env).freshSnapshot();
    const { settings } = await (await callOffice("GET", "/settings", { token: boss })).json<{
      settings: { version: number };
    }>();
    const body = { expected_version: settings.version, ses_mode: "ses" };
    expect((await callOffice("PATCH", "/settings", { token: boss, body })).status).toBe(200);
    await openTestTenant(env).freshSnapshot();
    await insertReservation();
    await insertCheckInRental({ id: 8 });
    const since = Date.now() + 1;
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_phone = '600111222', last_update = ? WHERE id = 8")
      .bind(since)
      .run();
    // Cron runs a while later.
    clock = since + 300_000;
    await sendReports();
    expect((await listMinistryReports(8))[0]).toMatchObject({ kind: "RV", state: "accepted" });
    expect((await listMinistryReports(7))[0]).toMatchObject({ kind: "RV", state: "from_before" });
    await changeBooking("date_to = '2024-05-06'", clock);
    expect((await listMinistryReports(7))[0]).toMatchObject({ kind: "RV", state: "accepted" });
  });

  test("retries if the ministry doesn't answer, and reports the reservation once", async () => {
    await insertReservation();
    await failSubmissions(2);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      clock += 3_600_000;
      await reportRentalsToMinistry(openTestTenant(env), clock);
      expect(await rows("SELECT state, attempts, error FROM ministry_reports")).toEqual([
        { state: "waiting", attempts: attempt, error: "ministry_unreachable" },
      ]);
      expect((await readSimulator()).lots).toEqual([]);
    }
    await sendReports();
    expect((await listMinistryReports())[0]).toMatchObject({ state: "accepted" });
    expect((await readSimulator()).ministryReports).toHaveLength(1);
  });

  /** Sends reports. Runs `happens` once, after the ministry processed a request and before its response arrives. */
  const sendReportsWith = async (happens: (answer: Response) => Promise<Response>) => {
    const { reach } = openTestTenant(env);
    let hasHappened = false;
    const tenant = Object.assign(Object.create(openTestTenant(env)) as ReturnType<typeof openTestTenant>, {
      reach: (authority: Authority) => async (authorityRequest: Request) => {
        const body = await authorityRequest.clone().text();
        const answer = (await reach(authority)?.(authorityRequest)) ?? new Response(null);
        if (authority !== "ses" || hasHappened || !body.includes("tipoOperacion")) return answer;
        hasHappened = true;
        return happens(answer);
      },
    });
    clock += 3_600_000;
    await reportRentalsToMinistry(tenant, clock);
    expect(hasHappened).toBe(true);
  };
  const withLostAnswer = () => sendReportsWith(async () => new Response("Gateway timeout", { status: 504 }));
  const whileSent = (happens: () => Promise<void>) =>
    sendReportsWith(async (answer) => {
      await happens();
      return answer;
    });

  test("counts a report as accepted if only the ministry's answer was lost, without sending it again", async () => {
    await insertReservation();
    await withLostAnswer();
    expect((await listMinistryReports())[0]).toMatchObject({ state: "waiting" });
    await sendReports();
    expect((await listMinistryReports())[0]).toMatchObject({
      state: "accepted",
      error: expect.stringContaining("10130"),
    });
    expect((await readSimulator()).ministryReports).toHaveLength(1);
    await changeBooking("date_to = '2024-05-06'", 3000);
    const manualState = { state: "refused", error: "to_annul_by_hand" };
    expect(await listStoredStates()).toEqual([manualState, { state: "accepted", error: null }]);
    const [{ id } = { id: 0 }] = await rows<{ id: number }>("SELECT id FROM ministry_reports ORDER BY id");
    const press = (door: string, token = boss) => callOffice("POST", `/ministry-reports/${id}/${door}`, { token });
    const attention = await callOffice("GET", "/attention", { token: boss });
    const { data } = await attention.json<{ data: { kind: string; why: string }[] }>();
    expect(data.filter(({ kind }) => kind.startsWith("ministry_report_"))).toMatchObject([
      { kind: "ministry_report_to_annul", why: expect.stringContaining("by a name that nobody knows") },
    ]);
    // Sending it again would create a duplicate.
    const again = await press("again");
    expect([again.status, await again.json()]).toMatchObject([409, { code: "ministry_report_not_refused" }]);
    await changeBooking("date_to = '2024-05-07'", 4000);
    expect((await listStoredStates())[0]).toEqual(manualState);
    expect((await press("annulled", await createToken("desk"))).status).toBe(403);
    expect((await press("annulled")).status).toBe(200);
    const twice = await press("annulled");
    expect([twice.status, await twice.json()]).toMatchObject([409, { code: "not_awaiting_manual_cancellation" }]);
    expect((await listStoredStates()).map(({ state }) => state)).toEqual(["annulled", "annulled", "accepted"]);
  });

  /** Runs cron once while the ministry answers each request with a code and processes none. */
  const sendWhileRefused = async (code: string, text: string) => {
    setAuthoritySimulator(async (authority, request, bindings) =>
      authority === "ses"
        ? new Response(`<e><respuesta><codigo>${code}</codigo><descripcion>${text}</descripcion></respuesta></e>`)
        : simulateAuthority(authority, request, bindings),
    );
    clock += 3_600_000;
    await reportRentalsToMinistry(openTestTenant(env), clock);
    setAuthoritySimulator(simulateAuthority);
  };

  test.each([
    ["10120", "Servicio web no habilitado"],
    ["10103", "El arrendador no existe"],
    ["-1", "Error desconocido"],
  ])("keeps sending a report while the ministry refuses the access with the code %s", async (code, text) => {
    await insertReservation();
    await sendWhileRefused(code, text);
    expect(await listStoredStates()).toEqual([{ state: "waiting", error: `${code} ${text}` }]);
    await sendReports();
    expect(await listStoredStates()).toEqual([{ state: "accepted", error: null }]);
    expect((await readSimulator()).ministryReports).toHaveLength(1);
  });

  test("doesn't treat a report as annulled if the ministry refused only the access", async () => {
    await insertReservation();
    await sendWhileRefused("10120", "Servicio web no habilitado");
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET status = 'cancelled', cancelled_at = 1, last_update = 3000",
    ).run();
    await sendWhileRefused("10120", "Servicio web no habilitado");
    const error = "10120 Servicio web no habilitado";
    expect(await listStoredStates()).toEqual([{ state: "annulling", error }]);
    await sendReports();
    expect((await listStoredStates()).map(({ state }) => state)).toEqual(["annulled"]);
    expect((await readSimulator()).ministryReports).toMatchObject([{ isAnnulled: true }]);
  });

  test("adds a task if a rental is cancelled whose reference at the ministry is unknown", async () => {
    await insertReservation();
    await withLostAnswer();
    await sendReports();
    await changeBooking("status = 'cancelled', cancelled_at = 1", 3000);
    await changeBooking("customer_phone = '600111333'", 4000);
    expect(await listStoredStates()).toEqual([{ state: "refused", error: "to_annul_by_hand" }]);
  });

  // Proves "security, privacy and operation": A change after a lost response is reported, and annulling the first
  //   report is left to staff
  test("reports a rental again that changed after a lost answer, and leaves annulling the first report to staff", async () => {
    await insertReservation();
    await withLostAnswer();
    await changeBooking("date_to = '2024-05-06'", 3000);
    expect((await listStoredStates()).map(({ state, error }) => error ?? state)).toEqual([
      "to_annul_by_hand",
      "accepted",
    ]);
    expect((await readSimulator()).ministryReports).toHaveLength(2);
  });

  test("doesn't apply the ministry's refusal of an earlier report to the report of the changed rental", async () => {
    await insertReservation();
    await withLostAnswer();
    await env.TENANT_ACME.prepare("UPDATE ministry_reports SET lot = 'refused-before'").run();
    await changeBooking("date_to = '2024-05-06'", 3000);
    expect((await listStoredStates()).map(({ state, error }) => error ?? state)).toEqual([
      "to_annul_by_hand",
      "accepted",
    ]);
  });

  test("annuls a failed report by its reference once the rental changes, and sends another one", async () => {
    await insertReservation();
    await failSubmissions(1);
    clock += 3_600_000;
    await reportRentalsToMinistry(openTestTenant(env), clock);
    expect(await rows("SELECT state, attempts, lot, code FROM ministry_reports")).toEqual([
      { state: "waiting", attempts: 1, lot: null, code: null },
    ]);
    expect((await readSimulator()).lots).toEqual([]);
    await changeBooking("date_to = '2024-05-06'", 3000);
    expect((await listStoredStates()).map(({ state }) => state)).toEqual(["annulled", "accepted"]);
    expect((await readSimulator()).ministryReports.map(({ isAnnulled }) => isAnnulled).sort()).toEqual([false, true]);
  });

  test("reports a change made while a report is being sent, and annuls that report by its reference", async () => {
    await insertReservation();
    await whileSent(async () => {
      await env.TENANT_ACME.prepare("UPDATE bookings SET date_to = '2024-05-06', last_update = 3000").run();
      // A parallel cron run.
      await reportRentalsToMinistry(openTestTenant(env), clock);
    });
    await sendReports();
    expect((await listStoredStates()).map(({ state }) => state)).toEqual(["annulled", "accepted"]);
    expect((await readSimulator()).ministryReports.map(({ isAnnulled }) => isAnnulled).sort()).toEqual([false, true]);
  });

  test("reports a rental to the ministry once if two cron runs are simultaneous", async () => {
    await insertReservation();
    clock += 3_600_000;
    await Promise.allSettled([
      reportRentalsToMinistry(openTestTenant(env), clock),
      reportRentalsToMinistry(openTestTenant(env), clock),
    ]);
    await sendReports();
    expect((await listStoredStates()).map(({ state }) => state)).toEqual(["accepted"]);
    expect((await readSimulator()).lots).toHaveLength(1);
  });

  test("annuls a report to the ministry once, even if the answer was lost", async () => {
    await insertReservation();
    await sendReports();
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET status = 'cancelled', cancelled_at = 1, last_update = 4000",
    ).run();
    await withLostAnswer();
    await sendReports();
    expect((await readSimulator()).ministryReports.map(({ isAnnulled }) => isAnnulled)).toEqual([true]);
    const state = await env.TENANT_ACME.prepare("SELECT state FROM ministry_reports").first("state");
    expect(state).toBe("annulled");
  });

  describe("annulments that the ministry refuses", () => {
    /** Cancels the rental and runs cron until a task shows the annulment. Returns the number of annulments sent. */
    async function cancelAndSend(answer: (request: Request) => Promise<Response>): Promise<number> {
      let annulments = 0;
      setAuthoritySimulator(async (authority, request, bindings) => {
        const isAnnulment = authority === "ses" && (await request.clone().text()).includes("<tipoOperacion>B<");
        if (!isAnnulment) return simulateAuthority(authority, request, bindings);
        annulments += 1;
        return answer(request);
      });
      await changeBooking("status = 'cancelled', cancelled_at = 1", 4000);
      for (let day = 0; day < 3; day += 1) await sendReports();
      return annulments;
    }
    const listTasks = async () => {
      const answer = await callOffice("GET", "/attention", { token: boss });
      const { data } = await answer.json<{ data: { kind: string }[] }>();
      return data.map(({ kind }) => kind).filter((kind) => kind.startsWith("ministry_report_"));
    };
    const refuse = (code: string) => async () =>
      new Response(`<e><respuesta><codigo>${code}</codigo><descripcion>No</descripcion></respuesta></e>`);

    test("adds a task if the ministry refuses an annulment for its content, and doesn't send the annulment again", async () => {
      await insertReservation();
      await sendReports();
      expect(await cancelAndSend(refuse("10128"))).toBe(1);
      expect(await listStoredStates()).toEqual([{ state: "refused", error: "to_annul_by_hand" }]);
      expect(await listTasks()).toEqual(["ministry_report_to_annul"]);
    });

    test("adds a task if the ministry refuses the batch of an annulment, and doesn't send the annulment again", async () => {
      await insertReservation();
      await sendReports();
      await env.TENANT_ACME.prepare("UPDATE ministry_reports SET code = 'unknown'").run();
      const { FILES } = env;
      expect(await cancelAndSend((request) => simulateSesResponse(FILES, request))).toBe(1);
      expect((await readSimulator()).lots.at(-1)?.error).toContain("10128");
      expect(await listStoredStates()).toEqual([{ state: "refused", error: "to_annul_by_hand" }]);
      expect(await listTasks()).toEqual(["ministry_report_to_annul"]);
    });

    test.each(["10120", "10999", "-1"])(
      "keeps sending an annulment while the ministry answers with %s",
      async (code) => {
        await insertReservation();
        await sendReports();
        expect(await cancelAndSend(refuse(code))).toBeGreaterThan(3);
        expect(await listStoredStates()).toEqual([{ state: "annulling", error: `${code} No` }]);
        setAuthoritySimulator(simulateAuthority);
        await sendReports();
        expect(await listStoredStates()).toMatchObject([{ state: "annulled" }]);
      },
    );
  });

  test("stores reports without sending them in a dry run, and none if the account doesn't report to the ministry", async () => {
    await env.TENANT_ACME.prepare("UPDATE settings SET ses_mode = 'dry_run'").run();
    await openTestTenant(env).freshSnapshot();
    await insertReservation();
    await sendReports();
    expect((await listMinistryReports())[0]).toMatchObject({ state: "dry" });
    expect((await readSimulator()).ministryReports).toEqual([]);
    await env.TENANT_ACME.prepare("UPDATE settings SET ses_mode = 'none'").run();
    await openTestTenant(env).freshSnapshot();
    expect(await listMinistryReports()).toEqual([]);
    const list = await callOffice("GET", "/ministry-reports", { token: boss });
    expect(await list.json()).toMatchObject({ mode: "none", counts: { dry: 1 } });
  });

  // Proves "security, privacy and operation": At twenty hours what is not reported is an alarm
  test("adds a task 20 hours after hand-over if data for the ministry is missing", async () => {
    await insertReservation();
    expect((await sendCheckInOperation(boss, createDeliveryMessage())).status).toBe(200);
    await env.TENANT_ACME.prepare("UPDATE booking_units SET delivered_at = ?")
      .bind(Date.now() - 21 * 3_600_000)
      .run();
    const { data } = await (await callOffice("GET", "/attention", { token: boss })).json<{
      data: { kind: string; why: string }[];
    }>();
    expect(data.find(({ kind }) => kind === "ministry_report_late")?.why).toContain("hand-over");
  });

  test("adds a task 20 hours after a cancellation that the ministry doesn't have", async () => {
    const listLate = async () => {
      const answer = await callOffice("GET", "/attention", { token: boss });
      const { data } = await answer.json<{ data: { kind: string; why: string }[] }>();
      return data.filter(({ kind }) => kind === "ministry_report_late").map(({ why }) => why);
    };
    await insertReservation();
    await sendReports();
    const cancelled = (hoursAgo: number) =>
      env.TENANT_ACME.prepare("UPDATE bookings SET status = 'cancelled', cancelled_at = ?, last_update = 3000")
        .bind(Date.now() - hoursAgo * 3_600_000)
        .run();
    await cancelled(19);
    await sendWhileRefused("10120", "Servicio web no habilitado");
    expect((await listStoredStates()).map(({ state }) => state)).toEqual(["annulling"]);
    expect(await listLate()).toEqual([]);
    await cancelled(21);
    expect(await listLate()).toEqual([expect.stringContaining("its cancellation is not reported")]);
    await sendReports();
    expect((await listStoredStates()).map(({ state }) => state)).toEqual(["annulled"]);
    expect(await listLate()).toEqual([]);
  });

  // Proves "security, privacy and operation": A person with an open report to the ministry can't be erased
  test("blocks the erasure of a person whose rental the ministry hasn't accepted yet", async () => {
    const erase = () => callOffice("POST", "/customers/1/erase", { token: boss, body: { reason: "asked for" } });
    await insertReservation();
    const token = await createToken("boss");
    expect((await sendCheckInOperation(token, createDeliveryMessage())).status).toBe(200);
    await sendReports();
    const finishedSql = "status = 'done', customer_id = 1, date_to = '2099-01-01'";
    await env.TENANT_ACME.prepare(`UPDATE bookings SET ${finishedSql}`).run();
    const refused = await erase();
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: "erasure_blocked_by_report", detail: [{ field: "reservation", message: "7" }] },
    ]);
    await completeContractData(clock + 1);
    await sendReports();
    expect((await listMinistryReports()).find(({ kind }) => kind === "AV")).toMatchObject({ state: "accepted" });
    expect((await erase()).status).toBe(200);
    expect(await listStoredStates()).toMatchObject([{ state: "accepted" }]);
  });

  test("tests the connection to the ministry without registering anything, and returns the problem", async () => {
    const tried = async () => (await callOffice("GET", "/ministry-reports/connection", { token: boss })).json();
    expect(await tried()).toEqual({ works: true, problem: null });
    await env.TENANT_ACME.prepare("UPDATE settings SET ses_user = NULL").run();
    await openTestTenant(env).freshSnapshot();
    expect(await tried()).toEqual({ works: false, problem: "credentials_missing" });
    const answerLike = (text: string) =>
      setAuthoritySimulator(async () => new Response(`<e><respuesta>${text}</respuesta></e>`));
    await env.TENANT_ACME.prepare("UPDATE settings SET ses_user = 'B07123458WS'").run();
    await openTestTenant(env).freshSnapshot();
    answerLike("<codigo>10120</codigo><descripcion>Servicio web no habilitado</descripcion>");
    expect(await tried()).toEqual({ works: false, problem: "10120 Servicio web no habilitado" });
    answerLike("<codigo>0</codigo>");
    expect(await tried()).toEqual({ works: true, problem: null });
    setAuthoritySimulator(simulateAuthority);
    expect(await readSimulator()).toMatchObject({ ministryReports: [], lots: [] });
    expect((await callOffice("GET", "/reservations/999/ses", { token: boss })).status).toBe(404);
  });

  test("sends a password with any characters to the ministry, in UTF-8", async () => {
    const sealed = await encryptSecret(env.MASTER_KEY, "acme", "contraseña€");
    await env.TENANT_ACME.prepare("UPDATE settings SET ses_password_sealed = ?").bind(sealed).run();
    await openTestTenant(env).freshSnapshot();
    const sent: (string | null)[] = [];
    const tenant = Object.assign(Object.create(openTestTenant(env)) as ReturnType<typeof openTestTenant>, {
      reach: () => async (request: Request) => {
        sent.push(request.headers.get("Authorization"));
        return new Response("<e><respuesta><codigo>0</codigo></respuesta></e>");
      },
    });
    const { settings } = (await tenant.snapshot()).catalogue;
    expect(await testSesConnection(tenant, settings)).toBeUndefined();
    const [, credentials = ""] = sent[0]?.split(" ") ?? [];
    expect(Buffer.from(credentials, "base64").toString("utf8")).toBe("B07123458WS:contraseña€");
  });

  test.each([
    [401, "ministry_sign_in_refused"],
    [503, "ministry_unreachable"],
  ])("answers the connection test with a code if the ministry answers %i", async (status, problem) => {
    const tenant = Object.assign(Object.create(openTestTenant(env)) as ReturnType<typeof openTestTenant>, {
      reach: () => async () => new Response("No", { status }),
    });
    expect(await testSesConnection(tenant, (await tenant.snapshot()).catalogue.settings)).toBe(problem);
  });

  test("shows staff which texts of a reservation exceed the ministry's limit", async () => {
    await insertReservation();
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_surname = ?1").bind("Ñ".repeat(51)).run();
    const [report] = await listMinistryReports();
    expect(report).toMatchObject({ kind: "RV", missing: [], shortened: ["customer_surname"] });
    expect(report?.xml).toContain(`<apellido1>${"Ñ".repeat(50)}</apellido1>`);
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_surname = ?1").bind("Ñ".repeat(50)).run();
    expect((await listMinistryReports())[0]).toMatchObject({ shortened: [] });
  });

  // Proves "security, privacy and operation": The office fills in missing data by its names
  test("lists data missing for the ministry before hand-over under the field names of the office's form", async () => {
    await insertReservation();
    await sendReports();
    const version = () => env.TENANT_ACME.prepare("SELECT version FROM bookings").first<number>("version");
    const fill = async (body: object, token = boss) =>
      callOffice("PATCH", "/reservations/7/ses", { token, body: { expected_version: await version(), ...body } });
    const reportDetails = {
      customer_document_id: "12345678Z",
      "customer_address[street]": "Carrer Major 1",
      "customer_address[city]": "Ciutat",
      "customer_address[zip]": "07001",
      "customer_address[country]": "es",
      driver_driving_license_number: "12345678",
      driver_driving_license_expiration_date: "2030-01-31",
    };
    const filled = await fill(reportDetails);
    expect(filled.status).toBe(200);
    const after = await filled.json<readonly (MinistryReportAnswer & { province: string; wished: string[] })[]>();
    // A Spanish document number requires two surnames, and a Spanish town its municipality code.
    expect(after[1]).toMatchObject({
      province: "07",
      wished: ["driver_date_of_birth", "driver_origin_country"],
    });
    expect(after[1]?.missing.filter((name) => !name.startsWith("stock_"))).toEqual([
      "customer_second_surname",
      "customer_address[city_code]",
    ]);
    const towns = await callOffice("GET", "/ministry-reports/municipalities?province=07", { token: boss });
    const { data } = await towns.json<{ data: { code: string; name: string }[] }>();
    const code = data.find(({ name }) => name === "Palma")?.code;
    expect((await fill({ customer_second_surname: "Pons", "customer_address[city_code]": code })).status).toBe(200);
    const [, handOverReport] = await listMinistryReports();
    expect(handOverReport?.missing.filter((name) => !name.startsWith("stock_"))).toEqual([]);
    expect(
      (await sendCheckInOperation(boss, createDeliveryMessage({ base_version: (await version()) ?? 0 }))).status,
    ).toBe(200);
    await sendReports();
    const fullReport = (await listMinistryReports()).find(({ kind }) => kind === "AV");
    expect(fullReport).toMatchObject({ state: "accepted" });
    const renter = findOutermostDescendants(parseAuthorityXml(fullReport?.xml ?? ""), "persona")[0];
    expect(["apellido2", "tipoDocumento", "codigoMunicipio"].map((name) => getChildText(renter, name))).toEqual([
      "Pons",
      "NIF",
      "07040",
    ]);
    const history = await env.TENANT_ACME.prepare("SELECT detail FROM booking_history WHERE event = 'changed' LIMIT 1");
    expect(String(await history.first("detail"))).not.toContain("12345678Z");
  });

  test("rejects invalid data for the ministry by field, and callers without permission", async () => {
    await insertReservation();
    const fill = (body: object, token = boss) => callOffice("PATCH", "/reservations/7/ses", { token, body });
    const hints: Readonly<Record<string, string>> = { UK: "must be the country code GB, not UK" };
    for (const country of ["Spain", "UK", "ZZ"]) {
      const rejectedResponse = await fill({ expected_version: 1, "customer_address[country]": country });
      expect([country, rejectedResponse.status, await rejectedResponse.json()]).toMatchObject([
        country,
        400,
        {
          detail: [
            {
              field: "customer_address[country]",
              message: hints[country] ?? "must be a country code of two letters",
            },
          ],
        },
      ]);
    }
    expect((await fill({ expected_version: 1, driver_date_of_birth: "31/02/2000" })).status).toBe(400);
    expect((await fill({ expected_version: 1, favourite_colour: "red" })).status).toBe(400);
    expect((await fill({ expected_version: 1 })).status).toBe(400);
    expect((await fill({ expected_version: 99, driver_origin_country: "GB" })).status).toBe(409);
    expect(
      (await callOffice("PATCH", "/reservations/999/ses", { token: boss, body: { expected_version: 1 } })).status,
    ).toBe(404);
  });

  // Proves "security, privacy and operation": It is asked for at the vehicle, and the day names it
  test("accepts at delivery the data for the ministry that the day's list named as missing", async () => {
    await insertReservation();
    const token = await createToken("boss");
    const date = await env.TENANT_ACME.prepare("SELECT date_from FROM bookings").first<string>("date_from");
    const query = `date=${date}&rental_location_code=AIR`;
    const day = await callApi("GET", `/booking/deliveries-collections?${query}`, { token });
    const { deliveries } = await day.json<{ deliveries: { authorities: { missing: string[]; wished: string[] } }[] }>();
    expect(deliveries[0]?.authorities.missing).toEqual([
      "customer_document_id",
      "customer_address[street]",
      "customer_address[city]",
      "customer_address[zip]",
      "customer_address[country]",
      "driver_driving_license_number",
      "driver_driving_license_expiration_date",
    ]);
    expect(deliveries[0]?.authorities.wished).toEqual(["driver_date_of_birth", "driver_origin_country"]);
    const driver = {
      document_id: "X123456",
      driving_license_number: "DOE9",
      driving_license_expiration_date: "2030-01-31",
    };
    const authorities = {
      "customer_address[street]": "1 High St",
      "customer_address[city]": "Leeds",
      "customer_address[zip]": "LS1 1AA",
      "customer_address[country]": "GB",
      driver_origin_country: "GB",
    };
    expect((await sendCheckInOperation(token, createDeliveryMessage({ driver, authorities }))).status).toBe(200);
    await sendReports();
    const handOverReport = (await listMinistryReports()).find(({ kind }) => kind === "AV");
    expect(handOverReport).toMatchObject({ state: "accepted", missing: [] });
    expect(
      getChildText(
        findDescendant(
          findOutermostDescendants(parseAuthorityXml(handOverReport?.xml ?? ""), "persona")[1],
          "permisoConducir",
        ),
        "numero",
      ),
    ).toBe("DOE9");
  });

  // Proves "security, privacy and operation": Words of the fleet go under the ministry's codes
  test("asks the office for the official value of an unknown color, then sends the report automatically", async () => {
    await env.TENANT_ACME.prepare("UPDATE vehicles SET color = 'Verde oliva'").run();
    await insertReservation();
    await completeContractData(2001);
    expect((await sendCheckInOperation(boss, createDeliveryMessage())).status).toBe(200);
    await sendReports();
    expect((await listMinistryReports()).find(({ kind }) => kind === "AV")).toMatchObject({ missing: ["color_code"] });
    const { words, lists, municipalities } = await (
      await callOffice("GET", "/ministry-reports/lists", { token: boss })
    ).json<Lists>();
    expect(municipalities).toBeGreaterThan(60);
    expect(words).toContainEqual(expect.objectContaining({ list: "brand", word: "Seat", code: "SEAT", chosen: null }));
    expect(words).toContainEqual(expect.objectContaining({ list: "color", word: "Verde oliva", code: null }));
    expect(lists.find(({ list }) => list === "color")?.entries).toContainEqual({ code: "VERDE", name: "Verde" });
    const { settings } = await (await callOffice("GET", "/settings", { token: boss })).json<{
      settings: { version: number };
    }>();
    const change = { expected_version: settings.version, ses_codes: { "color:Verde oliva": "VERDE" } };
    expect((await callOffice("PATCH", "/settings", { token: boss, body: change })).status).toBe(200);
    await openTestTenant(env).freshSnapshot();
    await sendReports();
    const handOverReport = (await listMinistryReports()).find(({ kind }) => kind === "AV");
    expect(handOverReport).toMatchObject({ state: "accepted" });
    expect(getChildText(parseAuthorityXml(handOverReport?.xml ?? ""), "color")).toBe("VERDE");
  });

  // Proves "security, privacy and operation": A refused report shows the reason and can be sent again
  test("lists a report that the ministry refused, with the reason, and resends it on request", async () => {
    await insertReservation();
    await sendReports();
    await env.TENANT_ACME.prepare(
      "UPDATE ministry_reports SET state = 'refused', error = '10103 El arrendador no existe', code = NULL, lot = NULL, xml = replace(xml, '>7<', '>7b<')",
    ).run();
    const listed = await callOffice("GET", "/ministry-reports?state=refused", { token: boss });
    const { data, counts, mode } = await listed.json<{
      data: { id: number; error: string }[];
      counts: object;
      mode: string;
    }>();
    expect([data[0]?.error, counts, mode]).toEqual(["10103 El arrendador no existe", { refused: 1 }, "ses"]);
    const again = (id: number | undefined, token = boss) =>
      callOffice("POST", `/ministry-reports/${id}/again`, { token });
    expect((await again(999)).status).toBe(404);
    expect((await again(data[0]?.id, await createToken("desk"))).status).toBe(403);
    expect((await again(data[0]?.id)).status).toBe(200);
    expect((await again(data[0]?.id)).status).toBe(409);
    await sendReports();
    expect((await listMinistryReports())[0]).toMatchObject({ state: "accepted" });
  });

  test("doesn't resend or offer to resend a refused report of a cancelled rental", async () => {
    await insertReservation();
    await sendReports();
    const db = env.TENANT_ACME;
    await db.prepare("UPDATE ministry_reports SET state = 'refused', error = '10103 x', code = NULL, lot = NULL").run();
    const listed = async () => {
      const answer = await callOffice("GET", "/ministry-reports", { token: boss });
      const { data } = await answer.json<{ data: { id: number; can_be_sent_again: boolean }[] }>();
      return data[0];
    };
    const before = await listed();
    expect(before?.can_be_sent_again).toBe(true);
    // The branch no longer reports to the ministry, so no cron run cancels the report.
    await db.batch([
      db.prepare("UPDATE branches SET rental_register = 'none'"),
      db.prepare("UPDATE bookings SET status = 'cancelled', last_update = 3000"),
    ]);
    await sendReports();
    expect([await listStoredStates(), (await listed())?.can_be_sent_again]).toMatchObject([
      [{ state: "refused" }],
      false,
    ]);
    const again = await callOffice("POST", `/ministry-reports/${before?.id}/again`, { token: boss });
    expect([again.status, await again.json()]).toMatchObject([409, { code: "ministry_report_not_refused" }]);
    expect(await listStoredStates()).toMatchObject([{ state: "refused" }]);
  });

  // Proves "security, privacy and operation": Unsupported registers are reported by hand
  test("requires staff to report a rental manually if its branch belongs to a register that isn't supported", async () => {
    await env.TENANT_ACME.prepare("UPDATE branches SET rental_register = 'mossos'").run();
    await openTestTenant(env).freshSnapshot();
    await insertReservation();
    await sendReports();
    expect((await listMinistryReports())[0]).toMatchObject({ state: "by_hand", register: "mossos", missing: [] });
    expect((await readSimulator()).ministryReports).toEqual([]);
  });

  // Proves "security, privacy and operation": A website's `required_fields` has what the law wants
  test("lists the legally required fields in the website's contract data in addition to the rest", async () => {
    await insertReservation();
    const fields = async () => {
      const id = await env.TENANT_ACME.prepare("SELECT free_access_id FROM bookings").first("free_access_id");
      const answer = await requestWorker(`http://acme.localhost/api/booking/frontend/booking/${id}?api_key=public-key`);
      return (await answer.json<{ required_fields: string[] }>()).required_fields;
    };
    expect(await fields()).toEqual(expect.arrayContaining(["customer_address[zip]", "driver_origin_country"]));
    await env.TENANT_ACME.prepare("UPDATE settings SET ses_mode = 'none'").run();
    await openTestTenant(env).freshSnapshot();
    expect(await fields()).not.toContain("customer_address[zip]");
  });
});
