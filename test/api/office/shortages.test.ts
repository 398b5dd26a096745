import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import {
  createAgencyReservationBody,
  createAvailabilityPath,
  getAsAgency,
  getBookableDay,
  postAsAgency,
} from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { callOffice, type ReservationAnswer, readReservationAnswer } from "#support/office.ts";
import { addAgentAndManager } from "#support/test-users.ts";

const tokens = { agent: "", manager: "" };

beforeEach(async () => {
  await setUpCompany();
  Object.assign(tokens, await addAgentAndManager());
});

const REASON = "A car comes back from repair";
const ACCEPTED = { accept_shortage: true, reason: REASON };
const createBody = (changes: object = {}) => ({
  ...{ date_from: getBookableDay(5), time_from: "10:00", date_to: getBookableDay(8), time_to: "10:00" },
  ...{ pickup_place: 1, return_place: 1, category_code: "A" },
  customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com" },
  ...changes,
});
const create = (changes: object = {}, token = tokens.manager) =>
  callOffice("POST", "/reservations", { token, body: createBody(changes) });

/** Sells all units of the category for the days. */
async function sellOut(days: object = {}): Promise<ReservationAnswer> {
  let last: ReservationAnswer | undefined;
  for (;;) {
    const answer = await create(days);
    if (answer.status !== 201) break;
    last = await answer.json<ReservationAnswer>();
  }
  if (!last) throw new Error("nothing could be sold");
  return last;
}

const listShortages = async () => {
  const answer = await callOffice("GET", "/attention?kind=shortage", { token: tokens.manager });
  const { data } = await answer.json<{ data: readonly { kind: string }[] }>();
  return data.filter(({ kind }) => kind === "shortage");
};
const EXTENSION = { date_to: getBookableDay(10), time_to: "10:00" };
const extend = ({ reservation }: ReservationAnswer, body: object, token = tokens.manager) =>
  callOffice("POST", `/reservations/${reservation.id}/extend`, {
    token,
    body: { expected_version: reservation.version, ...EXTENSION, ...body },
  });
const quoteExtension = async ({ reservation: { id } }: ReservationAnswer, token: string) => {
  const body = { move: "extend", ...EXTENSION };
  return (await callOffice("POST", `/reservations/${id}/quote`, { token, body })).json();
};

/** Creates a rental of eight days whose vehicle is out. */
async function deliver(changes: object = {}): Promise<ReservationAnswer> {
  const { reservation } = await readReservationAnswer(
    create({ date_from: getBookableDay(0), date_to: getBookableDay(8), ...changes }),
  );
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare("UPDATE bookings SET status = 'in_progress' WHERE id = ?").bind(reservation.id),
    env.TENANT_ACME.prepare(`UPDATE booking_units SET vehicle_reference = (SELECT min(reference) FROM vehicles WHERE category_code = 'A'),
      delivered_at = ?1 WHERE booking_id = ?2`).bind(Date.now(), reservation.id),
  ]);
  const read = await callOffice("GET", `/reservations/${reservation.id}`, { token: tokens.manager });
  return read.json<ReservationAnswer>();
}

