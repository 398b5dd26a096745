import { describe, expect, it } from "vitest";
import { parseOnlineMethod } from "#domain/payments/gateway-notices.ts";
import { cecabank, signCecabankForm, signCecabankNotice } from "#worker/gateways/cecabank.ts";
import { gateways, getPaymentFormUrl } from "#worker/gateways/gateways.ts";
import { globalPayments, signGlobalPaymentsForm, signGlobalPaymentsNotice } from "#worker/gateways/global-payments.ts";
import { PAYPAL_POSTBACK_URLS, paypal, toPaypalPostback } from "#worker/gateways/paypal.ts";
import {
  type GatewayCredentials,
  type GatewayPayment,
  type GatewayProtocol,
  parseMerchantSettings,
} from "#worker/gateways/protocol.ts";
import { readRedsysParameters } from "#worker/gateways/redsys.ts";

const payment: GatewayPayment = {
  intentId: "0".repeat(32),
  isHold: false,
  expiresAt: 0,
  order: "1234ABCDEFGH",
  amountCents: 4500,
  currency: "EUR",
  decimals: 2,
  language: "es",
  description: "Test Rentals 1234ABCDEFGH",
  notifyUrl: "https://acme.example/charge-processed/x",
  okUrl: "https://acme.example/charge-return/x/ok",
  cancelUrl: "https://acme.example/charge-return/x/cancel",
  at: Date.UTC(2026, 10, 20, 9, 5, 7),
};
const ceca: GatewayCredentials = {
  merchant: { merchantId: "111950028", acquirerBin: "0000554052", terminalId: "00000003" },
  secret: "99888888",
};
const hpp: GatewayCredentials = { merchant: { merchantId: "thestore", account: "internet" }, secret: "mysecret" };
const wallet: GatewayCredentials = { merchant: { business: "pay@acme.example" }, secret: "" };

/** Yields messages with one bit of one character changed in each field. */
function* flips(fields: Readonly<Record<string, string>>): Generator<readonly [string, Record<string, string>]> {
  for (const [name, value] of Object.entries(fields)) {
    for (let bit = 0; bit < value.length * 7; bit++) {
      const index = Math.floor(bit / 7);
      const flipped = String.fromCharCode(value.charCodeAt(index) ^ (1 << (bit % 7)));
      yield [name, { ...fields, [name]: value.slice(0, index) + flipped + value.slice(index + 1) }];
    }
  }
}

/** Whether the change only altered the case of a letter in a hash, which stays valid. */
const isSameSpelling = (hash: string, changed: string | undefined, isHash: boolean) =>
  isHash && changed?.toLowerCase() === hash.toLowerCase();

function isForged(
  protocol: GatewayProtocol,
  credentials: GatewayCredentials,
  fields: Readonly<Record<string, string>>,
): boolean {
  return protocol.readNotice(credentials, new URLSearchParams(fields)) === undefined;
}

