import { describe, expect, it, vi } from "vitest";
import {
  deriveRedsysV1Key,
  deriveRedsysV2Key,
  type RedsysVersion,
  redsys,
  signRedsysFields,
  signRedsysParameters,
} from "#worker/gateways/redsys.ts";

const TEST_KEY = "sq7HjrUOBfKmC576ILgskD5srU870gJ7";
const OLD_KEY = "Mk9m98IfEblmPfrpsawt7BmxObt98Jev";

/** Test vectors as published. */
const vectors: readonly (readonly [RedsysVersion, string, string, string, string, string])[] = [
  [
    "HMAC_SHA256_V1",
    OLD_KEY,
    "1",
    "Lr6bLJYWKrk=",
    "3TEI5WyvHf1D/whByt1ENgFH/HPIP9UFuB6LkCYgj+E=",
    "eyJEU19NRVJDSEFOVF9BTU9VTlQiOiIxNDUiLCJEU19NRVJDSEFOVF9PUkRFUiI6IjEiLCJEU19NRVJDSEFOVF9NRVJDSEFOVENPREUiOiI5OTkwMDg4ODEiLCJEU19NRVJDSEFOVF9DVVJSRU5DWSI6Ijk3OCIsIkRTX01FUkNIQU5UX1RSQU5TQUNUSU9OVFlQRSI6IjAiLCJEU19NRVJDSEFOVF9URVJNSU5BTCI6Ijg3MSIsIkRTX01FUkNIQU5UX01FUkNIQU5UVVJMIjoiIiwiRFNfTUVSQ0hBTlRfVVJMT0siOiIiLCJEU19NRVJDSEFOVF9VUkxLTyI6IiJ9",
  ],
  [
    "HMAC_SHA256_V1",
    OLD_KEY,
    "0069",
    "0mL++6eIic8=",
    "6DVpRPAPoChZh2cgaWnLqlfFsKeXdRfAO_tz-UrxJcU=",
    "eyJEc19EYXRlIjoiMDklMkYxMSUyRjIwMTUiLCJEc19Ib3VyIjoiMTglM0EwMyIsIkRzX1NlY3VyZVBheW1lbnQiOiIwIiwiRHNfQ2FyZF9Db3VudHJ5IjoiNzI0IiwiRHNfQW1vdW50IjoiMTQ1IiwiRHNfQ3VycmVuY3kiOiI5NzgiLCJEc19PcmRlciI6IjAwNjkiLCJEc19NZXJjaGFudENvZGUiOiI5OTkwMDg4ODEiLCJEc19UZXJtaW5hbCI6Ijg3MSIsIkRzX1Jlc3BvbnNlIjoiMDAwMCIsIkRzX01lcmNoYW50RGF0YSI6IiIsIkRzX1RyYW5zYWN0aW9uVHlwZSI6IjAiLCJEc19Db25zdW1lckxhbmd1YWdlIjoiMSIsIkRzX0F1dGhvcmlzYXRpb25Db2RlIjoiMDgyMTUwIn0=",
  ],
  [
    "HMAC_SHA256_V1",
    TEST_KEY,
    "MN000049",
    "fy8RMKFadpY=",
    "O9aFvML5qK8VBQhV4GK8kFHvmAQaSnX1hfckr7abzIs=",
    "eyJEc19EYXRlIjoiMzAlMkYwOCUyRjIwMjIiLCJEc19Ib3VyIjoiMTIlM0ExOCIsIkRzX1NlY3VyZVBheW1lbnQiOiIxIiwiRHNfQ2FyZF9Db3VudHJ5IjoiNzI0IiwiRHNfQW1vdW50IjoiMTU5MDAiLCJEc19DdXJyZW5jeSI6Ijk3OCIsIkRzX09yZGVyIjoiTU4wMDAwNDkiLCJEc19NZXJjaGFudENvZGUiOiIzNTU4NjgxMDAiLCJEc19UZXJtaW5hbCI6IjAwMSIsIkRzX1Jlc3BvbnNlIjoiMDAwMCIsIkRzX01lcmNoYW50RGF0YSI6IiIsIkRzX1RyYW5zYWN0aW9uVHlwZSI6IjAiLCJEc19Db25zdW1lckxhbmd1YWdlIjoiMSIsIkRzX0F1dGhvcmlzYXRpb25Db2RlIjoiMDAyNDEzIiwiRHNfQ2FyZF9CcmFuZCI6IjEiLCJEc19Qcm9jZXNzZWRQYXlNZXRob2QiOiI1IiwiRHNfQ29udHJvbF8xNjYxODU0NjgzOTg4IjoiMTY2MTg1NDY4Mzk4OCJ9",
  ],
  [
    "HMAC_SHA256_V1",
    TEST_KEY,
    "1508428360",
    "V1TP5Gh23eop61pa9xK9HQ==",
    "qkMJMWR6Dq32xwbQuguTv39OvXv4KdD1Xg7pZ8phGZI=",
    "eyJEU19NRVJDSEFOVF9BTU9VTlQiOiIxMDAiLCJEU19NRVJDSEFOVF9PUkRFUiI6IjE1MDg0MjgzNjAiLCJEU19NRVJDSEFOVF9NRVJDSEFOVE5BTUUiOiJUZXN0aW5nIFNob3AiLCJEU19NRVJDSEFOVF9NRVJDSEFOVENPREUiOiIzMjcyMzQ2ODgiLCJEU19NRVJDSEFOVF9DVVJSRU5DWSI6Ijk3OCIsIkRTX01FUkNIQU5UX1RSQU5TQUNUSU9OVFlQRSI6IjAiLCJEU19NRVJDSEFOVF9URVJNSU5BTCI6IjEiLCJEU19NRVJDSEFOVF9NRVJDSEFOVFVSTCI6IiIsIkRTX01FUkNIQU5UX1VSTE9LIjoiaHR0cDovL2xvY2FsaG9zdDo4MDgwL3N1Y2Nlc3MiLCJEU19NRVJDSEFOVF9VUkxLTyI6Imh0dHA6Ly9sb2NhbGhvc3Q6ODA4MC9lcnJvciJ9",
  ],
  [
    "HMAC_SHA512_V2",
    TEST_KEY,
    "1234567890",
    "RWt3/IPTzYRMXsQtkiGRKg==",
    "Vjo02eSWq249IeZZp3R-ArFnGLhKY0OuzDDlx1BuVtZDC2yhczA7_11uZhsYzLZBCMFAz8u8uzGDX3AErHKmmw",
    "eyJEU19NRVJDSEFOVF9BTU9VTlQiOiI5OTkiLCJEU19NRVJDSEFOVF9PUkRFUiI6IjEyMzQ1Njc4OTAiLCJEU19NRVJDSEFOVF9NRVJDSEFOVENPREUiOiI5OTkwMDg4ODEiLCJEU19NRVJDSEFOVF9DVVJSRU5DWSI6Ijk3OCIsIkRTX01FUkNIQU5UX1RSQU5TQUNUSU9OVFlQRSI6IjAiLCJEU19NRVJDSEFOVF9URVJNSU5BTCI6IjEiLCJEU19NRVJDSEFOVF9NRVJDSEFOVFVSTCI6Imh0dHA6XC9cL3d3dy5wcnVlYmEuY29tXC91cmxOb3RpZmljYWNpb24ucGhwIiwiRFNfTUVSQ0hBTlRfVVJMT0siOiJodHRwOlwvXC93d3cucHJ1ZWJhLmNvbVwvdXJsT0sucGhwIiwiRFNfTUVSQ0hBTlRfVVJMS08iOiJodHRwOlwvXC93d3cucHJ1ZWJhLmNvbVwvdXJsS08ucGhwIn0",
  ],
];

