import { describe, expect, test } from "vitest";
import { isWebhookSubscribed, WEBHOOK_SUBSCRIPTIONS } from "#domain/catalogue/webhook-events.ts";
import { findWebhookUrlProblem } from "#domain/webhooks/address.ts";
import {
  decideWebhookDelivery,
  MAX_WEBHOOK_FAILING_MS,
  WEBHOOK_ATTEMPT_OFFSETS_MS,
} from "#domain/webhooks/delivery.ts";
import { writeWebhookPayload } from "#domain/webhooks/message.ts";

const findUrlProblem = (url: string, isDevelopment = false) => findWebhookUrlProblem(URL.parse(url), { isDevelopment });

describe("webhook addresses", () => {
  test.each([
    "https://erp.example.com/hook",
    "https://erp.example.com:8443/hook?key=1",
    "https://93.184.216.34/hook",
    "https://[2606:4700::1111]/hook",
    "https://[2001:200::1]/hook",
  ])("accepts the public webhook address %s", (url) => {
    expect(findUrlProblem(url)).toBeUndefined();
  });

  // Proves "webhooks.md": No private address, however it is written
  test.each([
    ["nonsense", "not_an_address"],
    ["ftp://example.com/", "not_an_address"],
    ["http://erp.example.com/", "not_https"],
    ["https://user:word@example.com/", "has_credentials"],
    ["https://example.com:22/", "port"],
    ["https://localhost/", "private_address"],
    ["https://api.localhost./", "private_address"],
    ["https://printer.local/", "private_address"],
    ["https://metadata.google.internal/", "private_address"],
    ["https://intranet/", "private_address"],
    ["https://127.0.0.1/", "private_address"],
    ["https://127.1/", "private_address"],
    ["https://2130706433/", "private_address"],
    ["https://0x7f.0.0.1/", "private_address"],
    ["https://0177.0.0.1/", "private_address"],
    ["https://0.0.0.0/", "private_address"],
    ["https://10.1.2.3/", "private_address"],
    ["https://172.31.255.255/", "private_address"],
    ["https://192.168.1.1/", "private_address"],
    ["https://169.254.169.254/latest/meta-data", "private_address"],
    ["https://100.64.0.1/", "private_address"],
    ["https://224.0.0.1/", "private_address"],
    ["https://255.255.255.255/", "private_address"],
    ["https://[::1]/", "private_address"],
    ["https://[::]/", "private_address"],
    ["https://[fe80::1]/", "private_address"],
    ["https://[fd00::1]/", "private_address"],
    ["https://[::ffff:10.0.0.1]/", "private_address"],
    ["https://[64:ff9b::10.0.0.1]/", "private_address"],
    ["https://[64:ff9b:1::8.8.8.8]/", "private_address"],
    ["https://[::ffff:0:8.8.8.8]/", "private_address"],
    ["https://１２７.0.0.1/", "private_address"],
    ["https://%31%32%37.0.0.1/", "private_address"],
    ["https://127.0.0.1../", "private_address"],
    ["https://localhost../", "private_address"],
    ["https://printer.localdomain/", "private_address"],
    ["https://1.0.0.127.in-addr.arpa/", "private_address"],
    ["https://[2002:7f00:1::]/", "private_address"],
    ["https://[2001:db8::1]/", "private_address"],
    ["https://[2001:2::1]/", "private_address"],
    ["https://[2001:20::1]/", "private_address"],
    ["https://[2001:1ff:ffff::1]/", "private_address"],
  ])("rejects the webhook address %s: %s", (url, problem) => {
    expect(findUrlProblem(url)).toBe(problem);
  });

  // Proves "webhooks.md": The machine's own addresses in development alone
  test("allows loopback addresses only in development", () => {
    for (const url of [
      "http://127.0.0.1:9999/hook",
      "http://localhost:9999/",
      "http://[::1]:9/",
      "http://a.localhost/",
    ]) {
      expect([url, findUrlProblem(url, true)]).toEqual([url, undefined]);
      expect(findUrlProblem(url)).toBeDefined();
    }
    expect(findUrlProblem("http://192.168.1.1/", true)).toBe("not_https");
    expect(findUrlProblem("https://192.168.1.1/", true)).toBe("private_address");
  });
});

const successResponse = { status: 204, problem: undefined, retryAfterSeconds: undefined };
const refused = { ...successResponse, status: 500 };
const NOW = 1_800_000_000_000;
const before = { attempts: 0, firstAt: NOW, failingSince: undefined };

