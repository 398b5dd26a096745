import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { readFirstRow } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { addFaults, openTestTenant, type RoundTripFault } from "#support/databases.ts";
import { callOffice, type ReservationAnswer, readReservationAnswer } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import worker from "#worker/entry/office.ts";

// Retrying until there's a response applies each action once, wherever the network failed. The first round trip (0)
// only reads, the second writes everything.
const CASES: readonly (readonly [fault: RoundTripFault, at: number])[] = [
  ["before", 1],
  ["after", 1],
  ["twice", 1],
];
const MAX_ATTEMPTS = 5;
const PARALLEL_REQUESTS = inject("isThorough") ? 50 : 20;

type Body = Readonly<Record<string, unknown>>;

let boss: string;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare("UPDATE settings SET early_return_refund = 'unused_days'"),
    env.TENANT_ACME.prepare(`INSERT INTO cancellation_terms (occasion, hours_before, fee_type, fee_value)
      VALUES ('cancellation', 10000, 'percentage', 1000), ('no_show', NULL, 'percentage', 10000)`),
  ]);
  await openTestTenant(env).freshSnapshot();
  boss = await createToken("boss");
});

const NEW = {
  ...{ date_from: getBookableDay(0), time_from: "10:00", date_to: getBookableDay(3), time_to: "10:00" },
  ...{ pickup_place: 1, return_place: 1, category_code: "A" },
  customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com" },
};

type Failing = (typeof CASES)[number];

/** Sends a request over a network that fails at a given round trip, until there's a response. */
async function untilAnswered([fault, at]: Failing, url: string, init: RequestInit): Promise<Response> {
  const faults = [...Array.from({ length: at }, () => "none" as const), fault, "none" as const];
  const bindings = { ...env, TENANT_ACME: addFaults(env.TENANT_ACME, faults) };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const answer = await worker.fetch(new Request(url, init), bindings, createExecutionContext());
    if (answer.status < 500) return answer;
    expect(answer.status).toBe(503);
    await answer.body?.cancel();
  }
  throw new Error(`${url} was never answered`);
}

/** Sends an office write with one idempotency key. */
function overNetwork(fault: Failing, method: string, path: string, body: Body): Promise<ReservationAnswer> {
  const headers = {
    Authorization: boss,
    "Content-Type": "application/json",
    "Idempotency-Key": `"${crypto.randomUUID()}"`,
  };
  const url = `http://acme.localhost:8787/api/v1/office${path}`;
  return readReservationAnswer(untilAnswered(fault, url, { method, headers, body: JSON.stringify(body) }));
}

const EXCHANGE = {
  ...{ reference: "A-2", kilometres_in: 1200, fuel_eighths_in: 6 },
  ...{ kilometres_out: 5000, fuel_eighths_out: 8, reason: "Flat tyre" },
  damages_in: [{ part: "roof", kind: "dent", severity: "light", x: 500, y: 483 }],
};

/** A contract's life with every office action: path, body and history event. */
const LIFE: readonly (readonly [move: string, said: Body, event: string])[] = [
  ["confirm", {}, "confirmed"],
  ["", { extras: [{ code: "SEAT" }] }, "changed"],
  ["assign", { reference: "A-1" }, "assigned"],
  ["assign", { reference: null }, "unassigned"],
  ["deliver", { reference: "A-1", kilometres: 1000, fuel_eighths: 8 }, "delivered"],
  ["exchange", EXCHANGE, "exchanged"],
  ["extend", { date_to: getBookableDay(5), time_to: "10:00" }, "extended"],
  ["early-return", { date_to: getBookableDay(4), time_to: "10:00" }, "early_return"],
  ["collect", { kilometres: 5300, fuel_eighths: 8 }, "collected"],
  ["reopen", { reason: "Misread" }, "reopened"],
  ["collect", { kilometres: 5200, fuel_eighths: 8 }, "collected"],
  ["surcharge", { code: "GPS", amount: "40.00", text: "A fine", reason: "Came by post" }, "changed"],
];