const urlSafe = (signature: string) => signature.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

describe("examples published by Redsys", () => {
  // Proves "payments.md: gateways": Redsys: HMAC_SHA256_V1 and HMAC_SHA512_V2 as published
  it.each(vectors)(
    "signs %s with the key %s for order %s as published",
    (version, key, order, derived, signature, parameters) => {
      const derivedKey =
        version === "HMAC_SHA256_V1" ? deriveRedsysV1Key(key, order).toString("base64") : deriveRedsysV2Key(key, order);
      expect(derivedKey).toBe(derived);
      expect(urlSafe(signRedsysParameters(version, key, order, parameters))).toBe(urlSafe(signature));
    },
  );

  it("reads merchant, amount and authorisation of the notification that Redsys published as an example", () => {
    const [version, secret, , , signature, parameters] = vectors[2] ?? vectors[0] ?? [];
    const merchant = { merchantCode: "355868100", terminal: "1", signatureVersion: String(version) };
    const body = new URLSearchParams({
      Ds_SignatureVersion: String(version),
      Ds_MerchantParameters: String(parameters),
      Ds_Signature: String(signature),
    });
    expect(redsys.readNotice({ merchant, secret: String(secret) }, body)).toEqual({
      order: "MN000049",
      kind: "authorised",
      amountCents: 15900,
      decimals: "iso",
      currency: "EUR",
      authCode: "002413",
      answer: "0000",
      isOurs: true,
    });
  });
});