describe("a delivery", () => {
  test("completes a webhook delivery with any 2xx, and clears the failure state", () => {
    expect(decideWebhookDelivery(successResponse, { ...before, failingSince: NOW - 1 }, NOW)).toMatchObject({
      state: "delivered",
      failingSince: undefined,
      pausedUntil: undefined,
      disable: undefined,
    });
  });

  // Proves "webhooks.md": Ten attempts in a day
  test("retries a webhook delivery ten times within a day with growing delays, then gives up", () => {
    let state = before;
    let now = NOW;
    const moments: number[] = [];
    for (;;) {
      moments.push(now - NOW);
      const decision = decideWebhookDelivery(refused, state, now);
      if (decision.state === "failed") break;
      state = { ...state, attempts: state.attempts + 1 };
      now = decision.nextAt;
    }
    expect(moments).toEqual(WEBHOOK_ATTEMPT_OFFSETS_MS);
    expect(moments.at(-1)).toBe(86_400_000);
  });

  test.each([200, 201, 299])("counts the status %i as a successful delivery", (status) => {
    expect(decideWebhookDelivery({ ...successResponse, status }, before, NOW).state).toBe("delivered");
  });

  // Proves "webhooks.md": Redirects and everything but 2xx are not heard
  test.each([301, 302, 307, 308, 400, 404, 429, 500, 502, 504])(
    "treats a webhook response of status %i as a failed delivery",
    (status) => {
      expect(decideWebhookDelivery({ ...successResponse, status }, before, NOW)).toMatchObject({
        state: "waiting",
        disable: undefined,
      });
    },
  );

  test("disables a webhook after status 410 or five days without a successful delivery", () => {
    expect(decideWebhookDelivery({ ...successResponse, status: 410 }, before, NOW).disable).toBe("gone");
    const failing = { ...before, failingSince: NOW - MAX_WEBHOOK_FAILING_MS };
    expect(decideWebhookDelivery(refused, failing, NOW).disable).toBe("failing");
    expect(
      decideWebhookDelivery(refused, { ...failing, failingSince: NOW - MAX_WEBHOOK_FAILING_MS + 1 }, NOW).disable,
    ).toBeUndefined();
  });

  // Proves "webhooks.md": `Retry-After` is kept
  test("pauses a webhook as long as Retry-After specifies, for a day at most", () => {
    const busy = { status: 429, problem: undefined, retryAfterSeconds: 600 };
    expect(decideWebhookDelivery(busy, before, NOW)).toMatchObject({
      nextAt: NOW + 600_000,
      pausedUntil: NOW + 600_000,
    });
    expect(decideWebhookDelivery({ ...busy, retryAfterSeconds: 1e9 }, before, NOW).pausedUntil).toBe(NOW + 86_400_000);
    expect(decideWebhookDelivery({ ...successResponse, status: 400 }, before, NOW).pausedUntil).toBeUndefined();
  });
});

describe("webhook recipients", () => {
  const erp = { events: [], agencyId: null };
  const agency = { events: [], agencyId: 1 };

  // Proves "webhooks.md": Names, groups, `*`, or nothing
  test("sends a webhook the subscribed events: all, a group or a single one", () => {
    const createdEvent = { type: "booking.created", agencyId: 1 };
    for (const events of [[], ["*"], ["booking.*"], ["booking.created"]])
      expect(isWebhookSubscribed({ ...erp, events }, createdEvent)).toBe(true);
    for (const events of [["booking.changed"], ["payment.*"]])
      expect(isWebhookSubscribed({ ...erp, events }, createdEvent)).toBe(false);
    expect(WEBHOOK_SUBSCRIPTIONS).toContain("check_in.*");
  });

  // Proves "webhooks.md": An agency only receives its own reservations
  test("sends an agency only events of its own bookings, whatever events it subscribed to", () => {
    expect(isWebhookSubscribed(agency, { type: "booking.cancelled", agencyId: 1 })).toBe(true);
    expect(isWebhookSubscribed(agency, { type: "booking.cancelled", agencyId: 2 })).toBe(false);
    expect(isWebhookSubscribed(agency, { type: "booking.cancelled", agencyId: null })).toBe(false);
    for (const type of [
      "payment.received",
      "document.issued",
      ...["document.processed", "customer.changed", "expense.created"],
      "vehicle.moved",
      "check_in.delivered",
      "booking.assigned",
    ])
      expect(isWebhookSubscribed({ ...agency, events: ["*"] }, { type, agencyId: 1 })).toBe(false);
  });
});

test("writes type, time and data of an event, with amounts as decimal strings", () => {
  const text = writeWebhookPayload(
    { type: "payment.received", at: 0, data: { charge_id: 3, amount: 12_050, currency: "EUR", document_id: null } },
    () => "1970-01-01T00:00:00.000Z",
    2,
  );
  expect(JSON.parse(text)).toEqual({
    type: "payment.received",
    timestamp: "1970-01-01T00:00:00.000Z",
    data: { charge_id: 3, amount: "120.50", currency: "EUR", document_id: null },
  });
});
