import { createCipheriv, createHmac } from "node:crypto";
import { convertNoticeToAccountMinorUnits } from "#domain/payments/account-units.ts";
import { getCurrencyByNumericCode, getNumericCurrencyCode } from "#domain/payments/currencies.ts";
import type { GatewayNotice } from "#domain/payments/gateway-notices.ts";
import { truncateText } from "#domain/plain-text.ts";
import {
  type CardHoldProtocol,
  createPlainNotificationAnswer,
  type GatewayApiAnswer,
  type GatewayApiRequest,
  type GatewayCredentials,
  type GatewayEnvironment,
  type GatewayPayment,
  type GatewayProtocol,
  type GatewayRefundAnswer,
  isSameSignature,
  joinGatewayMessageParts,
  type ProtocolFields,
  parseGatewayCents,
  type RefundProtocol,
  type RequestedCardHoldAction,
  type RequestedRefund,
  renameProtocolFields,
  toIsoMinorUnits,
} from "./protocol.ts";

export type RedsysVersion = "HMAC_SHA256_V1" | "HMAC_SHA512_V2";

const LANGUAGES: Readonly<Record<string, string>> = {
  es: "001",
  en: "002",
  ca: "003",
  fr: "004",
  de: "005",
  nl: "006",
  it: "007",
  pt: "009",
};
const PAYMENT = "0";
const HOLD = "1";
const CAPTURE = "2";
const REFUND = "3";
const RELEASE = "9";

// Server to server, with the same key and fields as the visitor's form.
const refunds: RefundProtocol = {
  addresses: {
    live: "https://sis.redsys.es/sis/rest/trataPeticionREST",
    test: "https://sis-t.redsys.es:25443/sis/rest/trataPeticionREST",
    // Answered inside the Worker, in development only. `.invalid` never resolves.
    stand_in: "https://stand-in.invalid/sis/rest/trataPeticionREST",
  },
  contentType: "application/json",
  build: buildRedsysRefund,
  read: readRedsysRefund,
};

const holds: CardHoldProtocol = { isRepeatable: false, build: buildRedsysHoldEnd, read: readRedsysHoldEnd };

/** Redsys by redirect (`tpvA256`): JSON signed with a key derived per order. */
export const redsys: GatewayProtocol = {
  abilities: ["charge", "refund", "hold"],
  addresses: {
    live: "https://sis.redsys.es/sis/realizarPago",
    test: "https://sis-t.redsys.es:25443/sis/realizarPago",
  },
  merchant: {
    merchantCode: /^\d{1,9}$/,
    terminal: /^\d{1,3}$/,
    signatureVersion: /^HMAC_SHA(256_V1|512_V2)$/,
  },
  hasSecret: true,
  buildForm: buildRedsysForm,
  readNotice: readRedsysNotice,
  answer: createPlainNotificationAnswer,
  refunds,
  holds,
};

function buildRedsysForm(
  { merchant, secret }: GatewayCredentials,
  payment: GatewayPayment,
): ProtocolFields | undefined {
  const transaction = createTransactionFields(merchant, payment.isHold ? HOLD : PAYMENT, payment);
  if (!transaction || !isUsable(secret, getRedsysVersion(merchant))) return undefined;
  return signRedsysFields(getRedsysVersion(merchant), secret, payment.order, {
    ...transaction,
    DS_MERCHANT_URLOK: payment.okUrl,
    DS_MERCHANT_URLKO: payment.cancelUrl,
    DS_MERCHANT_CONSUMERLANGUAGE: LANGUAGES[payment.language] ?? "002",
    DS_MERCHANT_PRODUCTDESCRIPTION: truncateText(payment.description, 125),
  });
}

// Returns the fields shared by payments and refunds. Undefined if the gateway doesn't accept the currency or amount.
function createTransactionFields(
  merchant: GatewayCredentials["merchant"],
  type: string,
  transaction: Pick<GatewayPayment & RequestedRefund, "amountCents" | "currency" | "decimals" | "order" | "notifyUrl">,
): ProtocolFields | undefined {
  const currency = getNumericCurrencyCode(transaction.currency);
  const amount = toIsoMinorUnits(transaction);
  if (!currency || amount === undefined) return undefined;
  return {
    DS_MERCHANT_AMOUNT: amount,
    DS_MERCHANT_ORDER: transaction.order,
    DS_MERCHANT_MERCHANTCODE: merchant["merchantCode"] ?? "",
    DS_MERCHANT_CURRENCY: currency,
    DS_MERCHANT_TRANSACTIONTYPE: type,
    DS_MERCHANT_TERMINAL: merchant["terminal"] ?? "",
    DS_MERCHANT_MERCHANTURL: transaction.notifyUrl,
  };
}