describe("Cecabank", () => {
  // Proves "payments.md: gateways": Cecabank: the manual's example
  it("creates the signature of the Cecabank manual's example", () => {
    const fields = {
      MerchantID: "111950028",
      AcquirerBIN: "0000554052",
      TerminalID: "00000003",
      Num_operacion: "123",
      Importe: "500",
      TipoMoneda: "978",
      Exponente: "2",
      Cifrado: "SHA2",
      URL_OK: "http://www.ceca.es",
      URL_NOK: "http://www.ceca.es",
    };
    expect(signCecabankForm("99888888", fields)).toBe(
      "2b7f686593f1a424c510321e4bc354d21924e02e980a90f4d46c41f92a06f5a9",
    );
  });

  const fields = {
    MerchantID: "111950028",
    AcquirerBIN: "0000554052",
    TerminalID: "00000003",
    Num_operacion: "1234ABCDEFGH",
    Importe: "4500",
    TipoMoneda: "978",
    Exponente: "2",
    Referencia: "120012345678901234567890123456",
  };
  const notice = { ...fields, Firma: signCecabankNotice("99888888", fields), Num_aut: "101000" };

  it("reads order, amount, currency and authorisation of a Cecabank notification", () => {
    expect(cecabank.readNotice(ceca, new URLSearchParams(notice))).toEqual({
      order: "1234ABCDEFGH",
      kind: "authorised",
      amountCents: 4500,
      decimals: 2,
      currency: "EUR",
      authCode: "120012345678901234567890123456",
      isOurs: true,
    });
  });

  it("reads a Cecabank notification with fields in another order and case, and with unknown fields", () => {
    const spelled = Object.entries({ ...notice, Firma: notice.Firma.toUpperCase(), Nuevo: "" }).toReversed();
    const body = new URLSearchParams(spelled.map(([name, value]) => [name.toUpperCase(), value]));
    expect(cecabank.readNotice(ceca, body)).toEqual(cecabank.readNotice(ceca, new URLSearchParams(notice)));
  });

  it("treats a Cecabank notification as forged after a change of any signed bit", () => {
    for (const [name, changed] of flips(notice)) {
      if (name !== "Num_aut" && !isSameSpelling(notice.Firma, changed["Firma"], name === "Firma"))
        expect(isForged(cecabank, ceca, changed), `${name} ${changed[name]}`).toBe(true);
    }
  });

  // Proves "payments.md: gateways": Cecabank: no field shifting, no length extension
  it("rejects a Cecabank notification with a character moved between fields or added at the end", () => {
    const { Num_operacion, Importe, Referencia } = notice;
    const movedNotice = {
      ...notice,
      Num_operacion: Num_operacion.slice(0, -1),
      Importe: Num_operacion.slice(-1) + Importe,
    };
    const shifted = { ...notice, Importe: `${Importe}9`, TipoMoneda: "782", Exponente: Referencia.slice(0, 1) };
    for (const forged of [movedNotice, shifted, { ...notice, Referencia: `${Referencia}\u0080\u0000x` }]) {
      expect(isForged(cecabank, ceca, { ...forged, Firma: signCecabankNotice("99888888", forged) })).toBe(
        forged !== shifted,
      );
      expect(isForged(cecabank, ceca, forged)).toBe(true);
    }
  });

  it("answers Cecabank in its own response format", () => {
    expect(cecabank.answer(true)).toEqual({ status: 200, body: "$*$OKY$*$", type: "text/html" });
    expect(cecabank.answer(false)).toEqual({ status: 200, body: "$*$NOK$*$", type: "text/html" });
  });
});

describe("Global Payments", () => {
  it("signs a Global Payments request like the published example", () => {
    const fields = {
      TIMESTAMP: "20120926112654",
      MERCHANT_ID: "thestore",
      ORDER_ID: "ORD453-11",
      AMOUNT: "29900",
      CURRENCY: "EUR",
    };
    expect(signGlobalPaymentsForm("mysecret", fields)).toBe("3c3cac74f2b783598b99af6e43246529346d95d1");
  });

  // Proves "payments.md: gateways": Global Payments: request and response as published
  it("signs a Global Payments response like the published example", () => {
    const fields = {
      TIMESTAMP: "20120926112654",
      MERCHANT_ID: "thestore",
      ORDER_ID: "ORD453-11",
      RESULT: "00",
      MESSAGE: "Successful",
      PASREF: "3737468273643",
      AUTHCODE: "79347",
    };
    expect(signGlobalPaymentsNotice("mysecret", fields)).toBe("368df010076481d47a21e777871012b62b976339");
  });

  const fields = {
    TIMESTAMP: "20261120090507",
    MERCHANT_ID: "thestore",
    ORDER_ID: "1234ABCDEFGH",
    RESULT: "00",
    MESSAGE: "[ test system ] Authorised",
    PASREF: "14631546336115597",
    AUTHCODE: "12345",
  };
  const notice = { ...fields, SHA1HASH: signGlobalPaymentsNotice("mysecret", fields), AMOUNT: "4500" };

  it("reads a Global Payments notification, and leaves a missing amount undefined", () => {
    const read = globalPayments.readNotice(hpp, new URLSearchParams(notice));
    expect(read).toMatchObject({ order: "1234ABCDEFGH", kind: "authorised", amountCents: 4500, isOurs: true });
    const { AMOUNT, ...without } = notice;
    expect(globalPayments.readNotice(hpp, new URLSearchParams(without))?.amountCents).toBeUndefined();
  });

  it("treats a Global Payments notification as forged after a change of any signed bit", () => {
    for (const [name, changed] of flips(notice)) {
      if (name !== "AMOUNT" && !isSameSpelling(notice.SHA1HASH, changed["SHA1HASH"], name === "SHA1HASH"))
        expect(isForged(globalPayments, hpp, changed), `${name} ${changed[name]}`).toBe(true);
    }
  });

  it("reads a Global Payments notification with a hash in capitals, a lower-case currency and empty fields", () => {
    const changed = { ...notice, SHA1HASH: notice.SHA1HASH.toUpperCase(), AMOUNT: "", CURRENCY: "eur" };
    const read = globalPayments.readNotice(hpp, new URLSearchParams(changed));
    expect(read).toMatchObject({ kind: "authorised", amountCents: undefined, currency: "EUR", isOurs: true });
    const empty = globalPayments.readNotice(hpp, new URLSearchParams({ ...changed, CURRENCY: "" }));
    expect(empty?.currency).toBeUndefined();
  });

  it("rejects a Global Payments denial turned into an authorisation by moving text between fields", () => {
    const denied = { ...fields, RESULT: "101", MESSAGE: "00.Successful" };
    const hash = signGlobalPaymentsNotice("mysecret", denied);
    expect(isForged(globalPayments, hpp, { ...denied, TIMESTAMP: "20261120090507.thestore", SHA1HASH: hash })).toBe(
      true,
    );
    expect(isForged(globalPayments, hpp, { ...denied, RESULT: "101.00", MESSAGE: "Successful", SHA1HASH: hash })).toBe(
      true,
    );
  });
});

