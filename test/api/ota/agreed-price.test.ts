import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { createAgencyReservationBody, getBookableDay, postAsAgency, readBookingAsAgency } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, type ReservationAnswer, readReservationAnswer } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";

let boss = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.prepare("UPDATE categories SET extra_kilometre_cents = 20, kilometres_per_day = 100").run();
  await openTestTenant(env).freshSnapshot();
  boss = await createToken("boss");
});

async function readAsXml(reference: string): Promise<string> {
  const body = `<OTA_VehRetResRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><VehRetResRQCore>
    <UniqueID Type="14" ID="${reference}"/></VehRetResRQCore></OTA_VehRetResRQ>`;
  const signature = await signPathAndQuery("agency-secret", "/api/ota", body);
  const answer = await requestWorker("http://acme.localhost:8787/api/ota", {
    method: "POST",
    headers: { "Content-Type": "application/xml", Authorization: `agency:${signature}` },
    body,
  });
  return (await answer.text()).replace(/TimeStamp="[^"]*"/, "");
}

const performAction = ({ reservation }: ReservationAnswer, name: string, body: Readonly<Record<string, unknown>>) =>
  readReservationAnswer(
    callOffice("POST", `/reservations/${reservation.id}/${name}`, {
      token: boss,
      body: { expected_version: reservation.version, ...body },
    }),
  );

// Proves "rules.md: the life of a contract": Purchases of an agency's customer after the delivery don't belong to the
//   agency
test("returns a booking to its agency at the agreed price in both formats, whatever the customer buys at the desk later", async () => {
  const requestedReservation = createAgencyReservationBody({ extras: [{ code: "SEAT" }] });
  const reference = String(requestedReservation.reservation["agency_reservation_id"]);
  const answer = await (await postAsAgency("/booking", requestedReservation)).json();
  const xml = await readAsXml(reference);
  const id = await env.TENANT_ACME.prepare("SELECT id FROM bookings").first("id");
  const createdReservation = await readReservationAnswer(callOffice("GET", `/reservations/${id}`, { token: boss }));
  const out = await performAction(createdReservation, "deliver", {
    ...{ reference: "A-1", kilometres: 1000, fuel_eighths: 8 },
    extras: [
      { code: "GPS", quantity: 1 },
      { code: "SEAT", quantity: 1 },
    ],
  });
  expect(out.reservation).toMatchObject({ extras_cost: "39.00", total_cost: "134.00" });
  const extended = await performAction(out, "extend", { date_to: getBookableDay(5), time_to: "23:00" });
  const better = await performAction(extended, "exchange", {
    ...{ reference: "B-1", kilometres_in: 1100, fuel_eighths_in: 8, kilometres_out: 10, fuel_eighths_out: 8 },
    ...{ reason: "Asked for more room", upgrade_price: "25.00" },
  });
  const collected = await performAction(better, "collect", {
    ...{ kilometres: 1500, fuel_eighths: 8, return_rental_location_code: "ISLE" },
  });
  expect(Number(collected.reservation.total_cost)).toBeGreaterThan(250);
  expect(await (await readBookingAsAgency(reference)).json()).toEqual(answer);
  expect(await (await postAsAgency("/booking", requestedReservation)).json()).toEqual(answer);
  expect(await readAsXml(reference)).toBe(xml);
  expect(xml).toContain("107.00");
});
