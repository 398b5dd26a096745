import { describe, expect, it } from "vitest";
import { cecabank, signCecabankForm, signCecabankNotice } from "#worker/gateways/cecabank.ts";
import { gateways, getPaymentFormUrl } from "#worker/gateways/gateways.ts";
import { globalPayments, signGlobalPaymentsForm, signGlobalPaymentsNotice } from "#worker/gateways/global-payments.ts";
import { PAYPAL_POSTBACK_URLS, paypal } from "#worker/gateways/paypal.ts";
import {
  type GatewayPayment,
  isSameSignature,
  parseGatewayCents,
  parseMerchantSettings,
  parseNotificationForm,
} from "#worker/gateways/protocol.ts";
import { readRedsysParameters, redsys, signRedsysFields, signRedsysParameters } from "#worker/gateways/redsys.ts";

// Fields sent to and read from each gateway. Signatures are tested separately.

const payment: GatewayPayment = {
  intentId: "0".repeat(32),
  isHold: false,
  expiresAt: 0,
  order: "1234ABCDEFGH",
  amountCents: 4500,
  currency: "EUR",
  decimals: 2,
  language: "de",
  description: "d".repeat(200),
  notifyUrl: "https://acme.example/charge-processed/x",
  okUrl: "https://acme.example/charge-return/x/ok",
  cancelUrl: "https://acme.example/charge-return/x/cancel",
  at: Date.UTC(2026, 10, 20, 9, 5, 7),
};
const REDSYS_KEY = "sq7HjrUOBfKmC576ILgskD5srU870gJ7";
const bank = { merchantCode: "999008881", terminal: "12", signatureVersion: "HMAC_SHA512_V2" };
const ceca = { merchantId: "111950028", acquirerBin: "0000554052", terminalId: "00000003" };
const hpp = { merchantId: "thestore", account: "internet" };
const wallet = { business: "pay@acme.example" };

describe("the form for Redsys", () => {
  const readFormFields = (changes: Partial<GatewayPayment>, merchant = bank) => {
    const fields = redsys.buildForm({ merchant, secret: REDSYS_KEY }, { ...payment, ...changes }) ?? {};
    return { fields, parameters: readRedsysParameters(fields["Ds_MerchantParameters"] ?? "") };
  };

  it("creates a signed Redsys form with every field", () => {
    const { fields, parameters } = readFormFields({});
    expect(parameters).toEqual({
      DS_MERCHANT_AMOUNT: "4500",
      DS_MERCHANT_ORDER: "1234ABCDEFGH",
      DS_MERCHANT_MERCHANTCODE: "999008881",
      DS_MERCHANT_CURRENCY: "978",
      DS_MERCHANT_TRANSACTIONTYPE: "0",
      DS_MERCHANT_TERMINAL: "12",
      DS_MERCHANT_MERCHANTURL: payment.notifyUrl,
      DS_MERCHANT_URLOK: payment.okUrl,
      DS_MERCHANT_URLKO: payment.cancelUrl,
      DS_MERCHANT_CONSUMERLANGUAGE: "005",
      DS_MERCHANT_PRODUCTDESCRIPTION: "d".repeat(125),
    });
    const text = fields["Ds_MerchantParameters"] ?? "";
    expect(fields).toEqual({
      Ds_SignatureVersion: "HMAC_SHA512_V2",
      Ds_MerchantParameters: text,
      Ds_Signature: signRedsysParameters("HMAC_SHA512_V2", REDSYS_KEY, payment.order, text),
    });
  });

  it("encodes Redsys parameters in base64 for signature version 1 and in base64url for version 2", () => {
    const specialUrls = { okUrl: "https://acme.example/?????>>>>~~~~ÿÿ" };
    const second = readFormFields(specialUrls).fields["Ds_MerchantParameters"] ?? "";
    const first =
      readFormFields(specialUrls, { ...bank, signatureVersion: "HMAC_SHA256_V1" }).fields["Ds_MerchantParameters"] ??
      "";
    expect(second).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(first).toBe(Buffer.from(second, "base64url").toString("base64"));
    expect(first).not.toBe(second);
  });

  it.each([
    ["es", "001"],
    ["en", "002"],
    ["ca", "003"],
    ["fr", "004"],
    ["de", "005"],
    ["nl", "006"],
    ["it", "007"],
    ["pt", "009"],
    ["sv", "002"],
  ])("writes the language %s into a Redsys form as the code %s", (language, code) => {
    expect(readFormFields({ language }).parameters?.["DS_MERCHANT_CONSUMERLANGUAGE"]).toBe(code);
  });

  it("returns no Redsys form for a currency without a numeric code", () => {
    expect(redsys.buildForm({ merchant: bank, secret: REDSYS_KEY }, { ...payment, currency: "XXX" })).toBeUndefined();
  });
});

