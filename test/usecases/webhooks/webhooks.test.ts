import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { cancelBookingAsAgency, createAgencyReservationBody, postAsAgency } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { addFaults, openTestTenant } from "#support/databases.ts";
import { chooseForGate } from "#support/gate-sample.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { WebhookReceivers } from "#support/webhook-receivers.ts";
import { signWebhookV1 } from "#worker/auth/webhook-signature.ts";
import worker from "#worker/entry/office.ts";
import { sendWebhooks } from "#worker/usecases/webhooks/send-webhooks.ts";

const ERP = "https://erp.example/hook";
const AGENCY = "https://agency.example/hook";
const BAD = "https://bad.example/hook";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let boss = "";
let partners: WebhookReceivers;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  boss = await createToken("boss");
  partners = new WebhookReceivers().listen();
});

afterEach(() => {
  vi.restoreAllMocks();
});

interface Webhook {
  readonly id: number;
  readonly version: number;
  readonly secret: string;
  readonly active: boolean;
  readonly disabled_reason: string | null;
}

/** Bookings also add customers, whose events would be between those that a test counts. */
const WITHOUT_CUSTOMERS = ["booking", "transfer", "check_in", "payment", "document", "vehicle"].map(
  (group) => `${group}.*`,
);

async function addWebhook(terms: Readonly<Record<string, unknown>>): Promise<Webhook> {
  const body = { events: WITHOUT_CUSTOMERS, ...terms };
  const createdWebhook = await callOffice("POST", "/webhooks", { token: boss, body });
  expect(createdWebhook.status).toBe(201);
  return (await createdWebhook.json<{ webhook: Webhook }>()).webhook;
}

async function book(): Promise<string> {
  const reservation = createAgencyReservationBody();
  expect((await postAsAgency("/booking", reservation)).status).toBe(200);
  return String(reservation.reservation["agency_reservation_id"]);
}

const deliver = (after = 0) =>
  sendWebhooks(openTestTenant(env), Date.now() + after, { milliseconds: 200, bytes: 4_000 });
const readWebhook = async ({ id }: Webhook) =>
  (await (await callOffice("GET", `/webhooks/${id}`, { token: boss })).json<{ webhook: Webhook }>()).webhook;

interface Deliveries {
  readonly total: number;
  readonly data: readonly {
    readonly event_id: string;
    readonly type: string;
    readonly state: string;
    readonly attempts: number;
    readonly tried: readonly {
      readonly response: { readonly status: number; readonly body: string } | null;
      readonly problem: string | null;
      readonly request: { readonly headers: Readonly<Record<string, string>> };
    }[];
  }[];
}
const listDeliveries = async ({ id }: Webhook) =>
  (await callOffice("GET", `/webhooks/${id}/deliveries`, { token: boss })).json<Deliveries>();

