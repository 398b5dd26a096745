import { describe, expect, test } from "vitest";
import { type EURO_ACCOUNT, GATEWAY_ORDER, getGatewayNoticeEffect } from "#support/gateway-attempts.ts";
import { cecabank, signCecabankNotice } from "#worker/gateways/cecabank.ts";
import { globalPayments, signGlobalPaymentsNotice } from "#worker/gateways/global-payments.ts";
import { paypal } from "#worker/gateways/paypal.ts";
import type { GatewayCredentials, GatewayPayment, GatewayProtocol } from "#worker/gateways/protocol.ts";

// Effects of the messages of Cecabank and Global Payments, which sign a hash of their fields. They only report payments
// and denials. PayPal's amounts in accounts with other decimals are here too.

type Values = Readonly<Record<string, string>>;

const paid = { state: "paid", paidCode: "1" } as const;
const hold = { hold: { id: 1, status: "requested", capturedCents: 0 } } as const;

const decide = (
  protocol: GatewayProtocol,
  credentials: GatewayCredentials,
  pairs: readonly (readonly [string, string])[],
  context: { readonly account?: typeof EURO_ACCOUNT; readonly state?: object } = {},
) => getGatewayNoticeEffect(protocol, pairs, { credentials, method: "tpvB", ...context });

/** Spellings of a signed message, and their effect. */
function listSpellings(
  fields: Values,
  { signature, amount }: { readonly signature: string; readonly amount: string },
): readonly (readonly [string, readonly (readonly [string, string])[], string])[] {
  const pairs = Object.entries(fields);
  const respell = (spell: (name: string) => string) => pairs.map(([name, value]) => [spell(name), value] as const);
  const change = (changes: Values) => Object.entries({ ...fields, ...changes });
  return [
    ["fields in capitals", respell((name) => name.toUpperCase()), "pay"],
    ["fields in small letters", respell((name) => name.toLowerCase()), "pay"],
    ["fields in another order", pairs.toReversed(), "pay"],
    ["the same fields twice", [...pairs, ...pairs], "pay"],
    ["unknown fields twice", [...pairs, ["x", "1"], ["x", "2"]], "pay"],
    ["a hash in capitals", change({ [signature]: fields[signature]?.toUpperCase() ?? "" }), "pay"],
    ["a field with two values", [...pairs, [amount, "1"]], "forged"],
    ["an order with two values", [...pairs, ["Num_operacion", "1"], ["ORDER_ID", "1"]], "forged"],
    ["field names of a list", respell((name) => `${name}[]`), "forged"],
    ["fields that are encoded twice", pairs.map(([name, value]) => [name, `%20${value}`]), "forged"],
    ["no hash", change({ [signature]: "" }), "forged"],
    ["a hash of zeros", change({ [signature]: "0".repeat(fields[signature]?.length ?? 0) }), "forged"],
    ["a byte order mark before a name", [[`\uFEFF${pairs[0]?.[0]}`, pairs[0]?.[1] ?? ""], ...pairs.slice(1)], "forged"],
    ["no fields", [], "forged"],
  ];
}