describe("a notification of Redsys", () => {
  const read = (changes: Readonly<Record<string, unknown>>, respell = (signature: string) => signature) => {
    const noticeFields = {
      Ds_Order: payment.order,
      Ds_Amount: "4500",
      Ds_Currency: "978",
      Ds_Response: "0000",
      ...changes,
    };
    const fields = signRedsysFields(
      "HMAC_SHA512_V2",
      REDSYS_KEY,
      payment.order,
      noticeFields as Record<string, string>,
    );
    const respelled = { ...fields, Ds_Signature: respell(fields["Ds_Signature"] ?? "") };
    return redsys.readNotice({ merchant: bank, secret: REDSYS_KEY }, new URLSearchParams(respelled));
  };

  it.each([
    ["0900", "3", "refunded"],
    ["900", "3", "refunded"],
    ["0901", "3", "other"],
    ["0000", "3", "other"],
    ["00000", "0", "other"],
    ["0000x", "0", "other"],
    ["x0000", "0", "other"],
    ["0", "0", "authorised"],
    ["99", "0", "authorised"],
  ])(
    "reads a Redsys notification with response %s of an operation of type %s as %s",
    (Ds_Response, Ds_TransactionType, kind) => {
      expect(read({ Ds_Response, Ds_TransactionType })?.kind).toBe(kind);
    },
  );

  it("accepts a Redsys signature in both base64 alphabets, with or without padding", () => {
    const toBase64 = (text: string) => text.replaceAll("-", "+").replaceAll("_", "/");
    for (let iteration = 0; iteration < 20; iteration++) {
      const changes = { Ds_AuthorisationCode: String(100_000 + iteration) };
      expect(read(changes, toBase64)?.authCode).toBe(changes.Ds_AuthorisationCode);
      expect(read(changes, (text) => `${toBase64(text)}==`)?.authCode).toBe(changes.Ds_AuthorisationCode);
    }
  });

  it("accepts a Redsys notification without optional fields, and with plus signs as spaces", () => {
    expect(read({ Ds_AuthorisationCode: "+12+34 " })).toEqual({
      order: payment.order,
      kind: "other",
      amountCents: 4500,
      decimals: "iso",
      currency: "EUR",
      authCode: "12 34",
      answer: "0000",
      isOurs: false,
    });
    const bare = read({ Ds_Amount: "x", Ds_Currency: undefined, Ds_Response: undefined, Ds_TransactionType: "0" });
    expect(bare).toMatchObject({ kind: "other", amountCents: 0, currency: "", authCode: "" });
  });

  it("accepts Redsys parameters only as a base64 JSON object, and reads its values as texts", () => {
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
    expect(readRedsysParameters(encoded({ a: 1, b: "x", c: null }))).toEqual({ a: "1", b: "x", c: "" });
    for (const other of [null, [], ["a"], "text", 7, true])
      expect(readRedsysParameters(encoded(other))).toBeUndefined();
    expect(readRedsysParameters("e30x")).toBeUndefined();
  });

  it("accepts a Redsys notification with signature version 1 and that version's key", () => {
    const merchant = { ...bank, signatureVersion: "HMAC_SHA256_V1" };
    const fields = signRedsysFields("HMAC_SHA256_V1", REDSYS_KEY, payment.order, { Ds_Order: payment.order });
    expect(redsys.readNotice({ merchant, secret: REDSYS_KEY }, new URLSearchParams(fields))?.order).toBe(payment.order);
  });
});

