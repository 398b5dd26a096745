import { describe, expect, test } from "vitest";
import type { PaymentIntent } from "#domain/payments/gateway-notices.ts";
import { GATEWAY_ORDER, getGatewayNoticeEffect } from "#support/gateway-attempts.ts";
import type { GatewayPayment } from "#worker/gateways/protocol.ts";
import {
  type RedsysVersion,
  readRedsysParameters,
  redsys,
  signRedsysFields,
  signRedsysParameters,
} from "#worker/gateways/redsys.ts";

// Effects of Redsys messages, as its manual describes them: responses 0 to 99 authorise a payment (type 0) or a hold
// (1), 900 a capture (2) or a refund (3), and 400 a release (9). Amounts are in the minor units of ISO 4217.

type Values = Readonly<Record<string, unknown>>;

const SECRET = "sq7HjrUOBfKmC576ILgskD5srU870gJ7";
const paid = { state: "paid", paidCode: "123456" } as const;
const createHold = (status: NonNullable<PaymentIntent["hold"]>["status"], capturedCents = 0) => ({
  hold: { id: 1, status, capturedCents },
});
const PARAMETERS = {
  ...{ Ds_Date: "20%2F11%2F2026", Ds_Hour: "10%3A30", Ds_Amount: "4500", Ds_Currency: "978", Ds_Order: GATEWAY_ORDER },
  ...{ Ds_MerchantCode: "999008881", Ds_Terminal: "001", Ds_Response: "0000", Ds_TransactionType: "0" },
  Ds_AuthorisationCode: "123456",
};
const REFUND = { Ds_TransactionType: "3", Ds_Response: "0900", Ds_AuthorisationCode: "777777" };
const HOLD = { Ds_TransactionType: "1" };
const CAPTURE = { Ds_TransactionType: "2", Ds_Response: "0900" };
const RELEASE = { Ds_TransactionType: "9", Ds_Response: "0400" };

const VERSIONS: readonly RedsysVersion[] = ["HMAC_SHA256_V1", "HMAC_SHA512_V2"];
const createCredentials = (signatureVersion: RedsysVersion, merchantCode = "999008881") => ({
  merchant: { merchantCode, terminal: "1", signatureVersion },
  secret: SECRET,
});

/** Signs a text of parameters as received. */
function signText(version: RedsysVersion, text: string): Record<string, string> {
  return {
    Ds_SignatureVersion: version,
    Ds_MerchantParameters: text,
    Ds_Signature: signRedsysParameters(version, SECRET, GATEWAY_ORDER, text),
  };
}
const signJson = (version: RedsysVersion, json: string) => signText(version, Buffer.from(json).toString("base64"));

function decide(
  version: RedsysVersion,
  fields: Iterable<readonly [string, string]> | Readonly<Record<string, string>>,
  {
    merchantCode,
    ...context
  }: { readonly merchantCode?: string } & Partial<Parameters<typeof getGatewayNoticeEffect>[2]> = {},
): string {
  const pairs = Symbol.iterator in fields ? [...fields] : Object.entries(fields);
  const credentials = createCredentials(version, merchantCode);
  return getGatewayNoticeEffect(redsys, pairs, { credentials, method: "tpvA256", ...context });
}

