import { describe, expect, test } from "vitest";
import { cecabank, signCecabankNotice } from "#worker/gateways/cecabank.ts";
import { gateways } from "#worker/gateways/gateways.ts";
import { globalPayments, signGlobalPaymentsNotice } from "#worker/gateways/global-payments.ts";
import { paypal } from "#worker/gateways/paypal.ts";
import type { GatewayCredentials, GatewayProtocol } from "#worker/gateways/protocol.ts";
import { redsys, signRedsysFields } from "#worker/gateways/redsys.ts";
import { isSignedByStripe, signStripeEvent } from "#worker/gateways/stripe.ts";

// Notifications with a field sent twice, in any letter case: accepted with equal values, refused otherwise.

type Fields = Readonly<Record<string, string>>;

const ORDER = "1234ABCDEFGH";
const REDSYS_KEY = "sq7HjrUOBfKmC576ILgskD5srU870gJ7";
const PARAMETERS = { Ds_Order: ORDER, Ds_Amount: "4500", Ds_Currency: "978", Ds_Response: "0000" };
const signRedsysNotice = (parameters: Fields) => signRedsysFields("HMAC_SHA512_V2", REDSYS_KEY, ORDER, parameters);

const CECA_FIELDS = {
  ...{ MerchantID: "111950028", AcquirerBIN: "0000554052", TerminalID: "00000003", Num_operacion: ORDER },
  ...{ Importe: "4500", TipoMoneda: "978", Exponente: "2", Referencia: "1234" },
};
const HOSTED_FIELDS = {
  ...{ TIMESTAMP: "20261120090507", MERCHANT_ID: "thestore", ORDER_ID: ORDER, RESULT: "00", MESSAGE: "OK" },
  ...{ PASREF: "14631546336115597", AUTHCODE: "12345", AMOUNT: "4500", CURRENCY: "EUR" },
};

interface Notification {
  readonly protocol: GatewayProtocol;
  readonly credentials: GatewayCredentials;
  readonly fields: Fields;
  /** Fields that are read, with another value of the right format. */
  readonly others: Fields;
}

const NOTIFICATIONS: Readonly<Record<string, Notification>> = {
  Redsys: {
    protocol: redsys,
    credentials: {
      merchant: { merchantCode: "999008881", terminal: "1", signatureVersion: "HMAC_SHA512_V2" },
      secret: REDSYS_KEY,
    },
    fields: signRedsysNotice(PARAMETERS),
    others: {
      ...signRedsysNotice({ ...PARAMETERS, Ds_Amount: "1" }),
      Ds_SignatureVersion: "HMAC_SHA256_V1",
    },
  },
  Cecabank: {
    protocol: cecabank,
    credentials: {
      merchant: { merchantId: "111950028", acquirerBin: "0000554052", terminalId: "00000003" },
      secret: "99888888",
    },
    fields: { ...CECA_FIELDS, Num_aut: "101000", Firma: signCecabankNotice("99888888", CECA_FIELDS) },
    others: {
      ...{ MerchantID: "111950029", AcquirerBIN: "0000554053", TerminalID: "00000004", Num_operacion: "1234ABCDEFGI" },
      ...{ Importe: "1", TipoMoneda: "840", Exponente: "0", Referencia: "12", Num_aut: "", Firma: "0" },
    },
  },
  "Global Payments": {
    protocol: globalPayments,
    credentials: { merchant: { merchantId: "thestore", account: "internet" }, secret: "mysecret" },
    fields: { ...HOSTED_FIELDS, SHA1HASH: signGlobalPaymentsNotice("mysecret", HOSTED_FIELDS) },
    others: {
      ...{ TIMESTAMP: "20261120090508", MERCHANT_ID: "other", ORDER_ID: "1234ABCDEFGI", RESULT: "101", MESSAGE: "" },
      ...{ PASREF: "1", AUTHCODE: "1", AMOUNT: "1", CURRENCY: "USD", SHA1HASH: "0" },
    },
  },
  PayPal: {
    protocol: paypal,
    credentials: { merchant: { business: "pay@acme.example" }, secret: "" },
    fields: {
      ...{ invoice: ORDER, txn_id: "8XY", parent_txn_id: "7XY", payment_status: "Completed", reason_code: "other" },
      ...{ pending_reason: "echeck", mc_gross: "45.00", mc_currency: "EUR", receiver_email: "pay@acme.example" },
      ...{ business: "pay@acme.example", txn_type: "web_accept", case_id: "" },
    },
    others: {
      ...{ invoice: "1234ABCDEFGI", txn_id: "9XY", parent_txn_id: "6XY", payment_status: "Refunded" },
      ...{ reason_code: "refund", pending_reason: "", mc_gross: "1.00", mc_currency: "USD" },
      ...{ receiver_email: "other@acme.example", business: "other@acme.example" },
      ...{ txn_type: "new_case", case_id: "PP-1" },
    },
  },
};

