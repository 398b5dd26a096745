import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createAgencyReservationBody } from "#support/agency.ts";
import { insertCheckInRental, readFirstRow } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { addFaults, addFileFaults, type RoundTripFault } from "#support/databases.ts";
import { createJpeg, sha256 } from "#support/images.ts";
import { bookOnWebsite, createRedsysNotice, enableGateways, startPayment } from "#support/payments.ts";
import { addTestUsers, createToken, PASSWORD, PASSWORD_HASH } from "#support/test-users.ts";
import { createCart, createCheckout } from "#support/website.ts";
import { buildRedsysNotice } from "#tools/platform/redsys-notice.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";
import worker from "#worker/entry/office.ts";

// Faults at each round trip of a use case: a client that repeats its request until there's a response causes exactly
// one execution.
const KINDS: readonly RoundTripFault[] = ["before", "after", "twice"];
const CASES = KINDS.flatMap((fault) => [0, 1, 2].map((at) => [fault, at] as const));
const MAX_ATTEMPTS = 5;

function faultsAt(fault: RoundTripFault, at: number): readonly RoundTripFault[] {
  return [...Array.from({ length: at }, () => "none" as const), fault, "none"];
}

/** Repeats a request to a Worker with faulty bindings until there's a response. */
async function untilAnswered(url: string, init: RequestInit, bindings: Partial<Cloudflare.Env>): Promise<Response> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const answer = await worker.fetch(new Request(url, init), { ...env, ...bindings }, createExecutionContext());
    if (answer.status < 500) return answer;
    expect(answer.status).toBe(503);
  }
  throw new Error("never answered");
}

const createFaultyBindings = (fault: RoundTripFault, at: number) => ({
  TENANT_ACME: addFaults(env.TENANT_ACME, faultsAt(fault, at)),
});
const SITE = "http://acme.localhost:8787";

beforeEach(async () => {
  const company = await setUpCompany();
  await addTestUsers();
  await enableGateways(company);
});

describe("a database that fails at a round trip", () => {
  test.each(CASES)(
    "creates one booking of an agency that retries after a database fault (%s, at round trip %d)",
    async (fault, at) => {
      const path = "/api/booking/ota/booking";
      const body = JSON.stringify(createAgencyReservationBody());
      const headers = {
        "Content-Type": "application/json",
        Authorization: `agency:${await signPathAndQuery("agency-secret", path, body)}`,
      };
      const answer = await untilAnswered(
        SITE + path,
        { method: "POST", headers, body },
        createFaultyBindings(fault, at),
      );
      expect(answer.status).toBe(200);
      expect(await readFirstRow("SELECT count(*) AS n FROM bookings")).toEqual({ n: 1 });
      expect(await readFirstRow("SELECT sum(quantity) AS n FROM stock_allocations WHERE kind = 'category'")).toEqual({
        n: 1,
      });
      expect(await readFirstRow("SELECT count(*) AS n FROM booking_history")).toEqual({ n: 1 });
    },
  );

  test.each(CASES)(
    "creates one booking of a cart if the visitor retries after a database fault (%s, at round trip %d)",
    async (fault, at) => {
      const url = `${SITE}/api/booking/frontend/shopping-cart/${await createCart()}/checkout`;
      const headers = { "Content-Type": "application/json", Origin: "https://shop.example" };
      const init = { method: "POST", headers, body: JSON.stringify(createCheckout()) };
      expect((await untilAnswered(url, init, createFaultyBindings(fault, at))).status).toBe(200);
      expect(await readFirstRow("SELECT count(*) AS n FROM bookings")).toEqual({ n: 1 });
      expect(await readFirstRow("SELECT sum(quantity) AS n FROM stock_allocations WHERE kind = 'category'")).toEqual({
        n: 1,
      });
    },
  );

  test.each(CASES)(
    "starts one payment for a visitor who retries after a database fault (%s, at round trip %d)",
    async (fault, at) => {
      const body = new URLSearchParams({
        id: await bookOnWebsite(),
        payment: "deposit",
        payment_method_id: "tpvA256",
      });
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const init = { method: "POST", headers, body: body.toString() };
      const page = await untilAnswered(`${SITE}/reserva/pagar`, init, createFaultyBindings(fault, at));
      expect(page.status).toBe(200);
      const order = buildRedsysNotice(await page.text()).reference;
      const pendingReservation = await readFirstRow(
        "SELECT count(*) AS n, max(order_reference) AS kept FROM payment_intents WHERE state = 'pending'",
      );
      expect(pendingReservation).toEqual({ n: 1, kept: order });
    },
  );

  test.each(CASES)("records a payment once if the database fails %s round trip %d", async (fault, at) => {
    const id = await bookOnWebsite();
    const intent = await startPayment(id);
    const body = new URLSearchParams(createRedsysNotice(intent)).toString();
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const url = `${SITE}/charge-processed/tpvA256`;
    expect((await untilAnswered(url, { method: "POST", headers, body }, createFaultyBindings(fault, at))).status).toBe(
      200,
    );
    expect(await readFirstRow("SELECT count(*) AS n, sum(amount_cents) AS cents FROM charges")).toEqual({
      n: 1,
      cents: intent.amount_cents,
    });
    expect(await readFirstRow("SELECT total_paid_cents AS cents FROM bookings")).toEqual({
      cents: intent.amount_cents,
    });
  });
});

