import { createHash } from "node:crypto";
import type { GatewayNotice } from "#domain/payments/gateway-notices.ts";
import {
  type GatewayCredentials,
  type GatewayPayment,
  type GatewayProtocol,
  isSameHex,
  joinGatewayMessageParts,
  type ProtocolFields,
  parseGatewayCents,
  renameProtocolFields,
  toIsoMinorUnits,
} from "./protocol.ts";

/**
 * Global Payments' hosted page (`tpvC`): SHA-1 of a SHA-1. The answer's hash doesn't cover the amount, so the stored
 * amount counts.
 */
export const globalPayments: GatewayProtocol = {
  abilities: ["charge"],
  addresses: { live: "https://pay.realexpayments.com/pay", test: "https://pay.sandbox.realexpayments.com/pay" },
  merchant: { merchantId: /^[A-Za-z0-9]{1,50}$/, account: /^[A-Za-z0-9]{1,30}$/ },
  hasSecret: true,
  buildForm: buildHostedPageForm,
  readNotice: readHostedPageNotice,
  answer: (isAccepted) => ({ status: isAccepted ? 200 : 403, body: "", type: "text/html" }),
};

/** Allowed formats of the signed parts. Only the message may contain the dot that separates them. */
const FORMS: Readonly<Record<string, RegExp>> = {
  TIMESTAMP: /^\d{14}$/,
  MERCHANT_ID: /^[A-Za-z0-9]{1,50}$/,
  ORDER_ID: /^\d{4}[0-9A-Z]{8}$/,
  RESULT: /^\d{2,3}$/,
  PASREF: /^[A-Za-z0-9]{0,50}$/,
  AUTHCODE: /^[A-Za-z0-9]{0,20}$/,
};

// Encodings in which the gateway may hash its message. All other signed texts are ASCII.
const MESSAGE_ENCODINGS = ["utf8", "latin1"] as const;
type MessageEncoding = (typeof MESSAGE_ENCODINGS)[number];

const NOTICE_FIELDS = [...Object.keys(FORMS), "MESSAGE", "AMOUNT", "CURRENCY", "SHA1HASH"];

function buildHostedPageForm(
  { merchant, secret }: GatewayCredentials,
  payment: GatewayPayment,
): ProtocolFields | undefined {
  const amount = toIsoMinorUnits(payment);
  if (amount === undefined) return undefined;
  const fields = {
    TIMESTAMP: toTimestamp(payment.at),
    MERCHANT_ID: merchant["merchantId"] ?? "",
    ACCOUNT: merchant["account"] ?? "",
    ORDER_ID: payment.order,
    AMOUNT: amount,
    CURRENCY: payment.currency,
    AUTO_SETTLE_FLAG: "1",
    HPP_VERSION: "2",
    HPP_LANG: payment.language.toUpperCase(),
    MERCHANT_RESPONSE_URL: payment.notifyUrl,
    COMMENT1: payment.description,
  };
  return { ...fields, SHA1HASH: signGlobalPaymentsForm(secret, fields) };
}

function readHostedPageNotice(
  { merchant, secret }: GatewayCredentials,
  body: URLSearchParams,
): GatewayNotice | undefined {
  const noticeFields = renameProtocolFields(body, NOTICE_FIELDS);
  if (!noticeFields) return undefined;
  const isWellFormed = Object.entries(FORMS).every(([name, form]) => form.test(noticeFields[name] ?? ""));
  // Latin-1 can't encode other characters, so a message with any of them could get the hash of another
  // message.
  const encodings = /^[\0-\xFF]*$/.test(noticeFields["MESSAGE"] ?? "") ? MESSAGE_ENCODINGS : (["utf8"] as const);
  const isSigned = encodings.some((encoding) =>
    isSameHex(signGlobalPaymentsNotice(secret, noticeFields, encoding), noticeFields["SHA1HASH"] ?? ""),
  );
  if (!isWellFormed || !isSigned) return undefined;
  return {
    order: noticeFields["ORDER_ID"] ?? "",
    kind: noticeFields["RESULT"] === "00" ? "authorised" : "denied",
    amountCents: noticeFields["AMOUNT"] ? (parseGatewayCents(noticeFields["AMOUNT"]) ?? 0) : undefined,
    decimals: "iso",
    currency: noticeFields["CURRENCY"]?.toUpperCase() || undefined,
    authCode: noticeFields["PASREF"] ?? "",
    answer: joinGatewayMessageParts([noticeFields["RESULT"], noticeFields["MESSAGE"]]),
    isOurs: noticeFields["MERCHANT_ID"] === merchant["merchantId"],
  };
}

/** Computes the `SHA1HASH` of a payment form. */
export function signGlobalPaymentsForm(secret: string, fields: ProtocolFields): string {
  return sign(secret, ["TIMESTAMP", "MERCHANT_ID", "ORDER_ID", "AMOUNT", "CURRENCY"], fields);
}

/** Computes the `SHA1HASH` of a notification. */
export function signGlobalPaymentsNotice(
  secret: string,
  fields: ProtocolFields,
  encoding: MessageEncoding = "utf8",
): string {
  const names = ["TIMESTAMP", "MERCHANT_ID", "ORDER_ID", "RESULT", "MESSAGE", "PASREF", "AUTHCODE"];
  return sign(secret, names, fields, encoding);
}

function sign(
  secret: string,
  names: readonly string[],
  fields: ProtocolFields,
  encoding: MessageEncoding = "utf8",
): string {
  return sha1(`${sha1(names.map((name) => fields[name] ?? "").join("."), encoding)}.${secret}`);
}

function sha1(text: string, encoding: MessageEncoding = "utf8"): string {
  return createHash("sha1").update(text, encoding).digest("hex");
}

/** Formats `yyyyMMddHHmmss` in UTC. */
function toTimestamp(at: number): string {
  return new Date(at).toISOString().replace(/\D/g, "").slice(0, 14);
}