// The bank's version 1 key is 24 bytes in base64. With any other key, the payment method isn't offered.
function isUsable(secret: string, version: RedsysVersion): boolean {
  return version !== "HMAC_SHA256_V1" || Buffer.from(secret, "base64").length === 24;
}

/** Encodes parameters as base64 JSON with a signature, as both sides send them. */
export function signRedsysFields(
  version: RedsysVersion,
  secret: string,
  order: string,
  parameters: ProtocolFields,
): ProtocolFields {
  const text = Buffer.from(JSON.stringify(parameters)).toString(version === "HMAC_SHA256_V1" ? "base64" : "base64url");
  return {
    Ds_SignatureVersion: version,
    Ds_MerchantParameters: text,
    Ds_Signature: signRedsysParameters(version, secret, order, text),
  };
}

/** Verifies the parameters as received. Only accepts the configured version, which prevents downgrade attacks. */
function readRedsysNotice(
  { merchant, secret }: GatewayCredentials,
  noticeForm: URLSearchParams,
): GatewayNotice | undefined {
  const body = toEnvelope(noticeForm);
  const text = body.get("Ds_MerchantParameters") ?? "";
  const noticeParameters = readRedsysParameters(text);
  const order = noticeParameters?.["Ds_Order"];
  if (!noticeParameters || !order || !isSigned(getRedsysVersion(merchant), secret, order, body)) return undefined;
  const kind = getNoticeKind(noticeParameters["Ds_TransactionType"] ?? "", noticeParameters["Ds_Response"] ?? "");
  return {
    order,
    kind,
    amountCents: parseGatewayCents(noticeParameters["Ds_Amount"]) ?? 0,
    decimals: "iso",
    currency: getCurrencyByNumericCode(noticeParameters["Ds_Currency"] ?? "") ?? "",
    authCode: (noticeParameters["Ds_AuthorisationCode"] ?? "").replaceAll("+", " ").trim(),
    answer: joinGatewayMessageParts([noticeParameters["Ds_Response"], noticeParameters["Ds_ErrorCode"]]),
    ...readRefundDetails(noticeParameters, kind),
    isOurs:
      isSameNumber(noticeParameters["Ds_MerchantCode"], merchant["merchantCode"]) &&
      isSameNumber(noticeParameters["Ds_Terminal"], merchant["terminal"]),
  };
}

// Reads our name of a refund, and the time that distinguishes equal refunds or messages of an unknown kind.
function readRefundDetails(
  parameters: ProtocolFields,
  kind: GatewayNotice["kind"],
): Pick<GatewayNotice, "moment" | "refundId"> {
  const isRefund = parameters["Ds_TransactionType"] === REFUND;
  const moment = joinGatewayMessageParts([parameters["Ds_Date"], parameters["Ds_Hour"]]);
  return {
    moment: isRefund || kind === "other" ? moment : undefined,
    refundId: isRefund ? parseRefundName(parameters["Ds_MerchantData"]) : undefined,
  };
}

// The gateway pads the numbers of a merchant and a terminal with zeros to a fixed width.
function isSameNumber(text = "", other = ""): boolean {
  return /^\d{1,12}$/.test(text) && Number(text) === Number(other);
}

function buildRedsysRefund({ merchant, secret }: GatewayCredentials, refund: RequestedRefund): string | undefined {
  const transaction = createTransactionFields(merchant, REFUND, refund);
  if (!transaction || !isUsable(secret, getRedsysVersion(merchant))) return undefined;
  const fields = signRedsysFields(getRedsysVersion(merchant), secret, refund.order, {
    ...transaction,
    DS_MERCHANT_MERCHANTDATA: refundName(refund.id),
  });
  return JSON.stringify(fields);
}

// Returns the name of a refund. The gateway repeats it in its answer and its notification, so both can be matched.
function refundName(id: number): string {
  return `refund-${id}`;
}

function parseRefundName(text: string | undefined): number | undefined {
  const id = /^refund-(\d{1,12})$/.exec(text ?? "")?.[1];
  return id === undefined ? undefined : Number(id);
}