describe("overbooking", () => {
  // Proves "office.md: the vehicles of a contract": sold_out names who can approve it
  test("rejects an overbooking without a manager's decision, and names the users who can approve it", async () => {
    await sellOut();
    const refused = await create({}, tokens.agent);
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: "sold_out", params: { approvers: "Bea Boss, Max Manager" } },
    ]);
    const quoted = await callOffice("POST", "/reservations/quote", { token: tokens.agent, body: createBody() });
    expect(await quoted.json()).toMatchObject({
      available: false,
      reasons: [{ code: "sold_out", params: { approvers: "Bea Boss, Max Manager" } }],
    });
  });

  // Proves "office.md: the vehicles of a contract": accept_shortage: a manager creates with a reason; a shortage until
  //   resolved
  test("lets a manager overbook with a reason, and lists the shortage until it is resolved", async () => {
    await sellOut();
    expect(await listShortages()).toEqual([]);
    const quoted = await callOffice("POST", "/reservations/quote", {
      token: tokens.manager,
      body: createBody({ accept_shortage: true }),
    });
    expect(await quoted.json()).toMatchObject({ available: true, warnings: [{ code: "shortage_accepted" }] });
    const createdReservation = await readReservationAnswer(create(ACCEPTED));
    expect(createdReservation.history).toMatchObject([
      { move: "created", who: "Max Manager", after: { shortage_accepted: true }, reason: REASON },
    ]);
    expect(await listShortages()).toMatchObject([{ kind: "shortage" }]);
    // The stock guard still refuses sales without an accepted shortage.
    expect((await create()).status).toBe(409);
    const cancelled = await callOffice("POST", `/reservations/${createdReservation.reservation.id}/cancel`, {
      token: tokens.manager,
      body: { expected_version: createdReservation.reservation.version, reason: "No car" },
    });
    expect(cancelled.status).toBe(200);
    expect(await listShortages()).toEqual([]);
  });

  test("names no accepted shortage in the history if a vehicle was free", async () => {
    const { history } = await readReservationAnswer(create(ACCEPTED));
    expect(history).toMatchObject([{ move: "created", after: null, reason: REASON }]);
  });

  // Proves "office.md: the vehicles of a contract": accept_shortage: never offered to agencies
  test("never offers overbooking to agencies", async () => {
    await sellOut();
    expect((await create(ACCEPTED)).status).toBe(201);
    const days = { "date-from": getBookableDay(5), "date-to": getBookableDay(8) };
    const { response } = await (await getAsAgency(createAvailabilityPath(days))).json<{
      response: { products: readonly { code: string; available: boolean }[] };
    }>();
    expect(response.products.find(({ code }) => code === "A")).toMatchObject({ available: false });
    const saleResponse = await postAsAgency(
      "/booking",
      createAgencyReservationBody({ date_from: getBookableDay(5), date_to: getBookableDay(8) }),
    );
    expect(saleResponse.status).toBe(409);
  });

  // Proves "office.md: the vehicles of a contract": accept_shortage: needs a reason and a manager
  test("requires a reason and a manager for overbooking", async () => {
    await sellOut();
    const without = await create({ accept_shortage: true });
    expect([without.status, await without.json()]).toMatchObject([400, { detail: [{ field: "reason" }] }]);
    const byAgent = await create(ACCEPTED, tokens.agent);
    expect([byAgent.status, await byAgent.json()]).toMatchObject([403, { code: "permission_denied" }]);
    expect(await env.TENANT_ACME.prepare("SELECT count(*) AS n FROM accepted_shortages").first("n")).toBe(0);
  });

  // Proves "office.md: the vehicles of a contract": accept_shortage: extends and keeps the reason
  test("extends a rental despite missing stock, and records the reason in its history", async () => {
    const first = await deliver();
    await sellOut({ date_from: getBookableDay(9), date_to: getBookableDay(12) });
    const refused = await extend(first, {}, tokens.agent);
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: "sold_out", params: { approvers: "Bea Boss, Max Manager" } },
    ]);
    const quote = (body: object, token: string) =>
      callOffice("POST", `/reservations/${first.reservation.id}/quote`, {
        token,
        body: { move: "extend", date_to: getBookableDay(10), time_to: "10:00", ...body },
      });
    expect(await (await quote({}, tokens.agent)).json()).toMatchObject({
      allowed: false,
      reasons: [{ code: "sold_out", params: { approvers: "Bea Boss, Max Manager" } }],
    });
    expect(await (await quote({ accept_shortage: true }, tokens.manager)).json()).toMatchObject({ allowed: true });
    expect((await extend(first, ACCEPTED, tokens.agent)).status).toBe(403);
    const extended = await readReservationAnswer(extend(first, ACCEPTED));
    expect(extended.reservation).toMatchObject({ date_to: getBookableDay(10) });
    expect(extended.history[0]).toMatchObject({ reason: REASON, after: { shortage_accepted: true } });
    expect(await listShortages()).toHaveLength(1);
    // The accepted shortage doesn't cover the next change, so the stock guard refuses it.
    expect((await extend(extended, { date_to: getBookableDay(12) })).status).toBe(409);
  });

  // Proves "office.md: the vehicles of a contract": an extension of a vehicle that is out is never a dead end
  test("names who can approve an extension beyond the longest rental, and lets a manager extend it", async () => {
    const first = await deliver();
    await env.TENANT_ACME.prepare("UPDATE settings SET maximum_days = 9").run();
    const refused = await extend(first, {}, tokens.agent);
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: "permission_denied", params: { right: "manage", approvers: "Bea Boss, Max Manager" } },
    ]);
    expect(await quoteExtension(first, tokens.agent)).toMatchObject({
      allowed: false,
      reasons: [{ code: "permission_denied", params: { approvers: "Bea Boss, Max Manager" } }],
    });
    expect(await quoteExtension(first, tokens.manager)).toMatchObject({
      allowed: true,
      warnings: [{ code: "maximum_days" }],
    });
    const extended = await readReservationAnswer(extend(first, {}));
    expect(extended.reservation).toMatchObject({ date_to: getBookableDay(10) });
  });

  // Proves "office.md: the vehicles of a contract": an extension of a vehicle that is out is never a dead end
  test("names who can approve an extension whose discount passes the agent's limit", async () => {
    const first = await deliver({ discount: { kind: "percentage", value: "50.00", reason: "Fair" } });
    await env.TENANT_ACME.prepare(
      "UPDATE settings SET agent_limit_cents = (SELECT discount_cents FROM bookings WHERE id = ?)",
    )
      .bind(first.reservation.id)
      .run();
    const refused = await extend(first, {}, tokens.agent);
    const refusal = { code: "discount_limit", params: { approvers: "Bea Boss, Max Manager" } };
    expect([refused.status, await refused.json()]).toMatchObject([403, refusal]);
    expect(await quoteExtension(first, tokens.agent)).toMatchObject({ allowed: false, reasons: [refusal] });
    expect((await extend(first, {})).status).toBe(200);
  });

  // Proves "office.md: the vehicles of a contract": accept_shortage: changes a reservation
  test("changes a reservation to sold-out dates only if a manager accepts the shortage with a reason", async () => {
    const first = await readReservationAnswer(create({ date_from: getBookableDay(20), date_to: getBookableDay(23) }));
    await sellOut();
    const change = (body: object) =>
      callOffice("PATCH", `/reservations/${first.reservation.id}`, {
        token: tokens.manager,
        body: {
          expected_version: first.reservation.version,
          date_from: getBookableDay(5),
          date_to: getBookableDay(8),
          ...body,
        },
      });
    expect((await change({})).status).toBe(409);
    expect((await change({ accept_shortage: true })).status).toBe(400);
    expect((await change(ACCEPTED)).status).toBe(200);
  });
});