describe.each(VERSIONS)("a message of Redsys signed with %s", (version) => {
  const sign = (changes: Values = {}) => signJson(version, JSON.stringify({ ...PARAMETERS, ...changes }));

  test.each<readonly [string, Values, object, string]>([
    ["a payment", {}, {}, "pay"],
    ["a copy of a payment", {}, paid, "pay"],
    ["a payment after its denial", {}, { state: "denied" }, "pay"],
    ["a late payment", {}, { state: "expired" }, "pay"],
    ["a second payment", { Ds_AuthorisationCode: "654321" }, paid, "pay"],
    ["a denial", { Ds_Response: "0190" }, {}, "deny"],
    ["a denial after the payment", { Ds_Response: "0190" }, paid, "deny"],
    ["a denial of another amount", { Ds_Response: "0190", Ds_Amount: "4501" }, {}, "mismatch"],
    ["the success code of a refund for a payment", { Ds_Response: "0900" }, {}, "show"],
    ["the success code of a release for a payment", { Ds_Response: "0400" }, {}, "show"],
    ["an unknown response", { Ds_Response: "SIS0042" }, {}, "show"],
    ["no response", { Ds_Response: null }, {}, "show"],
    ["an unknown operation", { Ds_TransactionType: "15" }, {}, "show"],
    ["no operation", { Ds_TransactionType: null }, {}, "show"],
    ["a payment of less", { Ds_Amount: "4499" }, {}, "mismatch"],
    ["a payment of more", { Ds_Amount: "4501" }, {}, "mismatch"],
    ["a payment of nothing", { Ds_Amount: "0" }, {}, "mismatch"],
    ["a negative amount", { Ds_Amount: "-4500" }, {}, "mismatch"],
    ["an amount with decimals", { Ds_Amount: "4500.00" }, {}, "mismatch"],
    ["an amount in euros", { Ds_Amount: "45" }, {}, "mismatch"],
    ["an amount with a thousands separator", { Ds_Amount: "4.500" }, {}, "mismatch"],
    ["an amount in scientific notation", { Ds_Amount: "4.5e3" }, {}, "mismatch"],
    ["a list of amounts", { Ds_Amount: ["4500", "4500"] }, {}, "mismatch"],
    ["an object as the amount", { Ds_Amount: { value: 4500 } }, {}, "mismatch"],
    ["no amount", { Ds_Amount: undefined }, {}, "mismatch"],
    ["an amount as a number", { Ds_Amount: 4500, Ds_Response: 0, Ds_TransactionType: 0, Ds_Currency: 978 }, {}, "pay"],
    ["a padded amount", { Ds_Amount: "000000004500" }, {}, "pay"],
    ["another currency", { Ds_Currency: "840" }, {}, "mismatch"],
    ["an unknown currency", { Ds_Currency: "999" }, {}, "mismatch"],
    ["a currency in scientific notation", { Ds_Currency: "9.78e2" }, {}, "mismatch"],
    ["a currency in hexadecimal", { Ds_Currency: "0x3d2" }, {}, "mismatch"],
    ["no currency", { Ds_Currency: undefined }, {}, "mismatch"],
    ["another terminal", { Ds_Terminal: "002" }, {}, "mismatch"],
    ["no terminal", { Ds_Terminal: undefined }, {}, "mismatch"],
    ["a terminal in scientific notation", { Ds_Terminal: "1e0" }, {}, "mismatch"],
    ["another merchant", { Ds_MerchantCode: "999008882" }, {}, "mismatch"],
    ["values that are encoded for a form", { Ds_Amount: "%34500", Ds_Terminal: "00%31" }, {}, "pay"],
    ["a refund", REFUND, paid, "refund"],
    ["a refund of a part", { ...REFUND, Ds_Amount: "1" }, paid, "refund"],
    ["a refund before its payment", REFUND, {}, "refund"],
    ["a refund of more than was paid", { ...REFUND, Ds_Amount: "4501" }, paid, "mismatch"],
    ["a refund of more than is left", REFUND, { ...paid, refundedCents: 1 }, "mismatch"],
    ["a refund of nothing", { ...REFUND, Ds_Amount: "0" }, paid, "mismatch"],
    ["a refund in another currency", { ...REFUND, Ds_Currency: "840" }, paid, "mismatch"],
    ["a refused refund", { ...REFUND, Ds_Response: "0190" }, paid, "show"],
    ["a hold of a payment", HOLD, {}, "mismatch"],
    ["a capture of a payment", CAPTURE, paid, "mismatch"],
    ["a release of a payment", RELEASE, paid, "mismatch"],
    ["a payment of a hold", {}, createHold("requested"), "mismatch"],
    ["a hold", HOLD, createHold("requested"), "hold"],
    ["a hold of another amount", { ...HOLD, Ds_Amount: "4499" }, createHold("requested"), "mismatch"],
    ["a hold in another currency", { ...HOLD, Ds_Currency: "840" }, createHold("requested"), "mismatch"],
    ["a denied hold", { ...HOLD, Ds_Response: "0190" }, createHold("requested"), "failHold"],
    [
      "a denied hold of another amount",
      { ...HOLD, Ds_Response: "0190", Ds_Amount: "1" },
      createHold("requested"),
      "mismatch",
    ],
    ["a capture", CAPTURE, createHold("authorised"), "capture"],
    ["a capture of a part", { ...CAPTURE, Ds_Amount: "1" }, createHold("authorised"), "capture"],
    ["a capture before its hold", CAPTURE, createHold("requested"), "capture"],
    ["a capture after the release", CAPTURE, createHold("released"), "capture"],
    ["a capture of more than was held", { ...CAPTURE, Ds_Amount: "4501" }, createHold("authorised"), "mismatch"],
    ["a capture of nothing", { ...CAPTURE, Ds_Amount: "0" }, createHold("authorised"), "mismatch"],
    ["a refused capture", { ...CAPTURE, Ds_Response: "0190" }, createHold("authorised"), "show"],
    ["a release", RELEASE, createHold("authorised"), "release"],
    ["a release after the capture", RELEASE, createHold("captured", 4500), "release"],
    ["a release of another amount", { ...RELEASE, Ds_Amount: "1" }, createHold("authorised"), "mismatch"],
    ["a refused release", { ...RELEASE, Ds_Response: "0190" }, createHold("authorised"), "show"],
    ["a refund of a capture", { ...REFUND, Ds_Amount: "2000" }, { ...paid, ...createHold("captured", 2000) }, "refund"],
    [
      "a refund of more than was captured",
      { ...REFUND, Ds_Amount: "2001" },
      { ...paid, ...createHold("captured", 2000) },
      "mismatch",
    ],
  ])(
    "applies a Redsys notification, or refuses or flags it, by its content and the payment's state: %s",
    (_name, changes, state, effect) => {
      expect(decide(version, sign(changes), { state })).toBe(effect);
    },
  );

  const fields = sign();
  const text = fields["Ds_MerchantParameters"] ?? "";
  const signature = fields["Ds_Signature"] ?? "";
  const other = sign({ Ds_Amount: "1" });
  const respell = (spell: (name: string) => string): readonly (readonly [string, string])[] =>
    Object.entries(fields).map(([name, value]) => [spell(name), value]);
  const capitals = Object.fromEntries(Object.entries(PARAMETERS).map(([name, value]) => [name.toUpperCase(), value]));

  test.each<readonly [string, Iterable<readonly [string, string]> | Readonly<Record<string, string>>, string]>([
    ["fields in capitals", respell((name) => name.toUpperCase()), "pay"],
    ["fields in small letters", respell((name) => name.toLowerCase()), "pay"],
    ["fields in another order", Object.entries(fields).toReversed(), "pay"],
    ["parameters in capitals", signJson(version, JSON.stringify(capitals)), "pay"],
    [
      "parameters in another order",
      signJson(version, JSON.stringify(Object.fromEntries(Object.entries(PARAMETERS).toReversed()))),
      "pay",
    ],
    ["parameters with spaces and lines", signJson(version, JSON.stringify(PARAMETERS, undefined, 2)), "pay"],
    ["a byte order mark", signJson(version, `\uFEFF${JSON.stringify(PARAMETERS)}`), "pay"],
    ["base64 in lines", signText(version, text.replaceAll(/(.{76})/g, "$1\r\n")), "pay"],
    ["base64url", signText(version, Buffer.from(text, "base64").toString("base64url")), "pay"],
    [
      "a base64url signature",
      { ...fields, Ds_Signature: Buffer.from(signature, "base64").toString("base64url") },
      "pay",
    ],
    [
      "a signature with padding",
      { ...fields, Ds_Signature: Buffer.from(signature, "base64").toString("base64") },
      "pay",
    ],
    ["the same fields twice", [...Object.entries(fields), ...Object.entries(fields)], "pay"],
    [
      "a field with two values",
      [...Object.entries(fields), ["Ds_MerchantParameters", other["Ds_MerchantParameters"] ?? ""]],
      "forged",
    ],
    ["field names of a list", respell((name) => `${name}[]`), "forged"],
    [
      "fields that are encoded twice",
      Object.entries(fields).map(([name, value]) => [name, encodeURIComponent(`${value} `)]),
      "forged",
    ],
    [
      "parameters of another message",
      { ...fields, Ds_MerchantParameters: other["Ds_MerchantParameters"] ?? "" },
      "forged",
    ],
    ["a signature of another message", { ...fields, Ds_Signature: other["Ds_Signature"] ?? "" }, "forged"],
    ["no signature", { ...fields, Ds_Signature: "" }, "forged"],
    ["no version", { ...fields, Ds_SignatureVersion: "" }, "forged"],
    [
      "the other version's name",
      { ...fields, Ds_SignatureVersion: VERSIONS.find((each) => each !== version) ?? "" },
      "forged",
    ],
    ["a list of parameters", signJson(version, JSON.stringify([PARAMETERS])), "forged"],
    ["no parameters", {}, "forged"],
  ])(
    "accepts harmless variants of the encoding of a Redsys notification and refuses others: %s",
    (_name, sent, effect) => {
      expect(decide(version, sent)).toBe(effect);
    },
  );

  test("accepts a Redsys message whose merchant number is padded with zeros", () => {
    expect(decide(version, sign({ Ds_MerchantCode: "099008881" }), { merchantCode: "99008881" })).toBe("pay");
  });

  test("rejects a Redsys message of the test system, which has another key", () => {
    const signed = signRedsysFields(version, "Mk9m98IfEblmPfrpsawt7BmxObt98Jev", GATEWAY_ORDER, PARAMETERS);
    expect(decide(version, signed)).toBe("forged");
  });
});