/** Hash of the same password with outdated parameters. */
const WEAKER_HASH = "scrypt$ln=1,r=1,p=1$YSBzYWx0IG9mIHNpeHRlZQ==$Whal4n/u+YU9qqa35o8uYf1vDkqxUQq8BlWqjvK+ywk=";

test.each([
  ["after", PASSWORD_HASH],
  ["twice", PASSWORD_HASH],
  ["after", WEAKER_HASH],
  ["twice", WEAKER_HASH],
] as const)("signs a user in despite the database fault %s, with the stored password hash %s", async (fault, hash) => {
  await env.TENANT_ACME.prepare("UPDATE users SET password_hash = ?").bind(hash).run();
  const body = JSON.stringify({ username: "boss", password: PASSWORD });
  const init = { method: "POST", headers: { "Content-Type": "application/json" }, body };
  const answer = await untilAnswered(`${SITE}/api/v1/login`, init, createFaultyBindings(fault, 1));
  expect(await answer.json()).toMatchObject({ connected: true });
  const token = answer.headers.get("Authorization") ?? "";
  const read = await untilAnswered(`${SITE}/api/v1/sessions`, { headers: { Authorization: token } }, {});
  expect(read.status).toBe(200);
});

describe("an object store and a database that fail", () => {
  test.each(KINDS.flatMap((file) => KINDS.flatMap((row) => [0, 1].map((at) => [file, row, at] as const))))(
    "stores a photo once despite faults of the object store (%s) and the database (%s, at round trip %d)",
    async (file, row, at) => {
      await insertCheckInRental();
      const photo = createJpeg({ width: 64, height: 48, seed: at + 1 });
      const hash = await sha256(photo);
      const url = `${SITE}/api/v1/booking/7/check-in-files/${hash}`;
      const headers = { Authorization: await createToken("boss"), "Content-Type": "image/jpeg" };
      const bindings = { ...createFaultyBindings(row, at), FILES: addFileFaults(env.FILES, [file, "none"]) };
      const answer = await untilAnswered(url, { method: "PUT", headers, body: photo }, bindings);
      expect([200, 201]).toContain(answer.status);
      expect(await readFirstRow("SELECT count(*) AS n FROM check_in_files")).toEqual({ n: 1 });
      const read = await untilAnswered(url, { headers }, {});
      expect(new Uint8Array(await read.arrayBuffer())).toEqual(photo);
    },
  );
});

describe("temporary failures of object store and database", () => {
  const ask = async (path: string, init: RequestInit, bindings: Partial<Cloudflare.Env>) => {
    const quiet = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const answer = await worker.fetch(new Request(path, init), { ...env, ...bindings }, createExecutionContext());
    quiet.mockRestore();
    return answer;
  };

  test.each([
    ["put: Unspecified error (0)"],
    ["put: Please reduce your concurrent request rate for the same object. (10058)"],
    ["put: The service is temporarily unavailable (10043)"],
  ])("asks the device to resend photos if its object store fails (%s), and stores them then", async (message) => {
    await insertCheckInRental();
    const photo = createJpeg({ width: 64, height: 48, seed: message.length });
    const url = `${SITE}/api/v1/booking/7/check-in-files/${await sha256(photo)}`;
    const headers = { Authorization: await createToken("boss"), "Content-Type": "image/jpeg" };
    const failCall = async () => {
      throw new Error(message);
    };
    const down = { FILES: { put: failCall, head: failCall, get: failCall } as unknown as R2Bucket };
    const refused = await ask(url, { method: "PUT", headers, body: photo }, down);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, expect.any(String)]);
    expect(await readFirstRow("SELECT count(*) AS n FROM check_in_files")).toEqual({ n: 0 });
    expect((await ask(url, { method: "PUT", headers, body: photo }, {})).status).toBe(201);
    expect((await ask(url, { headers }, down)).status).toBe(503);
  });

  test.each([
    ["D1_ERROR: D1 DB exceeded its CPU time limit and was reset.", "overloaded"],
    ["D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.", "overloaded"],
    ["D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.", "overloaded"],
    ["D1_ERROR: D1 DB is overloaded. Too many requests queued.", "overloaded"],
    [
      "D1_ERROR: Your account has exceeded D1's maximum account storage limit, please contact Cloudflare.",
      "storage_full",
    ],
  ])("asks the caller to retry if its database fails (%s)", async (message, code) => {
    await insertCheckInRental();
    const token = await createToken("boss");
    const batch = async () => {
      throw new Error(message);
    };
    const down = {
      TENANT_ACME: { batch, prepare: env.TENANT_ACME.prepare.bind(env.TENANT_ACME) } as unknown as D1Database,
    };
    const answer = await ask(`${SITE}/api/v1/sessions`, { headers: { Authorization: token } }, down);
    expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ code })]);
  });
});