describe("a message of Cecabank", () => {
  const credentials = {
    merchant: { merchantId: "111950028", acquirerBin: "0000554052", terminalId: "00000003" },
    secret: "99888888",
  };
  const PARAMETERS = {
    ...{ MerchantID: "111950028", AcquirerBIN: "0000554052", TerminalID: "00000003", Num_operacion: GATEWAY_ORDER },
    ...{ Importe: "4500", TipoMoneda: "978", Exponente: "2", Referencia: "12001234567890", Num_aut: "101000" },
  };
  const sign = (changes: Values = {}): Record<string, string> => {
    const fields = { ...PARAMETERS, ...changes };
    return { ...fields, Firma: signCecabankNotice("99888888", fields) };
  };

  test.each<readonly [string, Values, object, string]>([
    ["a payment", {}, {}, "pay"],
    ["a copy of a payment", {}, paid, "pay"],
    ["a payment after its denial", {}, { state: "denied" }, "pay"],
    ["a late payment", {}, { state: "expired" }, "pay"],
    ["a second payment", { Referencia: "2" }, paid, "pay"],
    ["a denial", { Num_aut: "" }, {}, "deny"],
    ["a denial with a blank authorisation", { Num_aut: "      " }, {}, "deny"],
    ["a denial after the payment", { Num_aut: "" }, paid, "deny"],
    ["a denial of another amount", { Num_aut: "", Importe: "1" }, {}, "mismatch"],
    ["a payment of less", { Importe: "4499" }, {}, "mismatch"],
    ["a payment of more", { Importe: "4501" }, {}, "mismatch"],
    ["a payment of nothing", { Importe: "0" }, {}, "mismatch"],
    ["a padded amount", { Importe: "000000004500" }, {}, "pay"],
    ["an amount without decimals", { Exponente: "0" }, {}, "mismatch"],
    ["an amount with one decimal", { Importe: "450", Exponente: "1" }, {}, "pay"],
    ["an amount with three decimals", { Importe: "45000", Exponente: "3" }, {}, "pay"],
    ["a fraction of a cent", { Importe: "45001", Exponente: "3" }, {}, "mismatch"],
    ["a negative amount", { Importe: "-4500" }, {}, "forged"],
    ["a decimal amount", { Importe: "45.00" }, {}, "forged"],
    ["an amount with a thousands separator", { Importe: "4,500" }, {}, "forged"],
    ["an amount in scientific notation", { Importe: "45e2" }, {}, "forged"],
    ["another currency", { TipoMoneda: "840" }, {}, "mismatch"],
    ["an unknown currency", { TipoMoneda: "999" }, {}, "mismatch"],
    ["another merchant", { MerchantID: "111950029" }, {}, "mismatch"],
    ["another acquirer", { AcquirerBIN: "0000554053" }, {}, "mismatch"],
    ["another terminal", { TerminalID: "00000004" }, {}, "mismatch"],
    ["a payment of a hold", {}, hold, "mismatch"],
    ["no reference", { Referencia: "" }, {}, "forged"],
    ["no order", { Num_operacion: "" }, {}, "forged"],
  ])(
    "applies a Cecabank notification, or refuses or flags it, by its content and the payment's state: %s",
    (_name, changes, state, effect) => {
      expect(decide(cecabank, credentials, Object.entries(sign(changes)), { state })).toBe(effect);
    },
  );

  test.each(listSpellings(sign(), { signature: "Firma", amount: "Importe" }))(
    "decides the effect of a Cecabank notification that is sent with %s",
    (_name, pairs, effect) => {
      expect(decide(cecabank, credentials, pairs)).toBe(effect);
    },
  );

  test.each(["Importe", "Exponente", "TipoMoneda", "Referencia", "Num_operacion"])(
    "rejects a Cecabank message that is sent again with another %s",
    (name) => {
      const changed = { ...sign(), [name]: name === "Num_operacion" ? "1234ABCDEFGI" : "1" };
      expect(decide(cecabank, credentials, Object.entries(changed))).toBe("forged");
    },
  );

  test("rejects a Cecabank message of the test system, which has another key", () => {
    const fields = { ...PARAMETERS, Firma: signCecabankNotice("sq99888888", PARAMETERS) };
    expect(decide(cecabank, credentials, Object.entries(fields))).toBe("forged");
  });
});