describe("over a network that fails", () => {
  // Proves "rules.md: the life of a contract": Each move is one batch on the version it was decided on, done once
  //   whatever the network does
  // Proves "rentals.md": S5
  test.each(CASES)("applies each action of a contract once if the network fails %s round trip %i", async (...fault) => {
    let now: ReservationAnswer = await overNetwork(fault, "POST", "/reservations", {
      ...NEW,
      status: "pending_confirmation",
    });
    for (const [move, item, event] of LIFE) {
      const { id, version } = now.reservation;
      const path = `/reservations/${id}${move && `/${move}`}`;
      now = await overNetwork(fault, move ? "POST" : "PATCH", path, { expected_version: version, ...item });
      expect({ event, version: now.reservation.version }).toEqual({ event, version: version + 1 });
      expect(now.history[0]).toMatchObject({ move: event });
    }
    expect(now.reservation.status).toBe("done");
    expect(now.history.map(({ move }) => move).reverse()).toEqual(["created", ...LIFE.map(([, , event]) => event)]);
    // Invoiced, credited and invoiced again: the sum equals the price.
    expect(now.documents.map(({ total }) => Number(total)).reduce((sum, total) => sum + total, 0)).toBe(
      Number(now.reservation.total_cost),
    );
    expect(await readFirstRow("SELECT count(*) AS n FROM bookings")).toEqual({ n: 1 });
    expect(await readFirstRow("SELECT count(*) AS n FROM stock_allocations")).toEqual({ n: 0 });
    expect(await readFirstRow("SELECT count(*) AS n FROM exchanged_vehicles")).toEqual({ n: 1 });
    expect(await readFirstRow("SELECT count(*) AS n FROM surcharges")).toEqual({ n: 1 });
    expect(await readFirstRow("SELECT count(*) AS n FROM vehicle_damages")).toEqual({ n: 1 });
  });

  // Proves "rules.md: the life of a contract": … so are the moves that end it
  // Proves "rentals.md": S6
  test.each(CASES)(
    "applies a cancellation and a no-show once if the network fails %s round trip %i",
    async (...fault) => {
      for (const [move, event] of [
        ["cancel", "cancelled"],
        ["no-show", "no_show"],
      ] as const) {
        const createdReservation = await readReservationAnswer(
          callOffice("POST", "/reservations", { token: boss, body: NEW }),
        );
        if (move === "no-show")
          await env.TENANT_ACME.prepare(
            "UPDATE bookings SET date_from = date(date_from, '-91 days'), date_to = date(date_to, '-91 days') WHERE id = ?",
          )
            .bind(createdReservation.reservation.id)
            .run();
        const body = { expected_version: createdReservation.reservation.version, reason: "Ill" };
        const ended = await overNetwork(
          fault,
          "POST",
          `/reservations/${createdReservation.reservation.id}/${move}`,
          body,
        );
        expect(ended.reservation).toMatchObject({ status: "cancelled", version: 2 });
        expect(ended.history.map(({ move: name }) => name)).toEqual([event, "created"]);
      }
      expect(await readFirstRow("SELECT count(*) AS n FROM stock_allocations")).toEqual({ n: 0 });
    },
  );
});

// Proves "rules.md: the life of a contract": … and those of customers
// Proves "rentals.md": S7
test.each(CASES)(
  "applies a customer's change and cancellation once if the network fails %s round trip %i",
  async (...fault) => {
    await env.TENANT_ACME.prepare("UPDATE settings SET customer_changes_allowed = 1").run();
    await openTestTenant(env).freshSnapshot();
    const { reservation } = await readReservationAnswer(
      callOffice("POST", "/reservations", { token: boss, body: NEW }),
    );
    for (const [step, item, status] of [
      ["change", { extras: [{ code: "GPS" }] }, "confirmed"],
      ["cancel", {}, "cancelled"],
    ] as const) {
      const url = `http://acme.localhost:8787/api/v1/web-customer/reservations/${reservation["free_access_id"]}/${step}`;
      const answer = await untilAnswered(fault, url, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(item),
      });
      expect([answer.status, await answer.json()]).toMatchObject([200, { booking: { status } }]);
    }
    const { results } = await env.TENANT_ACME.prepare("SELECT event FROM booking_history ORDER BY id").all();
    expect(results.map(({ event }) => event)).toEqual(["created", "changed", "cancelled"]);
  },
);

// Proves "rules.md: the life of a contract": Once under a key, however many at once
// Proves "rentals.md": S3
test("creates one reservation, and applies its action once, for many simultaneous requests", async () => {
  const send = (method: string, path: string, key: string, body: unknown) =>
    callOffice(method, path, { token: boss, key, body });
  const sendAll = (ask: () => Promise<Response>) =>
    Promise.all(Array.from({ length: PARALLEL_REQUESTS }, () => readReservationAnswer(ask())));
  const createdReservation = await sendAll(() => send("POST", "/reservations", "once", NEW));
  expect(new Set(createdReservation.map(({ reservation }) => reservation.id)).size).toBe(1);
  const [{ reservation } = { reservation: { id: 0, version: 0 } }] = createdReservation;
  const path = `/reservations/${reservation.id}/cancel`;
  const body = { expected_version: reservation.version, reason: "Ill" };
  const ended = await sendAll(() => send("POST", path, "ill", body));
  expect(new Set(ended.map((reservationAnswer) => reservationAnswer.reservation.version))).toEqual(new Set([2]));
  expect(await readFirstRow("SELECT count(*) AS n FROM bookings")).toEqual({ n: 1 });
  expect(await readFirstRow("SELECT count(*) AS n FROM booking_history")).toEqual({ n: 2 });
});

// Proves "rules.md: the life of a contract": Refused with the rule and the state
// Proves "rentals.md": S2
test("rejects an action that the contract's state doesn't allow, with rule and state, and changes nothing", async () => {
  const createdReservation = await readReservationAnswer(
    callOffice("POST", "/reservations", { token: boss, body: NEW }),
  );
  for (const [move, item, rule] of [
    ["confirm", {}, "only a pending reservation can be confirmed"],
    ["extend", { date_to: getBookableDay(5), time_to: "10:00" }, "the contract isn't in progress"],
    ["no-show", {}, "its pickup time has not passed"],
    ["reopen", { reason: "Misread" }, "the contract isn't closed"],
    ["surcharge", { code: "GPS", reason: "A fine" }, "the contract isn't closed"],
  ] as const) {
    const refused = await callOffice("POST", `/reservations/${createdReservation.reservation.id}/${move}`, {
      token: boss,
      body: { expected_version: createdReservation.reservation.version, ...item },
    });
    const { code, error } = await refused.json<{ code: string; error: string }>();
    expect([refused.status, code, error]).toEqual([409, "action_not_allowed", expect.stringContaining(rule)]);
    expect(error).toContain("confirmed");
  }
  expect(
    await readReservationAnswer(
      callOffice("GET", `/reservations/${createdReservation.reservation.id}`, { token: boss }),
    ),
  ).toEqual(createdReservation);
});