const merchant = { merchantCode: "999008881", terminal: "1", signatureVersion: "HMAC_SHA512_V2" };
const credentials = { merchant, secret: TEST_KEY };
const v1Merchant = { ...merchant, signatureVersion: "HMAC_SHA256_V1" };

function createNotice(changes: Readonly<Record<string, string>> = {}) {
  return {
    Ds_Date: "20%2F11%2F2026",
    Ds_Hour: "10%3A30",
    Ds_Amount: "4500",
    Ds_Currency: "978",
    Ds_Order: "1234ABCDEFGH",
    Ds_MerchantCode: "999008881",
    Ds_Terminal: "001",
    Ds_Response: "0000",
    Ds_TransactionType: "0",
    Ds_AuthorisationCode: "123456",
    ...changes,
  };
}

function read(changes: Readonly<Record<string, string>>, version: RedsysVersion = "HMAC_SHA512_V2") {
  const parameters = createNotice(changes);
  const fields = signRedsysFields(version, TEST_KEY, parameters.Ds_Order, parameters);
  return redsys.readNotice(credentials, new URLSearchParams(fields));
}

describe("a Redsys notification", () => {
  // Proves "payments.md: gateways": Redsys: responses 0000 to 0099, 0900, 0400, the rest
  it.each([
    ["0000", "0", "authorised"],
    ["0099", "0", "authorised"],
    ["0100", "0", "denied"],
    ["0190", "0", "denied"],
    ["9915", "0", "denied"],
    ["0900", "3", "refunded"],
    ["0000", "1", "held"],
    ["0190", "1", "denied"],
    ["0900", "2", "captured"],
    ["0190", "2", "other"],
    ["0400", "9", "released"],
    ["0900", "9", "other"],
    ["0000", "7", "other"],
    ["", "0", "other"],
  ])(
    "reads a notification with response %s of an operation of type %s as %s",
    (Ds_Response, Ds_TransactionType, kind) => {
      expect(read({ Ds_Response, Ds_TransactionType })?.kind).toBe(kind);
    },
  );

  it("reads a Redsys notification with or without form encoding, with null values and plain plus signs", () => {
    const parameters = { ...createNotice({ Ds_TransactionType: "3", Ds_Response: "0900" }), Ds_ErrorCode: null };
    const spelled = [
      { ...parameters, Ds_Date: "20/11/2026", Ds_Hour: "10:30", Ds_MerchantData: ">>>???" },
      { ...parameters, Ds_MerchantData: "100% >>>???" },
    ];
    for (const members of spelled) {
      const fields = signRedsysFields("HMAC_SHA256_V1", OLD_KEY, members.Ds_Order, members as never);
      const body = new URLSearchParams(
        Object.entries(fields)
          .map(([name, value]) => `${name}=${value}`)
          .join("&"),
      );
      expect(redsys.readNotice({ merchant: v1Merchant, secret: OLD_KEY }, body)).toMatchObject({
        ...{ kind: "refunded", moment: "20/11/2026 10:30", answer: "0900", isOurs: true },
      });
    }
  });

  // Proves "payments.md: gateways": Redsys: only the configured version
  it("rejects a Redsys signature version other than the configured one", () => {
    expect(read({}, "HMAC_SHA256_V1")).toBeUndefined();
  });

  // Proves "security.md": A68
  it("rejects a Redsys signature with 100,000 characters of padding without decoding it", () => {
    const fields = signRedsysFields("HMAC_SHA512_V2", TEST_KEY, "1234ABCDEFGH", createNotice());
    const body = new URLSearchParams({ ...fields, Ds_Signature: `${"=".repeat(100_000)}x` });
    const replaced = vi.spyOn(String.prototype, "replace");
    const decoded = vi.spyOn(Buffer, "from");
    expect(redsys.readNotice(credentials, body)).toBeUndefined();
    const texts = [...replaced.mock.contexts, ...decoded.mock.calls.map(([text]) => text)];
    vi.restoreAllMocks();
    expect(texts.filter((text) => String(text).length > 90_000)).toEqual([]);
  });

  it("treats a Redsys notification for another merchant or terminal as another shop's", () => {
    expect(read({ Ds_MerchantCode: "999008882" })?.isOurs).toBe(false);
    expect(read({ Ds_Terminal: "002" })?.isOurs).toBe(false);
  });

  // Proves "payments.md: gateways": Bit flips on each field: forged
  it("rejects a Redsys notification after a change of any bit in any field", () => {
    const fields = signRedsysFields("HMAC_SHA512_V2", TEST_KEY, "1234ABCDEFGH", createNotice());
    for (const [name, value] of Object.entries(fields)) {
      for (let bit = 0; bit < value.length * 7; bit++) {
        const index = Math.floor(bit / 7);
        const flipped = String.fromCharCode(value.charCodeAt(index) ^ (1 << (bit % 7)));
        const changed = { ...fields, [name]: value.slice(0, index) + flipped + value.slice(index + 1) };
        if (urlSafe(changed.Ds_Signature ?? "") === urlSafe(fields["Ds_Signature"] ?? "") && name === "Ds_Signature")
          continue;
        expect(redsys.readNotice(credentials, new URLSearchParams(changed)), `${name} ${bit}`).toBeUndefined();
      }
    }
  });

  it("rejects Redsys notification parameters that aren't a base64 object", () => {
    for (const text of ["", "x", "bnVsbA", "W10", "e30"]) {
      const body = new URLSearchParams({
        Ds_SignatureVersion: "HMAC_SHA512_V2",
        Ds_MerchantParameters: text,
        Ds_Signature: "x",
      });
      expect(redsys.readNotice(credentials, body)).toBeUndefined();
    }
  });
});