describe("a message of Global Payments", () => {
  const credentials = { merchant: { merchantId: "thestore", account: "internet" }, secret: "mysecret" };
  const PARAMETERS = {
    ...{
      TIMESTAMP: "20261120090507",
      MERCHANT_ID: "thestore",
      ORDER_ID: GATEWAY_ORDER,
      RESULT: "00",
      MESSAGE: "Authorised",
    },
    ...{ PASREF: "14631546336115597", AUTHCODE: "12345", AMOUNT: "4500", CURRENCY: "EUR" },
  };
  const sign = (changes: Values = {}): Record<string, string> => {
    const fields = { ...PARAMETERS, ...changes };
    return { ...fields, SHA1HASH: signGlobalPaymentsNotice("mysecret", fields) };
  };

  test.each<readonly [string, Values, object, string]>([
    ["a payment", {}, {}, "pay"],
    ["a copy of a payment", {}, paid, "pay"],
    ["a payment after its denial", {}, { state: "denied" }, "pay"],
    ["a late payment", {}, { state: "expired" }, "pay"],
    ["a second payment", { PASREF: "2" }, paid, "pay"],
    ["a payment without amount and currency", { AMOUNT: "", CURRENCY: "" }, {}, "pay"],
    ["a currency in small letters", { CURRENCY: "eur" }, {}, "pay"],
    ["a denial", { RESULT: "101", MESSAGE: "DECLINED", AUTHCODE: "" }, {}, "deny"],
    ["a denial without a number", { RESULT: "101", PASREF: "", AUTHCODE: "" }, {}, "deny"],
    ["an error of the bank", { RESULT: "205", AUTHCODE: "" }, {}, "deny"],
    ["an invalid message", { RESULT: "508", AUTHCODE: "" }, {}, "deny"],
    ["a denial after the payment", { RESULT: "101" }, paid, "deny"],
    ["a denial of another amount", { RESULT: "101", AMOUNT: "1" }, {}, "mismatch"],
    ["a result of three zeros", { RESULT: "000" }, {}, "deny"],
    ["no result", { RESULT: "" }, {}, "forged"],
    ["a payment of less", { AMOUNT: "4499" }, {}, "mismatch"],
    ["a payment of more", { AMOUNT: "4501" }, {}, "mismatch"],
    ["a payment of nothing", { AMOUNT: "0" }, {}, "mismatch"],
    ["a negative amount", { AMOUNT: "-4500" }, {}, "mismatch"],
    ["a decimal amount", { AMOUNT: "45.00" }, {}, "mismatch"],
    ["an amount with a thousands separator", { AMOUNT: "4,500" }, {}, "mismatch"],
    ["an amount in scientific notation", { AMOUNT: "45e2" }, {}, "mismatch"],
    ["another currency", { CURRENCY: "USD" }, {}, "mismatch"],
    ["a currency by its number", { CURRENCY: "978" }, {}, "mismatch"],
    ["another merchant", { MERCHANT_ID: "theother" }, {}, "mismatch"],
    ["a payment of a hold", {}, hold, "mismatch"],
  ])(
    "applies a Global Payments notification, or refuses or flags it, by its content and the payment's state: %s",
    (_name, changes, state, effect) => {
      expect(decide(globalPayments, credentials, Object.entries(sign(changes)), { state })).toBe(effect);
    },
  );

  test.each(listSpellings(sign(), { signature: "SHA1HASH", amount: "AMOUNT" }))(
    "decides the effect of a Global Payments notification that is sent with %s",
    (_name, pairs, effect) => {
      expect(decide(globalPayments, credentials, pairs)).toBe(effect);
    },
  );

  test.each(["TIMESTAMP", "ORDER_ID", "RESULT", "MESSAGE", "PASREF", "AUTHCODE"])(
    "rejects a Global Payments message that is sent again with another %s",
    (name) => {
      const others: Values = { TIMESTAMP: "20261120090508", ORDER_ID: "1234ABCDEFGI", RESULT: "101" };
      const changed = { ...sign(), [name]: others[name] ?? "1" };
      expect(decide(globalPayments, credentials, Object.entries(changed))).toBe("forged");
    },
  );

  const payment: GatewayPayment = {
    ...{
      order: GATEWAY_ORDER,
      intentId: "0".repeat(32),
      isHold: false,
      amountCents: 4500,
      currency: "HUF",
      decimals: 0,
    },
    ...{
      language: "es",
      description: "",
      notifyUrl: "https://a.example/n",
      okUrl: "",
      cancelUrl: "",
      at: 0,
      expiresAt: 0,
    },
  };

  test.each([
    ["HUF", 0, 4500, "450000"],
    ["JPY", 2, 450_000, "4500"],
    ["JPY", 2, 450_001, undefined],
    ["KWD", 2, 4500, "45000"],
  ])(
    "writes for Global Payments in %s with %i decimals %i minor units as %s",
    (currency, decimals, amountCents, amount) => {
      const form = globalPayments.buildForm(credentials, { ...payment, currency, decimals, amountCents });
      expect(form?.["AMOUNT"]).toBe(amount);
    },
  );

  test.each([
    ["HUF", 0, "450000", "pay"],
    ["HUF", 0, "4500", "mismatch"],
    ["KWD", 2, "45000", "pay"],
  ])(
    "checks the amount of a Global Payments payment in %s with %i decimals: %s",
    (currency, currencyDecimals, AMOUNT, effect) => {
      for (const CURRENCY of [currency, ""]) {
        const pairs = Object.entries(sign({ AMOUNT, CURRENCY }));
        expect(decide(globalPayments, credentials, pairs, { account: { currency, currencyDecimals } })).toBe(effect);
      }
    },
  );
});

test.each([
  ["HUF", 0, "4500", "pay"],
  ["HUF", 0, "4500.00", "pay"],
  ["HUF", 0, "45.00", "mismatch"],
  ["TWD", 0, "4500", "pay"],
  ["JPY", 2, "45", "pay"],
  ["JPY", 2, "4500", "mismatch"],
  ["EUR", 3, "4.50", "pay"],
])(
  "checks the amount of a PayPal payment in %s with %i decimals: %s",
  (mc_currency, currencyDecimals, mc_gross, effect) => {
    const fields = { invoice: GATEWAY_ORDER, txn_id: "8XY", payment_status: "Completed", mc_gross, mc_currency };
    const credentials = { merchant: { business: "pay@acme.example" }, secret: "" };
    const account = { currency: mc_currency, currencyDecimals };
    expect(decide(paypal, credentials, Object.entries({ ...fields, business: "pay@acme.example" }), { account })).toBe(
      effect,
    );
  },
);