describe("Cecabank", () => {
  it("creates a signed Cecabank form with every field", () => {
    const fields = cecabank.buildForm({ merchant: ceca, secret: "99888888" }, payment) ?? {};
    const { Firma, ...rest } = fields;
    expect(rest).toEqual({
      MerchantID: "111950028",
      AcquirerBIN: "0000554052",
      TerminalID: "00000003",
      Num_operacion: "1234ABCDEFGH",
      Importe: "4500",
      TipoMoneda: "978",
      Exponente: "2",
      Cifrado: "SHA2",
      URL_OK: payment.okUrl,
      URL_NOK: payment.cancelUrl,
      Pago_soportado: "SSL",
      Idioma: "8",
      Descripcion: payment.description,
    });
    expect(Firma).toBe(signCecabankForm("99888888", rest));
  });

  it.each([
    ["es", "1"],
    ["ca", "2"],
    ["en", "6"],
    ["fr", "7"],
    ["de", "8"],
    ["sv", "6"],
  ])("writes the language %s into a Cecabank form as the code %s", (language, code) => {
    expect(cecabank.buildForm({ merchant: ceca, secret: "" }, { ...payment, language })?.["Idioma"]).toBe(code);
  });

  const fields = {
    MerchantID: "111950028",
    AcquirerBIN: "0000554052",
    TerminalID: "00000003",
    Num_operacion: "1234ABCDEFGH",
    Importe: "4500",
    TipoMoneda: "978",
    Exponente: "2",
    Referencia: "1234",
  };
  const read = (changes: Readonly<Record<string, string>>) => {
    const noticeFields = { ...fields, Num_aut: "101000", ...changes };
    const body = new URLSearchParams({ ...noticeFields, Firma: signCecabankNotice("99888888", noticeFields) });
    return cecabank.readNotice({ merchant: ceca, secret: "99888888" }, body);
  };

  it("treats a Cecabank payment without authorisation as denied, and one with other shop numbers as another shop's", () => {
    expect(read({ Num_aut: "" })?.kind).toBe("denied");
    expect(read({ MerchantID: "111950029" })?.isOurs).toBe(false);
    expect(read({ AcquirerBIN: "0000554053" })?.isOurs).toBe(false);
    expect(read({ TerminalID: "00000004" })?.isOurs).toBe(false);
    expect(read({ TipoMoneda: "001" })?.currency).toBe("");
  });

  it.each([
    ["MerchantID", ["x111950028", "1119500288", ""]],
    ["AcquirerBIN", ["x0000554052", "00005540522"]],
    ["TerminalID", ["x00000003", "000000033"]],
    ["Num_operacion", ["x1234ABCDEFGH", "1234ABCDEFGHI", "1234abcdefgh"]],
    ["Importe", ["x4500", "4500x", "", "1234567890123"]],
    ["TipoMoneda", ["x978", "9788"]],
    ["Exponente", ["4", "x2", "22"]],
    ["Referencia", ["", "1-2", "1".repeat(31)]],
  ])("rejects a Cecabank notification with a malformed %s", (name, invalidValues) => {
    for (const value of invalidValues) expect(read({ [name]: value }), value).toBeUndefined();
  });
});