describe("PayPal", () => {
  const notice = {
    payment_status: "Completed",
    txn_id: "8XY",
    receiver_email: "PAY@acme.example",
    invoice: "1234ABCDEFGH",
    mc_gross: "45.00",
    mc_currency: "EUR",
  };

  it.each([
    ["Completed", "45.00", "authorised", 4500],
    ["Refunded", "-45.00", "refunded", 4500],
    ["Reversed", "-5.50", "refunded", 550],
    ["Denied", "45.00", "denied", 4500],
    ["Pending", "45.00", "pending", 4500],
    ["Canceled_Reversal", "45.00", "reinstated", 4500],
    ["In-Progress", "45.00", "pending", 4500],
    ["In_Progress", "45.00", "pending", 4500],
    ["COMPLETED", "45.00", "authorised", 4500],
    ["Unheard", "45.00", "other", 4500],
    ["Completed", "45.001", "authorised", 0],
    ["Completed", "", "authorised", 0],
    ["Completed", "-45.00", "authorised", 0],
  ])("reads PayPal's status %s of the amount %s as %s of %i cents", (payment_status, mc_gross, kind, amountCents) => {
    const body = new URLSearchParams({ ...notice, payment_status, mc_gross });
    expect(paypal.readNotice(wallet, body)).toMatchObject({ kind, amountCents, isOurs: true, authCode: "8XY" });
  });

  it.each([
    ["Reversed", true],
    ["Refunded", undefined],
  ])(
    "distinguishes a bank's reversal from the company's refund by PayPal's status %s",
    (payment_status, isDisputed) => {
      const body = new URLSearchParams({ ...notice, payment_status, mc_gross: "-45.00" });
      expect(paypal.readNotice(wallet, body)?.isDisputed).toBe(isDisputed);
    },
  );

  it("reads a PayPal notification with fields in another order and case, unknown fields and an empty reason", () => {
    const more = { ...notice, mc_currency: "eur", reason_code: "", pending_reason: "echeck", new_field: "1" };
    const spelled = Object.entries(more).toReversed();
    const body = new URLSearchParams(spelled.map(([name, value]) => [name.toUpperCase(), value]));
    expect(paypal.readNotice(wallet, body)).toMatchObject({
      ...{ order: "1234ABCDEFGH", kind: "authorised", amountCents: 4500, currency: "EUR", isOurs: true },
      answer: "Completed echeck",
    });
  });

  it("recognizes a payment to another PayPal account than the shop's", () => {
    const body = new URLSearchParams({ ...notice, receiver_email: "other@evil.example" });
    expect(paypal.readNotice(wallet, body)?.isOurs).toBe(false);
  });

  it("posts the exact bytes of a PayPal notification back after the validation command", () => {
    const raw = Uint8Array.from([
      ...new TextEncoder().encode("item_name=Caf"),
      0xe9,
      ...new TextEncoder().encode("&b=%E9"),
    ]);
    const posted = toPaypalPostback(raw);
    expect(new TextDecoder().decode(posted.subarray(0, 21))).toBe("cmd=_notify-validate&");
    expect(posted.subarray(21)).toEqual(raw);
  });
});