describe("webhook delivery to a partner", () => {
  // Proves "webhooks.md": Events come in their order, signed, and are shown with their answers
  test("sends signed webhook events in order, with their IDs", async () => {
    const webhook = await addWebhook({ url: ERP });
    const reference = await book();
    expect((await cancelBookingAsAgency(reference)).status).toBe(200);
    await deliver();
    expect(partners.typesOf(ERP)).toEqual(["booking.created", "booking.cancelled"]);
    const [created] = partners.of(ERP);
    const { data } = JSON.parse(created?.body ?? "");
    expect(data).toMatchObject({ agency_reservation_id: reference, agency_id: 1, rental_location_code: "AIR" });
    const header = (name: string) => created?.headers.get(name) ?? "";
    const signed = `${header("webhook-id")}.${header("webhook-timestamp")}.${created?.body}`;
    const v1 = await signWebhookV1(webhook.secret, Uint8Array.from(new TextEncoder().encode(signed)));
    expect(header("webhook-signature").split(" ")[0]).toBe(v1);
    expect(header("webhook-signature")).toMatch(/ v1a,[A-Za-z0-9+/]{86}==$/);
    expect(await deliver(DAY)).toBe(0);
    expect(await listDeliveries(webhook)).toMatchObject({ total: 2, data: [{ state: "delivered", attempts: 1 }, {}] });
  });

  // Proves "webhooks.md": A duplicate has the same id and the same bytes
  test("repeats the same bytes and ID after a kill before the response was recorded", async () => {
    await addWebhook({ url: ERP });
    await book();
    // The first four calls succeed, the one that stores the result fails.
    const killed = openTestTenant({
      ...env,
      TENANT_ACME: addFaults(env.TENANT_ACME, ["none", "none", "none", "none", "before"]),
    });
    await expect(sendWebhooks(killed, Date.now())).rejects.toThrow();
    expect(partners.typesOf(ERP)).toEqual(["booking.created"]);
    expect(await deliver(MINUTE)).toBe(0);
    expect(await deliver(6 * MINUTE)).toBe(1);
    const [first, second] = partners.of(ERP);
    expect(second?.headers.get("webhook-id")).toBe(first?.headers.get("webhook-id"));
    expect(second?.body).toBe(first?.body);
  });

  // Proves "webhooks.md": A sender that is killed loses nothing
  test.each([0, 1, 2, 3])("loses no event when the sender is killed at step %i", async (step) => {
    await addWebhook({ url: ERP });
    const reference = await book();
    const faults = [...Array.from({ length: step }, () => "none" as const), "after" as const, "before" as const];
    await sendWebhooks(openTestTenant({ ...env, TENANT_ACME: addFaults(env.TENANT_ACME, faults) }), Date.now()).catch(
      () => undefined,
    );
    expect((await cancelBookingAsAgency(reference)).status).toBe(200);
    await deliver(6 * MINUTE);
    expect(partners.typesOf(ERP)).toEqual(["booking.created", "booking.cancelled"]);
  });

  // Proves "webhooks.md": Events of one contract are ordered, others are independent
  test("delivers the events of one booking in order despite failures, and other bookings' in the meantime", async () => {
    const webhook = await addWebhook({ url: ERP });
    const first = await book();
    expect((await cancelBookingAsAgency(first)).status).toBe(200);
    const second = await book();
    let isDown = true;
    partners.answers(ERP, ({ body }) => new Response("", { status: isDown && body.includes(first) ? 400 : 200 }));
    await deliver();
    const listReceivedEvents = () =>
      partners.of(ERP).map(({ body }) => [JSON.parse(body).type, body.includes(first) ? 1 : 2]);
    expect(listReceivedEvents()).toEqual([
      ["booking.created", 1],
      ["booking.created", 2],
    ]);
    isDown = false;
    await deliver(MINUTE);
    expect(listReceivedEvents().slice(2)).toEqual([
      ["booking.created", 1],
      ["booking.cancelled", 1],
    ]);
    expect(second).not.toBe(first);
    expect((await listDeliveries(webhook)).data.every(({ state }) => state === "delivered")).toBe(true);
  });

  test("sends an agency only the events of its own bookings", async () => {
    await addWebhook({ url: AGENCY, agency_id: 2 });
    await addWebhook({ url: ERP, events: ["booking.created"] });
    await book();
    await deliver();
    expect(partners.typesOf(AGENCY)).toEqual([]);
    expect(partners.typesOf(ERP)).toEqual(["booking.created"]);
  });

  // Proves "webhooks.md": An agency hears its own, a day again too, and its address never becomes another's
  test("sends an agency its own events, also in a replay, and rejects another agency for its webhook", async () => {
    const webhook = await addWebhook({ url: AGENCY, agency_id: 1, events: ["*"] });
    const reference = await book();
    await env.TENANT_ACME.prepare(`INSERT INTO charges (booking_id, source_doc, payment_type, payment_method_id, date,
      amount_cents, currency, branch_code, created_at, last_update)
      SELECT max(id), 'booking', 'charge', 'cash', 3, 1250, 'EUR', 'AIR', 3, 3 FROM bookings`).run();
    await deliver();
    const listReceivedEvents = () => partners.of(AGENCY).map(({ body }) => JSON.parse(body));
    expect(listReceivedEvents()).toMatchObject([
      { type: "booking.created", data: { agency_reservation_id: reference } },
    ]);
    await callOffice("POST", `/webhooks/${webhook.id}/replay`, { token: boss, body: { from: "2020-01-01" } });
    await deliver();
    expect(partners.typesOf(AGENCY)).toEqual(["booking.created", "booking.created"]);
    for (const agency_id of [2, null]) {
      const body = { expected_version: webhook.version, agency_id };
      const refused = await callOffice("PATCH", `/webhooks/${webhook.id}`, { token: boss, body });
      expect([refused.status, await refused.json()]).toMatchObject([400, { detail: [{ field: "agency_id" }] }]);
    }
  });

  // Proves "webhooks.md": `POST /webhooks/{id}/test`
  test("sends a test event at once, and shows its response", async () => {
    const webhook = await addWebhook({ url: ERP, events: ["vehicle.*"] });
    partners.answers(ERP, () => new Response("thank you", { status: 202 }));
    const tried = await callOffice("POST", `/webhooks/${webhook.id}/test`, { token: boss, key: "trial" });
    expect(await tried.json()).toMatchObject({
      delivery: { type: "webhook.test", state: "delivered", tried: [{ response: { status: 202, body: "thank you" } }] },
    });
    await callOffice("POST", `/webhooks/${webhook.id}/test`, { token: boss, key: "trial" });
    expect(partners.of(ERP)).toHaveLength(1);
    partners.answers(ERP, () => new Response("", { status: 500 }));
    const refused = await callOffice("POST", `/webhooks/${webhook.id}/test`, { token: boss });
    // Authentication, sending, storing the result, and the response.
    expect(refused.headers.get("Server-Timing")).toMatch(/ depth=4"/);
    expect(await refused.json()).toMatchObject({
      delivery: { state: "failed", tried: [{ response: { status: 500 } }] },
    });
    expect((await callOffice("POST", "/webhooks/99/test", { token: boss })).status).toBe(404);
  });

  test("leaves no rows of a webhook deleted during its own delivery, and still delivers to others", async () => {
    const [receivedEvent, tried] = [
      await addWebhook({ url: BAD }),
      await addWebhook({ url: AGENCY, events: ["booking.cancelled"] }),
    ];
    await addWebhook({ url: ERP });
    const deliveryStatuses: number[] = [];
    for (const [url, { id, version }] of [[BAD, receivedEvent] as const, [AGENCY, tried] as const])
      partners.answers(url, async () => {
        deliveryStatuses.push(
          (await callOffice("DELETE", `/webhooks/${id}?expected_version=${version}`, { token: boss })).status,
        );
        return new Response("", { status: 500 });
      });
    await book();
    await expect(deliver()).resolves.toBe(1);
    expect(partners.typesOf(ERP)).toEqual(["booking.created"]);
    expect((await callOffice("POST", `/webhooks/${tried.id}/test`, { token: boss })).status).toBe(404);
    expect(deliveryStatuses).toEqual([204, 204]);
  });

  // Proves "webhooks.md": `POST /webhooks/{id}/replay` of a day and of an event
  test("replays a day or one event under the same IDs", async () => {
    const webhook = await addWebhook({ url: ERP, events: ["booking.created"] });
    const reference = await book();
    await cancelBookingAsAgency(reference);
    await book();
    await deliver();
    const ids = () => partners.of(ERP).map(({ headers }) => headers.get("webhook-id"));
    expect(ids()).toHaveLength(2);
    const today = new Date().toISOString().slice(0, 10);
    const replay = (body: unknown, key?: string) =>
      callOffice("POST", `/webhooks/${webhook.id}/replay`, { token: boss, body, ...(key && { key }) });
    expect(await (await replay({ from: today }, "again")).json()).toEqual({ replayed: 2 });
    expect(await (await replay({ from: today }, "again")).json()).toEqual({ replayed: 2 });
    await deliver();
    expect(ids().slice(2)).toEqual(ids().slice(0, 2));
    expect(await (await replay({ event_id: ids()[1] })).json()).toEqual({ replayed: 1 });
    await deliver();
    expect(ids()[4]).toBe(ids()[1]);
    expect(await (await replay({ from: "2031-01-01" })).json()).toEqual({ replayed: 0 });
    const turned = await replay({ from: "2026-11-20", to: "2026-11-19" });
    expect([turned.status, await turned.json()]).toMatchObject([400, { detail: [{ field: "to" }] }]);
    for (const body of [{}, { from: "yesterday" }, { from: today, event_id: "x" }, { from: "2026-02-31" }])
      expect((await replay(body)).status).toBe(400);
  });

  // Proves "webhooks.md": A new secret, and the one before for a week
  test("issues a new secret, and signs with the previous one too for a week", async () => {
    const webhook = await addWebhook({ url: ERP });
    const rotated = await callOffice("POST", `/webhooks/${webhook.id}/rotate-secret`, { token: boss });
    const next = (await rotated.json<{ webhook: Webhook }>()).webhook;
    expect(next.secret).toMatch(/^whsec_/);
    expect(next.secret).not.toBe(webhook.secret);
    await book();
    await deliver();
    const { headers, body } = partners.of(ERP)[0] ?? { headers: new Headers(), body: "" };
    const signed = Uint8Array.from(
      new TextEncoder().encode(`${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${body}`),
    );
    const signatures = (headers.get("webhook-signature") ?? "").split(" ");
    expect(signatures).toHaveLength(4);
    expect(signatures).toContain(await signWebhookV1(webhook.secret, signed));
    expect(signatures).toContain(await signWebhookV1(next.secret, signed));
    await book();
    await deliver(8 * DAY);
    expect(partners.of(ERP)[1]?.headers.get("webhook-signature")?.split(" ")).toHaveLength(2);
  });
});

describe("a webhook address that fails", () => {
  // Proves "webhooks.md": Slow, endless, redirecting and unreachable addresses are limited, logged and block no others
  // Proves "security.md": A56
  test("limits and logs slow, endless, redirecting and unreachable webhooks without blocking others", async () => {
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(1_000).fill(97)),
        }),
      );
    const bad: readonly (readonly [string, () => Response | Promise<Response>])[] = [
      ["https://slow.example/", () => new Promise<Response>(() => undefined)],
      ["https://endless.example/", endless],
      ["https://elsewhere.example/", () => Response.redirect("https://inner.example/", 302)],
      [
        "https://gone.example/",
        () => {
          throw new Error("no route to 10.0.0.1");
        },
      ],
    ];
    const webhooks: Webhook[] = [];
    for (const [url, answering] of bad) {
      partners.answers(url, answering);
      webhooks.push(await addWebhook({ url }));
    }
    await addWebhook({ url: ERP });
    await book();
    await deliver();
    expect(partners.typesOf(ERP)).toEqual(["booking.created"]);
    expect(partners.of("https://inner.example/")).toEqual([]);
    const tried = await Promise.all(webhooks.map(async (webhook) => (await listDeliveries(webhook)).data[0]?.tried[0]));
    expect(tried.map((item) => item?.problem ?? item?.response?.status)).toEqual(["timeout", 200, 302, "unreachable"]);
    expect(tried[1]?.response?.body).toHaveLength(4_000);
  });

  // Proves "webhooks.md": 2xx within 15 seconds is success
  test.each([
    ["stalls", 200, (_: ReadableStreamDefaultController) => undefined],
    ["breaks off", 202, (controller: ReadableStreamDefaultController) => controller.error(new Error("reset"))],
    ["breaks off", 410, (controller: ReadableStreamDefaultController) => controller.error(new Error("reset"))],
  ])("counts the status of a webhook response whose body %s: %i", async (_, status, end) => {
    const webhook = await addWebhook({ url: BAD });
    partners.answers(BAD, () => {
      const chunks = [new TextEncoder().encode("thank")];
      const pull = (controller: ReadableStreamDefaultController) => {
        const chunk = chunks.shift();
        return chunk ? controller.enqueue(chunk) : (end(controller) ?? new Promise<void>(() => undefined));
      };
      return new Response(new ReadableStream({ pull }), { status });
    });
    await book();
    await deliver();
    const [delivery] = (await listDeliveries(webhook)).data;
    expect(delivery?.tried[0]).toMatchObject({ response: { status, body: "thank" }, problem: null });
    expect([delivery?.state, (await readWebhook(webhook)).active]).toEqual(
      status === 410 ? ["waiting", false] : ["delivered", true],
    );
  });

  // Proves "webhooks.md": Nor a public name that stands for one
  // Proves "security.md": A54
  test("doesn't call a webhook if its public host resolves to a private IP address", async () => {
    partners.addressesByName.set("rebind.example", ["10.0.0.7"]);
    partners.addressesByName.set("six.example", ["93.184.216.34", "fd00::1"]);
    partners.addressesByName.set("nobody.example", []);
    for (const url of ["https://rebind.example/", "https://six.example/", "https://nobody.example/"])
      await addWebhook({ url });
    await book();
    await deliver();
    expect(partners.received).toEqual([]);
    const { results } = await env.TENANT_ACME.prepare("SELECT problem FROM webhook_attempts ORDER BY url").all();
    expect(results.map(({ problem }) => problem)).toEqual(["unknown_name", "private_address", "private_address"]);
  });

  // Proves "security.md": A54
  test("stops calling a webhook if its host changes to a private IP address", async () => {
    const url = "https://rebind.example/";
    await addWebhook({ url });
    partners.addressesByName.set("rebind.example", ["93.184.216.34"]);
    await book();
    await deliver();
    expect(partners.of(url)).toHaveLength(1);
    for (const address of ["169.254.169.254", "::ffff:10.0.0.7"]) {
      partners.addressesByName.set("rebind.example", ["93.184.216.34", address]);
      await book();
      await deliver();
      expect([address, partners.of(url).length]).toEqual([address, 1]);
    }
  });

  test("rejects a webhook with a private address, another scheme than https or an unknown event", async () => {
    const readFieldErrors = async (body: unknown) => {
      const refused = await callOffice("POST", "/webhooks", { token: boss, body });
      expect(refused.status).toBe(400);
      return (await refused.json<{ detail: { field: string }[] }>()).detail.map(({ field }) => field);
    };
    for (const url of ["http://erp.example/", "https://192.168.1.1/", "https://[::1].example/", "nonsense"])
      expect([url, await readFieldErrors({ url })]).toEqual([url, ["url"]]);
    expect(await readFieldErrors({ url: ERP, events: ["booking.eaten"] })).toEqual(["events"]);
    expect(await readFieldErrors({ url: ERP, secret: "whsec_mine" })).toEqual(["secret"]);
    expect(await readFieldErrors({ url: ERP, public_key: "mine" })).toEqual(["public_key"]);
    expect(await readFieldErrors({ url: ERP, agency_id: 77 })).toEqual(["agency_id"]);
    expect(await readFieldErrors({ events: [] })).toEqual(["url"]);
  });

  // Proves "webhooks.md": 410 switches off, with a mail; put in use again it goes on
  test("disables a webhook after status 410 with a mail to administrators, and resumes at the same event", async () => {
    const webhook = await addWebhook({ url: BAD });
    partners.answers(BAD, () => new Response("", { status: 410 }));
    const reference = await book();
    await deliver();
    const off = await readWebhook(webhook);
    expect(off).toMatchObject({ active: false, disabled_reason: "gone" });
    const mails = await env.TENANT_ACME.prepare("SELECT subject FROM outgoing_mails").all();
    expect(mails.results).toHaveLength(1);
    const history = await callOffice("GET", `/webhooks/${webhook.id}/history`, { token: boss });
    expect(await history.json()).toMatchObject({
      data: [{ who: "system", after: { active: false } }, { move: "created" }],
    });
    await cancelBookingAsAgency(reference);
    await deliver(HOUR);
    expect(partners.of(BAD)).toHaveLength(1);
    partners.answers(BAD, () => new Response(""));
    const body = { expected_version: off.version, active: true };
    const on = await callOffice("PATCH", `/webhooks/${webhook.id}`, { token: boss, body });
    expect(await on.json()).toMatchObject({ webhook: { active: true, disabled_at: null, disabled_reason: null } });
    await callOffice("POST", `/webhooks/${webhook.id}/replay`, { token: boss, body: { from: "2020-01-01" } });
    await deliver(2 * HOUR);
    expect(partners.typesOf(BAD).slice(1)).toEqual(["booking.created", "booking.cancelled"]);
  });

  const failedAnswers: readonly (readonly [string, () => Response | Promise<Response>, readonly number[]])[] = [
    ["status 400", () => new Response("", { status: 400 }), [0, 1, 6, 31, 121, 301, 601, 841, 1201, 1441]],
    ["status 410", () => new Response("", { status: 410 }), [0]],
    ["status 500", () => new Response("", { status: 500 }), [0, 2, 6, 31, 121, 301, 601, 841, 1201, 1441]],
    ["no answer in time", () => new Promise(() => undefined), [0, 2, 6, 31, 121, 301, 601, 841, 1201, 1441]],
    [
      "status 429 and a Retry-After of 3601 seconds",
      () => new Response("", { status: 429, headers: { "Retry-After": "3601" } }),
      [0, 61, 122, 183, 244, 305, 601, 841, 1201, 1441],
    ],
  ];

  // Proves "webhooks.md": The times at which a failed delivery is tried again
  test.each(chooseForGate(failedAnswers, 3))(
    "sends a webhook again by the cron in the documented minutes after %s, and no earlier",
    async (_, answer, minutes) => {
      const webhook = await addWebhook({ url: BAD });
      partners.answers(BAD, answer);
      await book();
      // The response is sent 20 seconds after a full minute, and the cron runs at each full minute.
      const start = (Math.floor(Date.now() / MINUTE) + 1) * MINUTE;
      const attempts: number[] = [];
      const runAt = async (minute: number) => {
        const before = partners.of(BAD).length;
        await sendWebhooks(openTestTenant(env), start + minute * MINUTE + (minute === 0 ? 20_000 : 0), {
          milliseconds: 50,
          bytes: 10,
        });
        if (partners.of(BAD).length > before) attempts.push(minute);
      };
      await runAt(0);
      // Runs around each attempt, each hour, and on the next day. Other runs are as early or as late as these.
      const around = minutes.flatMap((minute) => [minute - 2, minute - 1, minute, minute + 1]);
      const hours = Array.from({ length: 49 }, (_run, index) => index * 60);
      for (const minute of [...new Set([...around, ...hours])].filter((run) => run > 0).toSorted((a, b) => a - b))
        await runAt(minute);
      expect(attempts).toEqual(minutes);
      const state = minutes.length === 1 ? "waiting" : "failed";
      expect(await listDeliveries(webhook)).toMatchObject({ data: [{ state, attempts: minutes.length }] });
    },
  );

  // Proves "webhooks.md": Five days without anything heard switch off
  test("disables a webhook after five days without a successful delivery", async () => {
    const webhook = await addWebhook({ url: BAD });
    partners.answers(BAD, () => new Response("", { status: 500 }));
    for (let day = 0; day < 5; day++) {
      await book();
      for (let hour = 0; hour < 24; hour += 4) await deliver(day * DAY + hour * HOUR);
      await env.TENANT_ACME.prepare("DELETE FROM stock_allocations").run();
    }
    expect((await readWebhook(webhook)).active).toBe(true);
    await book();
    await deliver(5 * DAY);
    expect(await readWebhook(webhook)).toMatchObject({ active: false, disabled_reason: "failing" });
    expect((await listDeliveries(webhook)).data.at(-1)).toMatchObject({ state: "failed" });
    const mails = await env.TENANT_ACME.prepare("SELECT subject FROM outgoing_mails").all();
    expect(mails.results).toHaveLength(1);
  });

  // Proves "webhooks.md": A replay, another address or enabling sends waiting events at once
  test("sends overdue events at once after a replay, a new URL or enabling of a failing webhook", async () => {
    const webhook = await addWebhook({ url: BAD });
    await book();
    const fail = async () => {
      partners.answers(BAD, () => new Response("", { status: 503, headers: { "Retry-After": "7200" } }));
      await deliver();
      expect(await deliver(MINUTE)).toBe(0);
    };
    const patch = async (change: object) => {
      const { version } = await readWebhook(webhook);
      const body = { expected_version: version, ...change };
      expect((await callOffice("PATCH", `/webhooks/${webhook.id}`, { token: boss, body })).status).toBe(200);
    };
    await fail();
    partners.answers(BAD, () => new Response(""));
    await callOffice("POST", `/webhooks/${webhook.id}/replay`, { token: boss, body: { from: "2020-01-01" } });
    expect(await deliver(MINUTE)).toBe(1);
    await env.TENANT_ACME.prepare("UPDATE webhook_deliveries SET state = 'waiting', next_at = next_at + 1").run();
    await fail();
    await patch({ url: ERP });
    expect([await deliver(MINUTE), partners.typesOf(ERP)]).toEqual([1, ["booking.created"]]);
    await patch({ url: BAD });
    await env.TENANT_ACME.prepare("UPDATE webhook_deliveries SET state = 'waiting', next_at = next_at + 1").run();
    await fail();
    await patch({ active: false });
    partners.answers(BAD, () => new Response(""));
    await patch({ active: true });
    expect(await deliver(MINUTE)).toBe(1);
  });

  test("signs each webhook delivery with its own time, so that a slow one isn't rejected as too old", async () => {
    await addWebhook({ url: ERP });
    await book();
    await book();
    let passed = 0;
    const began = performance.now();
    vi.spyOn(performance, "now").mockImplementation(() => began + passed);
    partners.answers(ERP, () => {
      passed += 6 * MINUTE;
      return new Response("");
    });
    await deliver();
    const [first = 0, second = 0] = partners.of(ERP).map(({ headers }) => Number(headers.get("webhook-timestamp")));
    expect(second - first).toBe(6 * 60);
  });

  test.each([
    ["by seconds", () => "600"],
    ["by a date", () => new Date(Date.now() + 10 * MINUTE).toUTCString()],
  ])("pauses a webhook as long as its Retry-After header specifies, %s", async (_, retryAfter) => {
    await addWebhook({ url: BAD });
    partners.answers(BAD, () => new Response("", { status: 429, headers: { "Retry-After": retryAfter() } }));
    await book();
    await book();
    await deliver();
    expect(partners.of(BAD)).toHaveLength(1);
    await deliver(5 * MINUTE);
    expect(partners.of(BAD)).toHaveLength(1);
    await deliver(11 * MINUTE);
    expect(partners.of(BAD).length).toBeGreaterThan(1);
  });
});

