import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { callOffice, type ReservationAnswer, readReservationAnswer } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

// Imported contracts have place and branch names, but no catalogue places.

let token: string;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  token = await createToken("boss");
});

const createBody = (changes: Readonly<Record<string, unknown>> = {}) => ({
  date_from: getBookableDay(0),
  time_from: "10:00",
  date_to: getBookableDay(3),
  time_to: "10:00",
  pickup_place: 2,
  return_place: 2,
  category_code: "A",
  customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com" },
  ...changes,
});

/** Creates a contract as an import leaves it. */
async function importContract(changes: Readonly<Record<string, unknown>> = {}): Promise<ReservationAnswer> {
  const createdReservation = await readReservationAnswer(
    callOffice("POST", "/reservations", { token, body: createBody(changes) }),
  );
  await env.TENANT_ACME.prepare(
    "UPDATE bookings SET pickup_place_id = NULL, return_place_id = NULL, pickup_place = 'Mostrador viejo', return_place = 'Mostrador viejo' WHERE id = ?",
  )
    .bind(createdReservation.reservation.id)
    .run();
  return createdReservation;
}

const performAction = (current: ReservationAnswer, name: string, body: Readonly<Record<string, unknown>> = {}) =>
  readReservationAnswer(
    callOffice("POST", `/reservations/${current.reservation.id}/${name}`, {
      token,
      body: { expected_version: current.reservation.version, ...body },
    }),
  );
const change = (current: ReservationAnswer, body: Readonly<Record<string, unknown>>) =>
  readReservationAnswer(
    callOffice("PATCH", `/reservations/${current.reservation.id}`, {
      token,
      body: { expected_version: current.reservation.version, ...body },
    }),
  );
const getPlaces = (current: ReservationAnswer) =>
  env.TENANT_ACME.prepare(
    "SELECT pickup_place_id, pickup_place, return_place_id, return_place FROM bookings WHERE id = ?",
  )
    .bind(current.reservation.id)
    .first();
const UNKNOWN = {
  pickup_place_id: null,
  pickup_place: "Mostrador viejo",
  return_place_id: null,
  return_place: "Mostrador viejo",
};

describe("an imported contract whose places aren't in the catalogue", () => {
  // Proves "rules.md: the life of a contract": An imported contract with unknown places can be changed before it begins
  //   and in progress
  test("allows changes to an imported contract's other fields, and keeps the prices and names of its places", async () => {
    const createdReservation = await importContract();
    const { total_cost } = createdReservation.reservation;
    const noted = await change(createdReservation, { notes: "By ferry" });
    const equipped = await change(noted, { extras: [{ code: "GPS" }] });
    expect(Number(equipped.reservation.total_cost)).toBe(Number(total_cost) + 15);
    const longer = await change(equipped, { date_to: getBookableDay(4) });
    expect(longer.reservation).toMatchObject({ days: 4, item_cost: "120.00" });
    expect(await getPlaces(createdReservation)).toEqual(UNKNOWN);
    const placed = await change(longer, { return_place: 1 });
    expect(await getPlaces(placed)).toEqual({ ...UNKNOWN, return_place_id: 1, return_place: "Aeropuerto" });
    const cancelled = await performAction(placed, "cancel", { reason: "ill" });
    expect(cancelled.reservation.status).toBe("cancelled");
  });

  test("charges the place supplement once if only the pickup of an imported contract changes", async () => {
    await env.TENANT_ACME.prepare(
      "INSERT INTO one_way_fees (branch_group_id, return_branch_group_id, price_cents) VALUES (1, 2, 5000)",
    ).run();
    const createdReservation = await importContract({ pickup_place: 4, return_place: 3 });
    expect(createdReservation.reservation).toMatchObject({ return_place_cost: "50.00", pickup_place_cost: "0.00" });
    const changedReservation = await change(createdReservation, { pickup_place: 2 });
    expect(changedReservation.reservation).toMatchObject({ return_place_cost: "50.00", pickup_place_cost: "15.00" });
    expect((await change(changedReservation, { pickup_place: 1 })).reservation).toMatchObject({
      return_place_cost: "50.00",
    });
  });

  // Proves "rules.md: the life of a contract": … and goes through the rest of its life
  test("hands over, extends, sells extras to, ends early and closes an imported contract, and prints its documents", async () => {
    const createdReservation = await importContract({
      date_from: getBookableDay(-90),
      time_from: "23:59",
      date_to: getBookableDay(-87),
      time_to: "10:00",
    });
    const assigned = await performAction(createdReservation, "assign", { reference: "A-1" });
    const out = await performAction(assigned, "deliver", { reference: "A-1", kilometres: 1000, fuel_eighths: 8 });
    const longer = await performAction(out, "extend", { date_to: getBookableDay(-85), time_to: "10:00" });
    const equipped = await change(longer, { extras: [{ code: "GPS" }] });
    const shorter = await performAction(equipped, "early-return", { date_to: getBookableDay(-86), time_to: "10:00" });
    const pdf = await callOffice("GET", `/reservations/${createdReservation.reservation.id}/contract.pdf`, { token });
    expect(pdf.status).toBe(200);
    const back = await performAction(shorter, "collect", { kilometres: 1100, fuel_eighths: 8 });
    expect(back.reservation.status).toBe("done");
    expect(await getPlaces(createdReservation)).toEqual(UNKNOWN);
  });

  // Proves "rules.md: the life of a contract": A contract of another system exchanges its vehicle
  test("exchanges an imported contract's vehicle during the rental, also for a better one, and closes it with both readings", async () => {
    const createdReservation = await importContract({
      date_from: getBookableDay(-90),
      time_from: "23:59",
      date_to: getBookableDay(-87),
      time_to: "10:00",
    });
    const assigned = await performAction(createdReservation, "assign", { reference: "A-1" });
    const out = await performAction(assigned, "deliver", { reference: "A-1", kilometres: 1000, fuel_eighths: 8 });
    const readings = { kilometres_in: 1050, fuel_eighths_in: 8, kilometres_out: 2000, fuel_eighths_out: 8 };
    const other = await performAction(out, "exchange", { reference: "A-2", ...readings, reason: "A flat tyre" });
    expect(other.reservation).toMatchObject({ total_cost: out.reservation.total_cost, status: "in_progress" });
    expect(other.reservation.units).toMatchObject([{ reference: "A-2" }]);
    const better = await performAction(other, "exchange", {
      ...{ reference: "B-1", kilometres_in: 2010, fuel_eighths_in: 8, kilometres_out: 500, fuel_eighths_out: 8 },
      ...{ reason: "The customer wants a van", upgrade_price: "60.00" },
    });
    expect(Number(better.reservation.total_cost)).toBe(Number(out.reservation.total_cost) + 60);
    const back = await performAction(better, "collect", { kilometres: 600, fuel_eighths: 8 });
    expect(back.reservation).toMatchObject({ status: "done", total_cost: better.reservation.total_cost });
    expect(await getPlaces(createdReservation)).toEqual(UNKNOWN);
  });
});