it.each(["", "short", Buffer.alloc(23).toString("base64"), "not base64 at all!"])(
  "offers no payment and accepts no notification with the invalid key %j",
  (secret) => {
    const payment = {
      order: "1234ABCD5678",
      amountCents: 1000,
      currency: "EUR",
      decimals: 2,
      language: "es",
      description: "",
      ...{ intentId: "0".repeat(32), isHold: false, expiresAt: 0 },
      at: 0,
      notifyUrl: "https://acme.example/n",
      okUrl: "https://acme.example/o",
      cancelUrl: "https://acme.example/c",
    };
    expect(redsys.buildForm({ merchant: v1Merchant, secret }, payment)).toBeUndefined();
    const parameters = Buffer.from(JSON.stringify({ Ds_Order: "1234ABCD5678" })).toString("base64url");
    const body = new URLSearchParams({
      Ds_SignatureVersion: "HMAC_SHA256_V1",
      Ds_MerchantParameters: parameters,
      Ds_Signature: "x",
    });
    expect(redsys.readNotice({ merchant: v1Merchant, secret }, body)).toBeUndefined();
  },
);

describe("a refund requested from Redsys", () => {
  const expectedFields = {
    id: 12,
    order: "1234ABCDEFGH",
    transaction: undefined,
    amountCents: 4500,
    currency: "EUR",
    decimals: 2,
    notifyUrl: "https://a.example/n",
  };
  const refundNotice = { Ds_Response: "0900", Ds_TransactionType: "3", Ds_MerchantData: "refund-12" };
  const answer = (changes: Readonly<Record<string, string>> = {}) => {
    const parameters = createNotice({ ...refundNotice, ...changes });
    const fields = signRedsysFields("HMAC_SHA512_V2", TEST_KEY, parameters.Ds_Order, parameters);
    return redsys.refunds?.read(credentials, expectedFields, { status: 200, body: JSON.stringify(fields) });
  };

  it("requests a Redsys refund as operation type 3 on the payment's order, signed, with our reference", () => {
    const fields = JSON.parse(redsys.refunds?.build(credentials, expectedFields) ?? "{}") as Record<string, string>;
    const parameters = fields["Ds_MerchantParameters"] ?? "";
    expect(fields["Ds_Signature"]).toBe(
      signRedsysParameters("HMAC_SHA512_V2", TEST_KEY, expectedFields.order, parameters),
    );
    expect(JSON.parse(Buffer.from(parameters, "base64url").toString())).toEqual({
      DS_MERCHANT_AMOUNT: "4500",
      DS_MERCHANT_ORDER: "1234ABCDEFGH",
      DS_MERCHANT_MERCHANTCODE: "999008881",
      DS_MERCHANT_CURRENCY: "978",
      DS_MERCHANT_TRANSACTIONTYPE: "3",
      DS_MERCHANT_TERMINAL: "1",
      DS_MERCHANT_MERCHANTURL: "https://a.example/n",
      DS_MERCHANT_MERCHANTDATA: "refund-12",
    });
    expect(redsys.refunds?.build(credentials, { ...expectedFields, currency: "XXX" })).toBeUndefined();
    expect(redsys.refunds?.build({ merchant: v1Merchant, secret: "short" }, expectedFields)).toBeUndefined();
  });

  // Proves "payments.md: gateways": Redsys captures a hold as operation type 2, and releases it as type 9
  it.each([
    ["capture", "2"],
    ["release", "9"],
  ] as const)("requests the %s of a Redsys hold as operation type %s on the hold's order", (action, type) => {
    const call = redsys.holds?.build("test", credentials, { ...expectedFields, action, requestedAt: 0 });
    const parameters = (JSON.parse(call?.body ?? "{}") as Record<string, string>)["Ds_MerchantParameters"] ?? "";
    expect(JSON.parse(Buffer.from(parameters, "base64url").toString())).toMatchObject({
      DS_MERCHANT_AMOUNT: "4500",
      DS_MERCHANT_ORDER: "1234ABCDEFGH",
      DS_MERCHANT_TRANSACTIONTYPE: type,
    });
  });

  it("treats a Redsys refund as done after a signed response 900", () => {
    expect(answer()).toMatchObject({ kind: "done", notice: { kind: "refunded", refundId: 12, amountCents: 4500 } });
  });

  it.each([
    ["another response", { Ds_Response: "0190" }, { kind: "refused", reason: "0190" }],
    ["another refund", { Ds_MerchantData: "refund-13" }, { kind: "unclear" }],
    ["no refund of ours", { Ds_MerchantData: "" }, { kind: "unclear" }],
    ["another amount", { Ds_Amount: "4501" }, { kind: "unclear" }],
    ["another order", { Ds_Order: "1234ABCDEFGX" }, { kind: "unclear" }],
    ["another merchant", { Ds_MerchantCode: "999008882" }, { kind: "unclear" }],
    ["a payment", { Ds_TransactionType: "0", Ds_Response: "0000" }, { kind: "unclear" }],
  ])("doesn't treat a Redsys refund as done if the response contains %s", (_, changes, expected) => {
    expect(answer(changes)).toEqual(expected);
  });

  it("treats a Redsys refund as refused even if the response has its field names in capitals", () => {
    const refusal = createNotice({ ...refundNotice, Ds_Response: "0190" });
    const fields = signRedsysFields("HMAC_SHA512_V2", TEST_KEY, refusal.Ds_Order, refusal);
    const capitals = Object.entries(fields).map(([name, value]) => [name.toUpperCase(), value] as const);
    const body = JSON.stringify(Object.fromEntries(capitals));
    const read = redsys.refunds?.read(credentials, expectedFields, { status: 200, body });
    expect(read).toEqual({ kind: "refused", reason: "0190" });
  });

  it.each([
    ['{"errorCode":"SIS0057"}', { kind: "refused", reason: "SIS0057" }],
    ['{"errorCode":"x"}', { kind: "unclear" }],
    ['{"errorCode":"XSIS0057"}', { kind: "unclear" }],
    ['{"errorCode":"SIS00571"}', { kind: "unclear" }],
    ['{"errorCode":"SIS0057","ERRORCODE":"SIS0042"}', { kind: "unclear" }],
    ['{"ERRORCODE":"SIS0057"}', { kind: "refused", reason: "SIS0057" }],
    ["<html>", { kind: "unclear" }],
    ["[]", { kind: "unclear" }],
    ["{}", { kind: "unclear" }],
  ])("reads a refund response with %s as refused, or as unclear if the outcome is unknown", (body, expected) => {
    expect(redsys.refunds?.read(credentials, expectedFields, { status: 200, body })).toEqual(expected);
  });
});