describe("the outbox", () => {
  const events = async () =>
    (await env.TENANT_ACME.prepare("SELECT type FROM webhook_events ORDER BY id").all<{ type: string }>()).results.map(
      ({ type }) => type,
    );

  // Proves "webhooks.md": An account without webhooks pays nothing, a booking writes one row
  test("records no events without webhooks, and one event for each booking with one", async () => {
    await book();
    expect(await events()).toEqual([]);
    await addWebhook({ url: ERP });
    await book();
    expect(await events()).toEqual(["customer.created", "booking.created"]);
  });

  // Proves "webhooks.md": Bookings, deliveries, payments and vehicles cause events, whatever wrote them
  test("records events of bookings, deliveries, payments and vehicles, whatever wrote them", async () => {
    await addWebhook({ url: ERP });
    await book();
    const db = env.TENANT_ACME;
    await db.batch([
      db.prepare(
        "INSERT INTO booking_history (booking_id, at, actor, event) SELECT max(id), 1, 'staff:3', 'delivered' FROM bookings UNION ALL SELECT max(id), 2, 'gateway', 'paid' FROM bookings",
      ),
      db.prepare(`INSERT INTO charges (booking_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency, branch_code, created_at, last_update)
        SELECT max(id), 'booking', 'charge', 'cash', 3, 1250, 'EUR', 'AIR', 3, 3 FROM bookings UNION ALL SELECT max(id), 'booking', 'payment', 'cash', 4, 250, 'EUR', 'AIR', 4, 4 FROM bookings UNION ALL
          SELECT max(id), 'deposit_received', 'charge', 'cash', 5, 30000, 'EUR', 'AIR', 5, 5 FROM bookings`),
      db.prepare(
        "INSERT INTO vehicle_history (vehicle_reference, at, actor, event) VALUES ('A-1', 6, 'staff:3', 'moved')",
      ),
    ]);
    await deliver();
    expect(partners.typesOf(ERP)).toEqual([
      "booking.created",
      "vehicle.moved",
      "check_in.delivered",
      "payment.received",
      "payment.refunded",
      "payment.deposit_received",
    ]);
    const received = partners
      .of(ERP)
      .map(({ body }) => JSON.parse(body))
      .find(({ type }) => type === "payment.received");
    expect(received.data).toMatchObject({ amount: "12.50", currency: "EUR", payment_method_id: "cash" });
  });

  // Proves "webhooks.md": Sent right after the response
  test("delivers an event right after the response of the request that caused it", async () => {
    await addWebhook({ url: ERP });
    await env.TENANT_ACME.prepare("UPDATE categories SET acriss_code = 'ECMR' WHERE code = 'A'").run();
    const context = createExecutionContext();
    const body = { reference: "A-9", name: "A 9", category_code: "A", rental_location_code: "AIR" };
    const officeRequest = new Request("http://acme.localhost:8787/api/v1/office/vehicles", {
      method: "POST",
      headers: { Authorization: boss, "Content-Type": "application/json", "Idempotency-Key": '"nine"' },
      body: JSON.stringify(body),
    });
    expect((await worker.fetch(officeRequest, { ...env, WEBHOOKS: "at_once" }, context)).status).toBe(201);
    await waitOnExecutionContext(context);
    expect(partners.typesOf(ERP)).toEqual(["vehicle.created"]);
    const receivedEvent = JSON.parse(partners.of(ERP)[0]?.body ?? "{}");
    expect(receivedEvent.data).toMatchObject({ reference: "A-9", category_code: "A", acriss_code: "ECMR" });
  });

  // Proves "webhooks.md": For administrators, each account its own
  test("shows webhooks only to administrators of their own account", async () => {
    const webhook = await addWebhook({ url: ERP });
    const desk = await createToken("desk");
    for (const path of ["/webhooks", `/webhooks/${webhook.id}`, `/webhooks/${webhook.id}/deliveries`])
      expect((await callOffice("GET", path, { token: desk })).status).toBe(403);
    await setUpCompany("globex");
    await addTestUsers("globex");
    const other = await createToken("boss", "globex");
    const list = await callOffice("GET", "/webhooks", { token: other, account: "globex" });
    expect(await list.json()).toMatchObject({ total: 0 });
    const webhookAnswer = await callOffice("GET", `/webhooks/${webhook.id}`, { token: boss });
    expect(JSON.stringify(await webhookAnswer.json())).not.toContain("whsec_");
    expect((await callOffice("DELETE", `/webhooks/${webhook.id}`, { token: boss })).status).toBe(204);
  });

  // Proves "webhooks.md": The secret is returned once, and again for the same key
  test("returns the same webhook and secret for a repeated idempotency key", async () => {
    const body = { url: ERP };
    const createdWebhook = await (await callOffice("POST", "/webhooks", { token: boss, body, key: "once" })).json();
    expect(await (await callOffice("POST", "/webhooks", { token: boss, body, key: "once" })).json()).toEqual(
      createdWebhook,
    );
    expect((await callOffice("POST", "/webhooks", { token: boss, body: { url: AGENCY }, key: "once" })).status).toBe(
      422,
    );
  });
});