describe("an account with other currency decimals than ISO 4217", () => {
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
  const readForm = (changes: Partial<GatewayPayment>) =>
    readRedsysParameters(
      redsys.buildForm(createCredentials("HMAC_SHA512_V2"), { ...payment, ...changes })?.["Ds_MerchantParameters"] ??
        "",
    )?.["DS_MERCHANT_AMOUNT"];

  test.each([
    ["HUF", 0, 4500, "450000"],
    ["JPY", 0, 4500, "4500"],
    ["JPY", 2, 450_000, "4500"],
    ["JPY", 2, 450_001, undefined],
    ["EUR", 3, 45_000, "4500"],
    ["EUR", 3, 45_001, undefined],
  ])("writes for Redsys in %s with %i decimals %i minor units as %s", (currency, decimals, amountCents, amount) => {
    expect(readForm({ currency, decimals, amountCents })).toBe(amount);
  });

  test.each([
    ["HUF", "348", 0, "450000", "pay"],
    ["HUF", "348", 0, "4500", "mismatch"],
    ["HUF", "348", 0, "450050", "mismatch"],
    ["JPY", "392", 0, "4500", "pay"],
    ["EUR", "978", 3, "450", "pay"],
  ])(
    "reads a Redsys payment in %s (%s) with %i decimals as %s",
    (currency, Ds_Currency, currencyDecimals, Ds_Amount, effect) => {
      const fields = signRedsysFields("HMAC_SHA512_V2", SECRET, GATEWAY_ORDER, {
        ...PARAMETERS,
        Ds_Currency,
        Ds_Amount,
      });
      expect(decide("HMAC_SHA512_V2", fields, { account: { currency, currencyDecimals } })).toBe(effect);
    },
  );
});
