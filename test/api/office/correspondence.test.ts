import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { createAgencyReservationBody, postAsAgency } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import {
  bookOnWebsite,
  createHostedPageNotice,
  createRedsysDenial,
  createRedsysNotice,
  createRedsysRefundNotice,
  enableGateways,
  sendGatewayNotice,
  startPayment,
} from "#support/payments.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";

const HOUR = 3_600_000;
const db = env.TENANT_ACME;
let isPostOfficeClosed = false;
const MAIL = {
  send: async () => {
    if (isPostOfficeClosed) throw new TypeError("mailbox of ana@example.com unavailable");
    return { messageId: "" };
  },
} as unknown as SendEmail;
const runScheduledWork = (at = Date.now()) => runScheduledJobs({ ...env, MAIL } as Cloudflare.Env, at);

interface Correspondence {
  readonly mails: readonly Readonly<Record<string, unknown>>[];
  readonly payments: readonly (Readonly<Record<string, unknown>> & {
    readonly messages: readonly Readonly<Record<string, unknown>>[];
  })[];
}

let boss = "";

beforeEach(async () => {
  isPostOfficeClosed = false;
  const company = await setUpCompany();
  await addTestUsers();
  await enableGateways(company);
  await db.batch([
    db.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)"),
    db.prepare("UPDATE branches SET email = 'air@example.com' WHERE code = 'AIR'"),
  ]);
  await openTestTenant(env).freshSnapshot();
  boss = await createToken("boss");
});

const lastId = async () => Number(await db.prepare("SELECT max(id) FROM bookings").first("max(id)"));
const read = (id: number, token = boss) => callOffice("GET", `/reservations/${id}/correspondence`, { token });
const readCorrespondence = async (id?: number) => (await read(id ?? (await lastId()))).json<Correspondence>();
const bookAsAgency = async () => {
  const body = createAgencyReservationBody({ customer_email: "ana@example.com" });
  expect((await postAsAgency("/booking", body)).status).toBe(200);
};

describe("mails of a reservation", () => {
  // Proves "security, privacy and operation": Sent mails and gateway messages are listed
  test("lists each mail with its recipient and sending time", async () => {
    await bookAsAgency();
    await runScheduledWork();
    await runScheduledWork();
    const { mails } = await readCorrespondence();
    const mailStates = mails.map(({ kind, recipient, address, state, problem }) => [
      kind,
      recipient,
      address,
      state,
      problem,
    ]);
    expect(mailStates).toEqual([
      ["confirmed", "branch", "air@example.com", "sent", null],
      ["confirmed", "customer", "ana@example.com", "sent", null],
    ]);
    expect(mails[0]?.["sent"]).toMatch(/^\d{4}-\d{2}-\d{2}/);
  });

  test("keeps unsent mails with only the error type, and gives up after two days", async () => {
    isPostOfficeClosed = true;
    await bookAsAgency();
    const at = Date.now();
    await runScheduledWork(at);
    await runScheduledWork(at);
    const { expires_at } = (await db.prepare("SELECT min(expires_at) AS expires_at FROM booking_mails").first()) ?? {};
    expect(Math.abs(Number(expires_at) - at - 48 * HOUR)).toBeLessThan(HOUR);
    const unsent = { sent: null, problem: "TypeError" };
    expect((await readCorrespondence()).mails).toMatchObject([
      { state: "waiting", ...unsent },
      { state: "waiting", ...unsent },
    ]);
    await db
      .prepare("UPDATE booking_mails SET expires_at = ?")
      .bind(Date.now() - HOUR)
      .run();
    expect((await readCorrespondence()).mails).toMatchObject([
      { state: "given_up", ...unsent },
      { state: "given_up", ...unsent },
    ]);
  });

  test("sends mails to the address that the customer had when the mail was created", async () => {
    await bookAsAgency();
    await runScheduledWork();
    await runScheduledWork();
    await db.prepare("UPDATE bookings SET customer_email = 'other@example.com'").run();
    expect((await readCorrespondence()).mails.map(({ address }) => address)).toEqual([
      "air@example.com",
      "ana@example.com",
    ]);
  });

  test("lists a mail from before the mail log existed with unknown address and state", async () => {
    await bookAsAgency();
    const id = await lastId();
    await db
      .prepare(
        "INSERT INTO booking_mails (booking_id, kind, history_id, recipient, at) VALUES (?, 'reminder', 0, 'customer', 1)",
      )
      .bind(id)
      .run();
    expect((await readCorrespondence(id)).mails).toMatchObject([
      { kind: "reminder", address: null, state: "unknown", sent: null },
    ]);
  });
});

describe("payments of a reservation at gateways", () => {
  test("lists denied payments with the gateway's own answer", async () => {
    const id = await bookOnWebsite();
    const intent = await startPayment(id);
    await sendGatewayNotice("tpvA256", createRedsysDenial(intent));
    const { payments } = await readCorrespondence(intent.booking_id);
    expect(payments).toMatchObject([
      {
        ...{ method: "tpvA256", part: "deposit", order: intent.order_reference, state: "denied", paid: null },
        messages: [{ kind: "denied", outcome: "denied", answer: "0190" }],
      },
    ]);
  });

  test("lists a denied payment and its successful retry separately, latest first, and a refund with the gateway's code", async () => {
    const id = await bookOnWebsite();
    const first = await startPayment(id, "tpvC");
    await sendGatewayNotice("tpvC", createHostedPageNotice(first, { RESULT: "101", MESSAGE: "DECLINED", PASREF: "1" }));
    await db.prepare("UPDATE payment_intents SET created_at = created_at - 1000").run();
    const second = await startPayment(id);
    await sendGatewayNotice("tpvA256", createRedsysNotice(second));
    await sendGatewayNotice("tpvA256", createRedsysRefundNotice(second));
    const { payments } = await readCorrespondence(first.booking_id);
    expect(payments.map(({ method, state }) => [method, state])).toEqual([
      ["tpvA256", "paid"],
      ["tpvC", "denied"],
    ]);
    expect(payments[0]?.messages.map(({ kind, code, answer }) => [kind, code, answer])).toEqual([
      ["authorised", "123456", "0000"],
      ["refunded", "777777", "0900"],
    ]);
    expect(payments[1]?.messages).toMatchObject([{ answer: "101 DECLINED" }]);
  });
});

test("hides correspondence from other branches and customers, and returns 404 for unknown reservations", async () => {
  await bookAsAgency();
  const id = await lastId();
  expect((await read(id, await createToken("desk"))).status).toBe(200);
  await db.prepare("UPDATE user_branches SET branch_code = 'ISLE'").run();
  expect((await read(id, await createToken("desk"))).status).toBe(404);
  expect((await read(999_999)).status).toBe(404);
  expect((await read(id, await createToken("ana"))).status).toBe(403);
});

test("returns the names of a reservation's agency and sales channel, and the agency as actor in the history", async () => {
  await bookAsAgency();
  await db.batch([
    db.prepare("INSERT INTO sales_channels (code, name) VALUES ('PORTALS', 'Portals')"),
    db.prepare("UPDATE bookings SET sales_channel_code = 'PORTALS'"),
  ]);
  const answer = await callOffice("GET", `/reservations/${await lastId()}`, { token: boss });
  const { reservation, history } = await answer.json<{
    reservation: Readonly<Record<string, unknown>>;
    history: readonly { readonly who: string }[];
  }>();
  expect(reservation).toMatchObject({ agency_name: "First Agency", sales_channel_name: "Portals" });
  expect(history.map(({ who }) => who)).toEqual(["agency:First Agency"]);
});