// Reads the answer to a refund request. Early rejections are unsigned and come as `{"errorCode":"SIS0054"}`.
function readRedsysRefund(
  credentials: GatewayCredentials,
  refund: RequestedRefund,
  { status, body }: GatewayApiAnswer,
): GatewayRefundAnswer {
  if (status !== 200) return { kind: "unclear" };
  const noticeParameters = parseMembers(body);
  const error = noticeParameters && findError(noticeParameters);
  if (!noticeParameters) return { kind: "unclear" };
  if (error) return { kind: "refused", reason: error };
  const notice = readRedsysNotice(credentials, new URLSearchParams(noticeParameters));
  const isMatchingNotice = notice?.isOurs && notice.order === refund.order && notice.refundId === refund.id;
  if (!isMatchingNotice || !hasAmount(notice, refund)) return { kind: "unclear" };
  if (notice.kind === "refunded") return { kind: "done", notice };
  return readRefusal(noticeParameters);
}

function hasAmount(
  notice: GatewayNotice,
  { amountCents, currency, decimals }: Pick<RequestedRefund, "amountCents" | "currency" | "decimals">,
): boolean {
  return convertNoticeToAccountMinorUnits(notice, { currency, currencyDecimals: decimals }).amountCents === amountCents;
}

function buildRedsysHoldEnd(
  environment: GatewayEnvironment,
  { merchant, secret }: GatewayCredentials,
  end: RequestedCardHoldAction,
): GatewayApiRequest | undefined {
  const transaction = createTransactionFields(merchant, end.action === "capture" ? CAPTURE : RELEASE, end);
  if (!transaction || !isUsable(secret, getRedsysVersion(merchant))) return undefined;
  const fields = signRedsysFields(getRedsysVersion(merchant), secret, end.order, {
    ...transaction,
    DS_MERCHANT_MERCHANTDATA: `hold-${end.id}`,
  });
  return {
    url: refunds.addresses[environment],
    method: "POST",
    headers: { "Content-Type": refunds.contentType },
    body: JSON.stringify(fields),
  };
}

function readRedsysHoldEnd(
  credentials: GatewayCredentials,
  end: RequestedCardHoldAction,
  { status, body }: GatewayApiAnswer,
): GatewayRefundAnswer {
  const answer = status === 200 ? parseMembers(body) : undefined;
  if (!answer) return { kind: "unclear" };
  const error = findError(answer);
  if (error) return { kind: "refused", reason: error };
  const notice = readRedsysNotice(credentials, new URLSearchParams(answer));
  const isMatching = notice?.isOurs && notice.order === end.order && hasAmount(notice, end);
  if (!isMatching) return { kind: "unclear" };
  if (notice.kind === (end.action === "capture" ? "captured" : "released")) return { kind: "done", notice };
  return readRefusal(answer);
}

// Returns the gateway's refusal with its code, from a signed answer that doesn't report the expected result.
function readRefusal(answer: ProtocolFields): GatewayRefundAnswer {
  const response = readRedsysParameters(toEnvelope(Object.entries(answer)).get("Ds_MerchantParameters") ?? "")?.[
    "Ds_Response"
  ];
  return response ? { kind: "refused", reason: response } : { kind: "unclear" };
}

/** More than 64 bytes in base64. Anybody may send a text of a megabyte, and removing its padding takes minutes. */
const MAX_SIGNATURE_LENGTH = 100;

function isSigned(version: RedsysVersion, secret: string, order: string, body: URLSearchParams): boolean {
  if (body.get("Ds_SignatureVersion") !== version || !isUsable(secret, version)) return false;
  const signature = body.get("Ds_Signature") ?? "";
  if (signature.length > MAX_SIGNATURE_LENGTH) return false;
  const expected = signRedsysParameters(version, secret, order, body.get("Ds_MerchantParameters") ?? "");
  return isSameSignature(toComparable(expected), toComparable(signature));
}

/** Parses base64 or base64url JSON into text members. Undefined if invalid. */
export function readRedsysParameters(text: string): Record<string, string> | undefined {
  // Unlike toString(), the decoder removes a byte order mark.
  const members = parseMembers(new TextDecoder().decode(Buffer.from(text, "base64")));
  if (!members) return undefined;
  const decoded = Object.entries(members).map(([name, value]) => [name, decodeValue(value)] as const);
  return renameProtocolFields(decoded, PARAMETERS);
}

