import { createHash } from "node:crypto";
import { getCurrencyByNumericCode, getNumericCurrencyCode } from "#domain/payments/currencies.ts";
import type { GatewayNotice } from "#domain/payments/gateway-notices.ts";
import {
  type GatewayCredentials,
  type GatewayPayment,
  type GatewayProtocol,
  isSameHex,
  type ProtocolFields,
  parseGatewayCents,
  renameProtocolFields,
} from "./protocol.ts";

const CIPHER = "SHA2";
const LANGUAGES: Readonly<Record<string, string>> = { es: "1", ca: "2", en: "6", fr: "7", de: "8" };

/** Cecabank by redirect (`tpvB`): SHA-256 of the key and the fields, without separators. */
export const cecabank: GatewayProtocol = {
  abilities: ["charge"],
  addresses: {
    live: "https://pgw.ceca.es/tpvweb/tpv/compra.action",
    test: "https://tpv.ceca.es/tpvweb/tpv/compra.action",
  },
  // Fixed widths, so that no character can shift between fields of the signed text.
  merchant: { merchantId: /^\d{9}$/, acquirerBin: /^\d{10}$/, terminalId: /^\d{8}$/ },
  hasSecret: true,
  buildForm: buildCecabankForm,
  readNotice: readCecabankNotice,
  answer: (isAccepted) => ({ status: 200, body: isAccepted ? "$*$OKY$*$" : "$*$NOK$*$", type: "text/html" }),
};

const SIGNED_IN_FORM = [
  "MerchantID",
  "AcquirerBIN",
  "TerminalID",
  "Num_operacion",
  "Importe",
  "TipoMoneda",
  "Exponente",
  "Cifrado",
  "URL_OK",
  "URL_NOK",
];
const SIGNED_IN_NOTICE = [...SIGNED_IN_FORM.slice(0, 7), "Referencia"];

/** Allowed formats of a notification's fields. With the widths above, the signed text is unambiguous. */
const FORMS: Readonly<Record<string, RegExp>> = {
  MerchantID: /^\d{9}$/,
  AcquirerBIN: /^\d{10}$/,
  TerminalID: /^\d{8}$/,
  Num_operacion: /^\d{4}[0-9A-Z]{8}$/,
  Importe: /^\d{1,12}$/,
  TipoMoneda: /^\d{3}$/,
  Exponente: /^[0-3]$/,
  Referencia: /^[0-9A-Za-z]{1,30}$/,
};

function buildCecabankForm(
  { merchant, secret }: GatewayCredentials,
  payment: GatewayPayment,
): ProtocolFields | undefined {
  const currency = getNumericCurrencyCode(payment.currency);
  if (!currency) return undefined;
  const fields = {
    MerchantID: merchant["merchantId"] ?? "",
    AcquirerBIN: merchant["acquirerBin"] ?? "",
    TerminalID: merchant["terminalId"] ?? "",
    Num_operacion: payment.order,
    Importe: String(payment.amountCents),
    TipoMoneda: currency,
    Exponente: String(payment.decimals),
    Cifrado: CIPHER,
    URL_OK: payment.okUrl,
    URL_NOK: payment.cancelUrl,
    Pago_soportado: "SSL",
    Idioma: LANGUAGES[payment.language] ?? "6",
    Descripcion: payment.description,
  };
  return { ...fields, Firma: signCecabankForm(secret, fields) };
}

function readCecabankNotice(
  { merchant, secret }: GatewayCredentials,
  body: URLSearchParams,
): GatewayNotice | undefined {
  const noticeFields = renameProtocolFields(body, [...SIGNED_IN_NOTICE, "Num_aut", "Firma"]);
  if (!noticeFields) return undefined;
  const isWellFormed = Object.entries(FORMS).every(([name, form]) => form.test(noticeFields[name] ?? ""));
  if (!isWellFormed || !isSameHex(signCecabankNotice(secret, noticeFields), noticeFields["Firma"] ?? ""))
    return undefined;
  return {
    order: noticeFields["Num_operacion"] ?? "",
    kind: noticeFields["Num_aut"]?.trim() ? "authorised" : "denied",
    amountCents: parseGatewayCents(noticeFields["Importe"]) ?? 0,
    decimals: Number(noticeFields["Exponente"]),
    currency: getCurrencyByNumericCode(noticeFields["TipoMoneda"] ?? "") ?? "",
    // This field is signed, unlike the authorisation number.
    authCode: noticeFields["Referencia"] ?? "",
    isOurs:
      noticeFields["MerchantID"] === merchant["merchantId"] &&
      noticeFields["AcquirerBIN"] === merchant["acquirerBin"] &&
      noticeFields["TerminalID"] === merchant["terminalId"],
  };
}

/** Computes the `Firma` of a payment form. */
export function signCecabankForm(secret: string, fields: ProtocolFields): string {
  return sha256(secret, SIGNED_IN_FORM, fields);
}

/** Computes the `Firma` of a notification. */
export function signCecabankNotice(secret: string, fields: ProtocolFields): string {
  return sha256(secret, SIGNED_IN_NOTICE, fields);
}

function sha256(secret: string, names: readonly string[], fields: ProtocolFields): string {
  const text = names.map((name) => fields[name] ?? "").join("");
  return createHash("sha256")
    .update(secret + text)
    .digest("hex");
}
