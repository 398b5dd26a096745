import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Request } from "miniflare";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSqliteD1 } from "#support/sqlite-d1.ts";
import { checkMoney } from "#tools/chaos/audit/money.ts";
import { createHistory } from "#tools/chaos/history.ts";
import {
  createRedsysServer,
  createRefundNotice,
  type GatewayRefund,
  readGatewayBook,
} from "#tools/platform/redsys-server.ts";
import { redsys } from "#worker/gateways/redsys.ts";

// Tests the gateway of `npm run chaos` and the checks of its books, which must find injected faults.

const credentials = {
  merchant: { merchantCode: "999008881", terminal: "1", signatureVersion: "HMAC_SHA512_V2" },
  secret: "sq7HjrUOBfKmC576ILgskD5srU870gJ7",
};
const payment = {
  id: 12,
  order: "1234ABCDEFGH",
  transaction: undefined,
  decimals: 2,
  amountCents: 100,
  currency: "EUR",
  notifyUrl: "http://acme.localhost:8787/charge-processed/tpvA256",
};
const refund: GatewayRefund = { account: "acme", order: payment.order, name: "refund-12", cents: 100 };

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gateway-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const ask = (body: string) =>
  createRedsysServer(folder)(
    new Request("https://sis-t.redsys.es:25443/sis/rest/trataPeticionREST", { method: "POST", body }),
  );

test("simulates a gateway that makes and records signed refunds, and loses every third response", async () => {
  const answer = await ask(redsys.refunds?.build(credentials, payment) ?? "");
  expect(redsys.refunds?.read(credentials, payment, { status: 200, body: await answer.text() })).toMatchObject({
    kind: "done",
  });
  const lostResponse = await ask(redsys.refunds?.build(credentials, { ...payment, id: 13, amountCents: 300 }) ?? "");
  expect(lostResponse.status).toBe(502);
  const forged = await ask(redsys.refunds?.build({ ...credentials, secret: "another" }, payment) ?? "");
  expect(await forged.json()).toEqual({ errorCode: "SIS0042" });
  expect(readGatewayBook(folder)).toEqual([refund, { ...refund, name: "refund-13", cents: 300 }]);
  const notice = redsys.readNotice(credentials, new URLSearchParams(createRefundNotice(refund)));
  expect(notice).toMatchObject({ kind: "refunded", refundId: 12, amountCents: 100, isOurs: true });
});

function openRefund(state: string, isBooked: boolean) {
  const { rows } = createSqliteD1();
  rows("PRAGMA foreign_keys = OFF");
  rows(`INSERT INTO payment_intents (id, booking_id, method, part, order_reference, amount_cents, refunded_cents, currency, state, created_at,
      expires_at, paid_at) VALUES ('${"a".repeat(32)}', 7, 'tpvA256', 'total', '1234ABCDEFGH', 5000, ${isBooked ? 100 : 0}, 'EUR', 'paid', 1, 2, 1)`);
  rows(`INSERT INTO gateway_refunds (id, booking_id, intent_id, amount_cents, reason, state, requested_by, requested_at, sent_at, ended_at)
      VALUES (12, 7, '${"a".repeat(32)}', 100, 'x', '${state}', 1, 1, ${state === "waiting" ? "NULL" : 1}, ${state === "done" ? 2 : "NULL"})`);
  if (isBooked)
    rows(`INSERT INTO payment_notifications (method, order_reference, kind, auth_code, intent_id, amount_cents, currency, outcome, received_at)
      VALUES ('tpvA256', '1234ABCDEFGH', 'refunded', '000012#refund-12', '${"a".repeat(32)}', 100, 'EUR', 'refunded', 1)`);
  const history = createHistory();
  history.officeWrites.set("key", {
    account: "acme",
    state: "asked",
    operation: "refundReservation",
    isRemoval: false,
  });
  return (book: readonly GatewayRefund[]) => checkMoney({ acme: rows, globex: createSqliteD1().rows }, history, book);
}

test("accepts a refund made and booked once, also with a lost response", () => {
  expect(openRefund("done", true)([refund])).toEqual([]);
  expect(openRefund("sent", false)([refund])).toEqual([]);
  expect(openRefund("sent", false)([])).toEqual([]);
  expect(openRefund("waiting", false)([])).toEqual([]);
});

test("detects money refunded twice, unrequested, or booked but never sent", () => {
  const checks = (item: ReturnType<typeof checkMoney>) => item.map(({ check }) => check);
  expect(checks(openRefund("done", true)([refund, refund]))).toEqual(["no record is duplicated"]);
  expect(checks(openRefund("done", true)([]))).toEqual(["no record is unexpected"]);
  expect(checks(openRefund("waiting", false)([refund]))).toEqual(["all confirmed records exist"]);
  expect(checks(openRefund("sent", false)([{ ...refund, name: "refund-99" }]))).toEqual(["no record is unexpected"]);
});