// A plus sign of base64 that a sender didn't encode arrives as a space.
function toEnvelope(fields: Iterable<readonly [string, string]>): URLSearchParams {
  const envelopeFields = renameProtocolFields(fields, ENVELOPE);
  return new URLSearchParams(
    Object.fromEntries(Object.entries(envelopeFields ?? {}).map(([name, value]) => [name, value.replaceAll(" ", "+")])),
  );
}

function findError(answer: ProtocolFields): string | undefined {
  const error = renameProtocolFields(Object.entries(answer), ["errorCode"])?.["errorCode"] ?? "";
  return /^SIS\d{4}$/.test(error) ? error : undefined;
}

// Values may be encoded for forms: `18%3A03`.
function decodeValue(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const ENVELOPE = ["Ds_SignatureVersion", "Ds_MerchantParameters", "Ds_Signature"];
const PARAMETERS = [
  "Ds_Order",
  "Ds_Amount",
  "Ds_Currency",
  "Ds_Date",
  "Ds_Hour",
  "Ds_MerchantCode",
  "Ds_MerchantData",
  "Ds_Terminal",
  "Ds_Response",
  "Ds_ErrorCode",
  "Ds_TransactionType",
  "Ds_AuthorisationCode",
];

function parseMembers(text: string): Record<string, string> | undefined {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== "object" || read === null || Array.isArray(read)) return undefined;
    return Object.fromEntries(Object.entries(read).map(([name, value]) => [name, String(value ?? "")]));
  } catch {
    return undefined;
  }
}

// Response codes that mean success, for operations with one code. Payments and holds have a range instead.
const SUCCESS_CODES_AND_KINDS: Readonly<Record<string, readonly [code: number, kind: GatewayNotice["kind"]]>> = {
  [REFUND]: [900, "refunded"],
  [CAPTURE]: [900, "captured"],
  [RELEASE]: [400, "released"],
};
const AUTHORISED: Readonly<Record<string, GatewayNotice["kind"]>> = { [PAYMENT]: "authorised", [HOLD]: "held" };
const MAX_AUTHORISED_CODE = 99;
const SUCCESS_CODES: ReadonlySet<number> = new Set(Object.values(SUCCESS_CODES_AND_KINDS).map(([code]) => code));

function getNoticeKind(type: string, response: string): GatewayNotice["kind"] {
  if (!/^\d{1,4}$/.test(response)) return "other";
  const [doneCode, doneKind] = SUCCESS_CODES_AND_KINDS[type] ?? [];
  if (doneKind) return Number(response) === doneCode ? doneKind : "other";
  const authorised = AUTHORISED[type];
  // The success code of another operation isn't a denial.
  if (!authorised || SUCCESS_CODES.has(Number(response))) return "other";
  return Number(response) <= MAX_AUTHORISED_CODE ? authorised : "denied";
}

/** Signs parameters with the key derived for their order. */
export function signRedsysParameters(
  version: RedsysVersion,
  secret: string,
  order: string,
  parameters: string,
): string {
  if (version === "HMAC_SHA256_V1") {
    return createHmac("sha256", deriveRedsysV1Key(secret, order)).update(parameters).digest("base64");
  }
  return createHmac("sha512", deriveRedsysV2Key(secret, order)).update(parameters).digest("base64url");
}

/** Derives the key: 3DES-CBC of the order, zero-padded to blocks of 8 bytes. */
export function deriveRedsysV1Key(secret: string, order: string): Buffer {
  const text = Buffer.from(order, "utf8");
  const blocks = Buffer.alloc(Math.ceil(text.length / 8) * 8);
  text.copy(blocks);
  const cipher = createCipheriv("des-ede3-cbc", Buffer.from(secret, "base64"), Buffer.alloc(8));
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(blocks), cipher.final()]);
}

/**
 * Derives the key: AES-128-CBC of the order with the first 16 characters of the key's text. The base64 text itself is
 * the derived key.
 */
export function deriveRedsysV2Key(secret: string, order: string): string {
  const cipher = createCipheriv("aes-128-cbc", Buffer.from(secret.slice(0, 16).padEnd(16, "0")), Buffer.alloc(16));
  return Buffer.concat([cipher.update(order, "utf8"), cipher.final()]).toString("base64");
}

// Normalizes a signature for comparison: the gateway writes the same one in either base64 alphabet, padded or not.
function toComparable(signature: string): string {
  return signature.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
}

function getRedsysVersion(merchant: ProtocolFields): RedsysVersion {
  return merchant["signatureVersion"] === "HMAC_SHA256_V1" ? "HMAC_SHA256_V1" : "HMAC_SHA512_V2";
}