const SPELLINGS: readonly (readonly [string, (name: string) => string])[] = [
  ["the same case", (name) => name],
  ["capitals", (name) => name.toUpperCase()],
  ["small letters", (name) => name.toLowerCase()],
];

test("covers every gateway with signed fields, which are all except Stripe", () => {
  const protocols = Object.values(NOTIFICATIONS).map(({ protocol }) => protocol);
  const others = Object.values(gateways).filter(({ protocol }) => !protocols.includes(protocol));
  expect(others.map(({ protocol }) => protocol.events !== undefined)).toEqual([true]);
});

describe.each(Object.entries(NOTIFICATIONS))("notifications of %s", (_, { protocol, credentials, fields, others }) => {
  const read = (sentFields: readonly (readonly [string, string])[]) =>
    protocol.readNotice(credentials, new URLSearchParams(sentFields.map(([name, value]) => [name, value])));
  const once = Object.entries(fields);

  test.each(SPELLINGS)("accepts a notification whose fields are repeated with equal values: %s", (_spelling, spell) => {
    const notice = read(once);
    expect(notice).toMatchObject({ order: ORDER });
    expect(read([...once, ...once.map(([name, value]) => [spell(name), value] as const)])).toEqual(notice);
    expect(read([...once.map(([name, value]) => [spell(name), value] as const), ...once])).toEqual(notice);
  });

  // Proves "payments.md: gateways": A field with several values is refused, one repeated with the same value counts
  //   once
  test.each(SPELLINGS)("rejects a notification in which a field also has another value: %s", (_spelling, spell) => {
    expect(Object.keys(others).toSorted()).toEqual(Object.keys(fields).toSorted());
    for (const [name, value] of Object.entries(others)) {
      expect(read([...once, [spell(name), value]]), name).toBeUndefined();
      expect(read([[spell(name), value], ...once]), name).toBeUndefined();
    }
  });

  test("ignores unknown fields of a notification, also repeated ones", () => {
    expect(read([...once, ["custom", "1"], ["custom", "2"], ["Custom", "3"]])).toEqual(read(once));
  });
});

test("rejects a Redsys parameter that occurs twice with different values and different letter case", () => {
  const { protocol, credentials } = NOTIFICATIONS["Redsys"] as Notification;
  const read = (more: Fields) =>
    protocol.readNotice(credentials, new URLSearchParams(signRedsysNotice({ ...PARAMETERS, ...more })));
  expect(read({ DS_AMOUNT: "4500" })).toEqual(read({}));
  expect(read({ DS_AMOUNT: "1" })).toBeUndefined();
});

test("accepts several signatures in a Stripe header, but only one timestamp", () => {
  const signature = signStripeEvent("whsec", 1000, "{}");
  const isSigned = (header: string) => isSignedByStripe("whsec", { body: "{}", signature: header, now: 1_000_000 });
  expect(isSigned(`t=1000,v1=${signature}`)).toBe(true);
  expect(isSigned(`t=1000,t=1000,v1=0,v1=${signature}`)).toBe(true);
  for (const header of [`t=1000,t=1001,v1=${signature}`, `t=1001,t=1000,v1=${signature}`, `v1=${signature}`])
    expect(isSigned(header), header).toBe(false);
});