describe("the gateways", () => {
  it("sends amount, order and return URLs in each gateway's own fields", () => {
    const key = "sq7HjrUOBfKmC576ILgskD5srU870gJ7";
    const merchant = { merchantCode: "999008881", terminal: "1", signatureVersion: "HMAC_SHA512_V2" };
    const redsys = gateways.tpvA256.protocol.buildForm({ merchant, secret: key }, payment) ?? {};
    expect(readRedsysParameters(redsys["Ds_MerchantParameters"] ?? "")).toMatchObject({
      DS_MERCHANT_AMOUNT: "4500",
      DS_MERCHANT_ORDER: "1234ABCDEFGH",
      DS_MERCHANT_CURRENCY: "978",
      DS_MERCHANT_CONSUMERLANGUAGE: "001",
    });
    expect(cecabank.buildForm(ceca, payment)).toMatchObject({
      Importe: "4500",
      TipoMoneda: "978",
      Exponente: "2",
      Idioma: "1",
    });
    expect(globalPayments.buildForm(hpp, payment)).toMatchObject({
      AMOUNT: "4500",
      TIMESTAMP: "20261120090507",
      HPP_LANG: "ES",
    });
    expect(paypal.buildForm(wallet, payment)).toMatchObject({
      amount: "45.00",
      currency_code: "EUR",
      invoice: "1234ABCDEFGH",
    });
  });

  it("rejects a currency without a numeric code if the gateway requires that code", () => {
    expect(cecabank.buildForm(ceca, { ...payment, currency: "XXX" })).toBeUndefined();
  });

  // Proves "payments.md: gateways": Gateway hosts are constants, not settings
  it("uses gateway URLs that no setting can change", () => {
    expect(getPaymentFormUrl("tpvA256", "live", "")).toBe("https://sis.redsys.es/sis/realizarPago");
    expect(getPaymentFormUrl("tpvB", "test", "")).toBe("https://tpv.ceca.es/tpvweb/tpv/compra.action");
    expect(getPaymentFormUrl("tpvC", "stand_in", "http://localhost:8787")).toBe(
      "http://localhost:8787/dev/gateway/tpvC",
    );
    expect(PAYPAL_POSTBACK_URLS.live).toBe("https://ipnpb.paypal.com/cgi-bin/webscr");
    const merchant = { merchantCode: "999008881", terminal: "1", signatureVersion: "HMAC_SHA512_V2" };
    const { protocol } = gateways.tpvA256;
    expect(parseMerchantSettings(protocol, merchant)).toEqual(merchant);
    for (const invalidMerchant of [
      { ...merchant, url: "http://evil.example" },
      { ...merchant, merchantCode: "http://evil.example" },
      { ...merchant, signatureVersion: "none" },
      { merchantCode: "999008881", terminal: "1" },
      { ...merchant, terminal: 1 },
      [merchant],
      null,
    ]) {
      expect(parseMerchantSettings(protocol, invalidMerchant)).toBeUndefined();
    }
  });

  it("accepts only known online payment methods, and paypal_standard as the wallet's alias", () => {
    expect(parseOnlineMethod("paypal_standard")).toBe("wallet_standard");
    expect(parseOnlineMethod("tpvA256")).toBe("tpvA256");
    for (const other of ["cash", "", "__proto__", "constructor", "TPVB"])
      expect(parseOnlineMethod(other)).toBeUndefined();
    expect(gateways.tpvA256.chargeMethod).toBe("tpvA_256");
  });
});
