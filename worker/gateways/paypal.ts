import { parseAmount, toAmount } from "#domain/money.ts";
import { isCurrencyAcceptedBy } from "#domain/payments/currencies.ts";
import type { GatewayNotice } from "#domain/payments/gateway-notices.ts";
import { truncateText } from "#domain/plain-text.ts";
import {
  createPlainNotificationAnswer,
  type GatewayCredentials,
  type GatewayPayment,
  type GatewayProtocol,
  joinGatewayMessageParts,
  type ProtocolFields,
  renameProtocolFields,
} from "./protocol.ts";

/**
 * PayPal Payments Standard (`wallet_standard`), without signatures. The notification is posted back, and PayPal
 * confirms whether it sent it.
 */
export const paypal: GatewayProtocol = {
  abilities: ["charge"],
  addresses: {
    live: "https://www.paypal.com/cgi-bin/webscr",
    test: "https://www.sandbox.paypal.com/cgi-bin/webscr",
  },
  merchant: { business: /^[^\s@<>"']{1,64}@[A-Za-z0-9.-]{1,63}$/ },
  hasSecret: false,
  buildForm: buildPaypalForm,
  readNotice: readPaypalNotice,
  answer: createPlainNotificationAnswer,
};

/** URLs to which notifications are sent back for confirmation. */
export const PAYPAL_POSTBACK_URLS = {
  live: "https://ipnpb.paypal.com/cgi-bin/webscr",
  test: "https://ipnpb.sandbox.paypal.com/cgi-bin/webscr",
  // Answered inside the Worker, in development only. `.invalid` never resolves.
  stand_in: "https://stand-in.invalid/cgi-bin/webscr",
} as const;

const POSTBACK_COMMAND = "cmd=_notify-validate&";

/**
 * Kind of notification by PayPal's status, in lower case without punctuation, because PayPal writes statuses in several
 * ways.
 */
const KINDS: Readonly<Record<string, GatewayNotice["kind"]>> = {
  completed: "authorised",
  denied: "denied",
  failed: "denied",
  expired: "denied",
  voided: "denied",
  refunded: "refunded",
  reversed: "refunded",
  canceledreversal: "reinstated",
  pending: "pending",
  created: "pending",
  processed: "pending",
  inprogress: "pending",
};

function getKind(status: string | null): GatewayNotice["kind"] {
  return KINDS[(status ?? "").toLowerCase().replaceAll(/[^a-z]/g, "")] ?? "other";
}

// Messages about a dispute, by `txn_type`: opened and closed. They name the payment, and our order only sometimes.
const DISPUTE_TYPES: ReadonlySet<string> = new Set(["new_case", "adjustment"]);

const NOTICE_FIELDS = [
  ...["txn_type", "case_id", "invoice", "txn_id", "parent_txn_id", "payment_status", "reason_code", "pending_reason"],
  ...["mc_gross", "mc_currency", "receiver_email", "business"],
];

// Currencies that PayPal only accepts in whole units, regardless of the account's decimals.
const WHOLE_UNIT_CURRENCIES: ReadonlySet<string> = new Set(["HUF", "JPY", "TWD"]);

// Returns undefined if PayPal would show an error to the visitor.
function formatGrossAmount({ amountCents, currency, decimals }: GatewayPayment): string | undefined {
  if (!isCurrencyAcceptedBy("wallet_standard", currency)) return undefined;
  const amount = toAmount(amountCents, decimals);
  if (!WHOLE_UNIT_CURRENCIES.has(currency)) return amount;
  const [whole, rest = ""] = amount.split(".");
  return /^0*$/.test(rest) ? whole : undefined;
}

function buildPaypalForm({ merchant }: GatewayCredentials, payment: GatewayPayment): ProtocolFields | undefined {
  const amount = formatGrossAmount(payment);
  if (amount === undefined) return undefined;
  return {
    cmd: "_xclick",
    business: merchant["business"] ?? "",
    item_name: truncateText(payment.description, 127),
    amount,
    currency_code: payment.currency,
    invoice: payment.order,
    custom: payment.order,
    notify_url: payment.notifyUrl,
    return: payment.okUrl,
    cancel_return: payment.cancelUrl,
    rm: "2",
    charset: "utf-8",
    no_shipping: "1",
    lc: payment.language.toUpperCase(),
  };
}

/** Reads a notification confirmed by PayPal. */
function readPaypalNotice({ merchant }: GatewayCredentials, noticeForm: URLSearchParams): GatewayNotice | undefined {
  const noticeFields = renameProtocolFields(noticeForm, NOTICE_FIELDS);
  if (!noticeFields) return undefined;
  const body = new URLSearchParams(noticeFields);
  const order = body.get("invoice") ?? "";
  const transaction = body.get("txn_id");
  const isOurs = isOwnAccount(merchant, body);
  if (!transaction) return undefined;
  if (DISPUTE_TYPES.has(body.get("txn_type") ?? "")) return readDispute(body, { order, transaction, isOurs });
  if (!order) return undefined;
  const status = body.get("payment_status");
  const kind = getKind(status);
  return {
    order,
    kind,
    amountCents: readGross(body, kind),
    decimals: getDecimals(body),
    currency: getCurrency(body),
    authCode: transaction,
    paymentCode: body.get("parent_txn_id") || undefined,
    answer: joinGatewayMessageParts([status, body.get("reason_code") || body.get("pending_reason")]),
    // PayPal reports a bank's reversal as "Reversed", and a refund by the company as "Refunded".
    ...(status?.toLowerCase() === "reversed" && { isDisputed: true }),
    isOurs,
  };
}

function isOwnAccount(merchant: ProtocolFields, body: URLSearchParams): boolean {
  const business = merchant["business"]?.toLowerCase();
  return [body.get("receiver_email"), body.get("business")].some((name) => name?.toLowerCase() === business);
}

// Reads that a dispute was opened or closed. It moves no money: another message reports a reversal.
function readDispute(
  body: URLSearchParams,
  { order, transaction, isOurs }: { readonly order: string; readonly transaction: string; readonly isOurs: boolean },
): GatewayNotice {
  const type = body.get("txn_type") ?? "";
  return {
    order,
    kind: "other",
    amountCents: undefined,
    currency: undefined,
    authCode: [body.get("case_id") || transaction, type].join(":"),
    paymentCode: transaction,
    answer: joinGatewayMessageParts([type, body.get("reason_code")]),
    isOurs,
  };
}

const getDecimals = (body: URLSearchParams) => (getCurrency(body) === "JPY" ? 0 : 2);

const getCurrency = (body: URLSearchParams) => (body.get("mc_currency") ?? "").toUpperCase();

// Returns the amount, without the minus sign of a refund or reversal. Returns 0 if it can't be read, because
// no payment has an amount of 0.
function readGross(body: URLSearchParams, kind: GatewayNotice["kind"]): number {
  const gross = body.get("mc_gross") ?? "";
  return parseAmount(kind === "authorised" ? gross : gross.replace(/^-/, ""), getDecimals(body)) ?? 0;
}

/** Builds the body of the postback: the command, then the notification's unchanged bytes. */
export function toPaypalPostback(notification: Uint8Array): Uint8Array<ArrayBuffer> {
  const command = new TextEncoder().encode(POSTBACK_COMMAND);
  const body = new Uint8Array(command.length + notification.length);
  body.set(command);
  body.set(notification, command.length);
  return body;
}