describe("Global Payments", () => {
  it("creates a signed Global Payments form with every field", () => {
    const fields = globalPayments.buildForm({ merchant: hpp, secret: "mysecret" }, payment) ?? {};
    const { SHA1HASH, ...rest } = fields;
    expect(rest).toEqual({
      TIMESTAMP: "20261120090507",
      MERCHANT_ID: "thestore",
      ACCOUNT: "internet",
      ORDER_ID: "1234ABCDEFGH",
      AMOUNT: "4500",
      CURRENCY: "EUR",
      AUTO_SETTLE_FLAG: "1",
      HPP_VERSION: "2",
      HPP_LANG: "DE",
      MERCHANT_RESPONSE_URL: payment.notifyUrl,
      COMMENT1: payment.description,
    });
    expect(SHA1HASH).toBe(signGlobalPaymentsForm("mysecret", rest));
  });

  const fields = {
    TIMESTAMP: "20261120090507",
    MERCHANT_ID: "thestore",
    ORDER_ID: "1234ABCDEFGH",
    RESULT: "00",
    MESSAGE: "Authorised",
    PASREF: "14631546336115597",
    AUTHCODE: "12345",
    AMOUNT: "4500",
    CURRENCY: "EUR",
  };
  const read = (changes: Readonly<Record<string, string>>) => {
    const noticeFields = { ...fields, ...changes };
    const body = new URLSearchParams({ ...noticeFields, SHA1HASH: signGlobalPaymentsNotice("mysecret", noticeFields) });
    return globalPayments.readNotice({ merchant: hpp, secret: "mysecret" }, body);
  };

  it("reads order, amount, authorisation and shop of a Global Payments notification", () => {
    expect(read({})).toEqual({
      order: "1234ABCDEFGH",
      kind: "authorised",
      amountCents: 4500,
      decimals: "iso",
      currency: "EUR",
      authCode: "14631546336115597",
      answer: "00 Authorised",
      isOurs: true,
    });
    expect(read({ RESULT: "101", MESSAGE: "DECLINED" })).toMatchObject({ kind: "denied", answer: "101 DECLINED" });
    expect(read({ MERCHANT_ID: "theother" })?.isOurs).toBe(false);
    expect(read({ AMOUNT: "45.00" })?.amountCents).toBe(0);
  });

  const bytes = (text: string, encoding: "utf8" | "latin1") => new Uint8Array(Buffer.from(text, encoding));
  const percent = (encoded: Uint8Array) =>
    Array.from(encoded, (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

  // The gateway doesn't document the encoding of its message.
  it.each([
    ["utf8", "utf8"],
    ["utf8", "latin1"],
    ["latin1", "utf8"],
    ["latin1", "latin1"],
  ] as const)("reads a Global Payments message that is sent in %s and hashed in %s", (sentIn, hashedIn) => {
    const MESSAGE = "Operación aceptada";
    const SHA1HASH = signGlobalPaymentsNotice("mysecret", { ...fields, MESSAGE }, hashedIn);
    const others = new URLSearchParams({ ...fields, SHA1HASH });
    others.delete("MESSAGE");
    for (const text of [percent(bytes(MESSAGE, sentIn)), Buffer.from(bytes(MESSAGE, sentIn)).toString("latin1")]) {
      const form = parseNotificationForm(bytes(`MESSAGE=${text}&${others}`, "latin1"));
      expect(globalPayments.readNotice({ merchant: hpp, secret: "mysecret" }, form)).toMatchObject({
        kind: "authorised",
        answer: `00 ${MESSAGE}`,
      });
    }
  });

  it.each([
    ["a line break at its end", (text: string) => `${text}\r\n`],
    ["a line feed at its end", (text: string) => `${text}\n`],
    ["a byte order mark", (text: string) => `\uFEFF${text}`],
  ])("reads a notification form with %s", (_, change) => {
    const body = new URLSearchParams({ ...fields, SHA1HASH: signGlobalPaymentsNotice("mysecret", fields) }).toString();
    const form = parseNotificationForm(bytes(change(body), "utf8"));
    expect(globalPayments.readNotice({ merchant: hpp, secret: "mysecret" }, form)).toMatchObject({
      kind: "authorised",
    });
  });

  it("rejects a Global Payments message with a changed character", () => {
    const SHA1HASH = signGlobalPaymentsNotice("mysecret", { ...fields, MESSAGE: "ñ" }, "latin1");
    for (const MESSAGE of ["n", "\u01F1", "\uFFFD", "Ã±"]) {
      const body = new URLSearchParams({ ...fields, MESSAGE, SHA1HASH });
      expect(globalPayments.readNotice({ merchant: hpp, secret: "mysecret" }, body), MESSAGE).toBeUndefined();
    }
  });

  it("signs only ASCII texts in a Global Payments form", () => {
    const sign = (description: string) =>
      globalPayments.buildForm({ merchant: hpp, secret: "mysecret" }, { ...payment, description })?.["SHA1HASH"];
    expect(sign("Coches Ñandú")).toBe(sign("Cars"));
    for (const merchantId of ["tiendañ", "tienda€"])
      expect(parseMerchantSettings(globalPayments, { ...hpp, merchantId })).toBeUndefined();
  });

  it.each([
    ["TIMESTAMP", ["x20261120090507", "202611200905071", ""]],
    ["MERCHANT_ID", [".thestore", "thestore.", ""]],
    ["ORDER_ID", ["x1234ABCDEFGH", "1234ABCDEFGHI", "1234abcdefgh"]],
    ["RESULT", ["0", "0000", ".00", "00."]],
    ["PASREF", [".1", "1.", "1".repeat(51)]],
    ["AUTHCODE", [".1", "1.", "1".repeat(21)]],
  ])("rejects a Global Payments notification with a malformed %s", (name, invalidValues) => {
    for (const value of invalidValues) expect(read({ [name]: value }), value).toBeUndefined();
  });
});

it("ends the description for a gateway with a whole character", () => {
  const long = { ...payment, description: "\u{1f697}".repeat(130) };
  const fields = redsys.buildForm({ merchant: bank, secret: REDSYS_KEY }, long) ?? {};
  const parameters = readRedsysParameters(fields["Ds_MerchantParameters"] ?? "");
  expect(parameters?.["DS_MERCHANT_PRODUCTDESCRIPTION"]).toBe("\u{1f697}".repeat(62));
  expect(paypal.buildForm({ merchant: wallet, secret: "" }, long)?.["item_name"]).toBe("\u{1f697}".repeat(63));
});

describe("PayPal", () => {
  it.each([
    ["EUR", 2, 121_050, "1210.50"],
    ["JPY", 0, 4500, "4500"],
    ["HUF", 2, 450_000, "4500"],
    ["HUF", 2, 450_050, undefined],
    ["KWD", 3, 12_500, undefined],
    ["MAD", 2, 12_500, undefined],
  ])("writes for PayPal in %s with %i decimals %i minor units as %s", (currency, decimals, amountCents, amount) => {
    const form = paypal.buildForm({ merchant: wallet, secret: "" }, { ...payment, currency, decimals, amountCents });
    expect(form?.["amount"]).toBe(amount);
  });

  it("creates a PayPal form with every field", () => {
    expect(paypal.buildForm({ merchant: wallet, secret: "" }, payment)).toEqual({
      cmd: "_xclick",
      business: "pay@acme.example",
      item_name: "d".repeat(127),
      amount: "45.00",
      currency_code: "EUR",
      invoice: "1234ABCDEFGH",
      custom: "1234ABCDEFGH",
      notify_url: payment.notifyUrl,
      return: payment.okUrl,
      cancel_return: payment.cancelUrl,
      rm: "2",
      charset: "utf-8",
      no_shipping: "1",
      lc: "DE",
    });
  });

  const notice = {
    payment_status: "Completed",
    txn_id: "8XY",
    invoice: "1234ABCDEFGH",
    mc_gross: "45.00",
    mc_currency: "EUR",
  };
  const read = (changes: Readonly<Record<string, string>>) =>
    paypal.readNotice({ merchant: wallet, secret: "" }, new URLSearchParams({ ...notice, ...changes }));

  it.each(["Denied", "Failed", "Expired", "Voided"])(
    "treats a PayPal payment with the status %s as denied",
    (payment_status) => {
      expect(read({ payment_status, reason_code: "other" })).toMatchObject({
        kind: "denied",
        answer: `${payment_status} other`,
      });
    },
  );

  it("treats a PayPal payment as another shop's unless the shop is its receiver or business", () => {
    expect(read({})?.isOurs).toBe(false);
    expect(read({ receiver_email: "Pay@Acme.example" })).toEqual({
      order: "1234ABCDEFGH",
      kind: "authorised",
      amountCents: 4500,
      decimals: 2,
      currency: "EUR",
      authCode: "8XY",
      answer: "Completed",
      isOurs: true,
    });
    expect(read({ business: "PAY@acme.example", receiver_email: "other@acme.example" })?.isOurs).toBe(true);
  });

  it("rejects a PayPal notification without an order or a transaction", () => {
    expect(read({ invoice: "" })).toBeUndefined();
    expect(read({ txn_id: "" })).toBeUndefined();
  });

  it("reads PayPal amounts in yen only without decimals", () => {
    expect(read({ mc_currency: "JPY", mc_gross: "4500" })?.amountCents).toBe(4500);
    expect(read({ mc_currency: "JPY", mc_gross: "45.50" })?.amountCents).toBe(0);
    expect(read({ mc_gross: "4-5.00" })?.amountCents).toBe(0);
    expect(read({ mc_gross: "--45.00" })?.amountCents).toBe(0);
  });
});

describe("a gateway", () => {
  it("uses the documented live and test URLs of each gateway", () => {
    expect(Object.values(gateways).map(({ protocol }) => protocol.addresses)).toEqual([
      { live: "https://sis.redsys.es/sis/realizarPago", test: "https://sis-t.redsys.es:25443/sis/realizarPago" },
      {
        live: "https://pgw.ceca.es/tpvweb/tpv/compra.action",
        test: "https://tpv.ceca.es/tpvweb/tpv/compra.action",
      },
      { live: "https://pay.realexpayments.com/pay", test: "https://pay.sandbox.realexpayments.com/pay" },
      { live: "https://www.paypal.com/cgi-bin/webscr", test: "https://www.sandbox.paypal.com/cgi-bin/webscr" },
      { live: "https://api.stripe.com/v1/checkout/sessions", test: "https://api.stripe.com/v1/checkout/sessions" },
    ]);
    expect(getPaymentFormUrl("wallet_standard", "live", "")).toBe("https://www.paypal.com/cgi-bin/webscr");
    expect(PAYPAL_POSTBACK_URLS.test).toBe("https://ipnpb.sandbox.paypal.com/cgi-bin/webscr");
    expect(new URL(PAYPAL_POSTBACK_URLS.stand_in).hostname).toBe("stand-in.invalid");
  });

  it("requires a secret for every gateway except PayPal", () => {
    expect(Object.values(gateways).map(({ protocol }) => protocol.hasSecret)).toEqual([true, true, true, false, true]);
  });

  it.each([
    [redsys, bank, { merchantCode: ["", "x1", "1x", "1234567890"], terminal: ["", "x1", "1x", "1234"] }],
    [redsys, bank, { signatureVersion: ["", "xHMAC_SHA512_V2", "HMAC_SHA512_V2x", "HMAC_SHA1_V1"] }],
    [cecabank, ceca, { merchantId: ["x111950028", "1119500288"], acquirerBin: ["x0000554052", "00005540522"] }],
    [cecabank, ceca, { terminalId: ["x00000003", "000000033", "3"] }],
    [globalPayments, hpp, { merchantId: ["", "the.store", "the store"], account: ["", "a.b", "a".repeat(31)] }],
    [paypal, wallet, { business: ["", "acme", "a b@acme.example", "<@acme.example", "a@acme.example>", "@a", "a@"] }],
  ])("accepts merchant settings only in the gateway's own format", (protocol, merchant, invalidSettings) => {
    expect(parseMerchantSettings(protocol, merchant)).toEqual(merchant);
    for (const [name, values] of Object.entries(invalidSettings)) {
      for (const value of values)
        expect(parseMerchantSettings(protocol, { ...merchant, [name]: value }), value).toBeUndefined();
    }
    for (const other of [undefined, null, "text", 7]) expect(parseMerchantSettings(protocol, other)).toBeUndefined();
  });

  it("answers accepted gateway notifications with 200 and rejected ones with 403", () => {
    expect(redsys.answer(true)).toEqual({ status: 200, body: "", type: "text/plain" });
    expect(paypal.answer(false)).toEqual({ status: 403, body: "", type: "text/plain" });
    expect(globalPayments.answer(true)).toEqual({ status: 200, body: "", type: "text/html" });
    expect(globalPayments.answer(false)).toEqual({ status: 403, body: "", type: "text/html" });
  });
});

it.each([
  ["0", 0],
  ["4500", 4500],
  ["123456789012", 123_456_789_012],
  ["1234567890123", undefined],
  ["45.00", undefined],
  ["-1", undefined],
  ["x1", undefined],
  ["", undefined],
  [null, undefined],
  [undefined, undefined],
])("parses a gateway's amount %j as %j minor units", (text, cents) => {
  expect(parseGatewayCents(text)).toBe(cents);
});

it("recognizes equal signatures, and unequal ones of the same or another length", () => {
  expect(isSameSignature("abc", "abc")).toBe(true);
  for (const other of ["abd", "ab", "abcd", ""]) expect(isSameSignature("abc", other)).toBe(false);
  expect(isSameSignature("é", "e")).toBe(false);
});
