import { timingSafeEqual } from "node:crypto";
import { type Cents, rescaleAmount } from "#domain/money.ts";
import { getIsoCurrencyDecimals } from "#domain/payments/currencies.ts";
import type { GatewayEvent } from "#domain/payments/gateway-events.ts";
import type { GatewayNotice } from "#domain/payments/gateway-notices.ts";
import type { GatewayTestProblem } from "#domain/payments/gateway-test.ts";

/** Target of an account's payments: the gateway, its test system, or the development simulator. */
export type GatewayEnvironment = "live" | "test" | "stand_in";

export type ProtocolFields = Readonly<Record<string, string>>;

/** Account's credentials at a gateway. `secret` is empty if the protocol has none. */
export interface GatewayCredentials {
  readonly merchant: ProtocolFields;
  readonly secret: string;
  /** Secret for signed events, if the gateway uses a separate one. */
  readonly webhookSecret?: string | undefined;
}

/** Payment requested from a gateway. */
export interface GatewayPayment {
  /** Four digits and eight letters or digits, which every gateway accepts. */
  readonly order: string;
  /** Attempt of the payment, 32 hex digits. */
  readonly intentId: string;
  /** Whether the amount is held on the card instead of charged. */
  readonly isHold: boolean;
  readonly amountCents: Cents;
  /** Currency by its letters in ISO 4217, such as `EUR`. */
  readonly currency: string;
  /** Decimals of the currency: 2 for EUR. */
  readonly decimals: number;
  readonly language: string;
  readonly description: string;
  readonly notifyUrl: string;
  readonly okUrl: string;
  readonly cancelUrl: string;
  /** Start and end of the attempt, epoch ms. */
  readonly at: number;
  readonly expiresAt: number;
}

/** Refund of a payment, requested from its gateway. */
export interface RequestedRefund {
  /** Our own id of the refund, which also identifies the gateway's messages about it. */
  readonly id: number;
  /** How often the gateway refused it before staff requested it again. Absent for a new refund. */
  readonly refusals?: number;
  /** Order reference of the payment. */
  readonly order: string;
  /** Gateway's id of the payment, if it has one. */
  readonly transaction: string | undefined;
  readonly amountCents: Cents;
  readonly currency: string;
  readonly decimals: number;
  readonly notifyUrl: string;
}

/** Gateway's answer to a refund. `unclear`: unknown whether the money was refunded. */
export type GatewayRefundAnswer =
  | { readonly kind: "done"; readonly notice: GatewayNotice }
  /** State of the refund, in the form of a gateway event. */
  | { readonly kind: "reported"; readonly event: GatewayEvent }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unclear" };

/** Call of a gateway's server. */
export interface GatewayApiRequest {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Answer of a gateway's server. */
export interface GatewayApiAnswer {
  readonly status: number;
  readonly body: string;
}

/** Answer to a request for a payment page. `unclear`: unknown whether it was created. */
export type PaymentPageAnswer =
  | { readonly kind: "created"; readonly url: string }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unclear" };

/** Payment pages that are created server to server. A repeated request creates one page. */
export interface PaymentPageProtocol {
  /** Builds the request. Undefined if the gateway doesn't accept the currency or the key is invalid. */
  build(
    environment: GatewayEnvironment,
    credentials: GatewayCredentials,
    payment: GatewayPayment,
  ): GatewayApiRequest | undefined;
  read(answer: GatewayApiAnswer): PaymentPageAnswer;
}

/** Signed events about objects with their state. */
export interface GatewayEventProtocol {
  /** Request that shows whether the key is valid and the events are sent to us. */
  buildCheck(environment: GatewayEnvironment, credentials: GatewayCredentials): GatewayApiRequest;
  /** Lists the problems of the key or of the event settings at the gateway. Empty if there are none. */
  readCheck(answer: GatewayApiAnswer, notifyUrl: string): readonly GatewayTestProblem[];
  /** Reads an event. Undefined if its signature, age or format is invalid. */
  read(
    credentials: GatewayCredentials,
    message: { readonly body: string; readonly signature: string; readonly now: number },
    decimals: number,
  ): GatewayEvent | undefined;
}

/** Automatic refunds of a gateway, server to server. */
export interface RefundProtocol {
  readonly addresses: Readonly<Record<GatewayEnvironment, string>>;
  readonly contentType: string;
  /** Whether the gateway executes a repeated request only once. Then a request without an answer is repeated. */
  readonly isRepeatable?: boolean;
  headers?(credentials: GatewayCredentials, refund: RequestedRefund): Readonly<Record<string, string>>;
  /** Builds the request body. Undefined if the gateway doesn't accept the currency. */
  build(credentials: GatewayCredentials, refund: RequestedRefund): string | undefined;
  read(credentials: GatewayCredentials, refund: RequestedRefund, answer: GatewayApiAnswer): GatewayRefundAnswer;
}

/** End of a card hold, requested from its gateway. */
export interface RequestedCardHoldAction {
  /** Our own id of the hold, which also identifies the gateway's messages about it. */
  readonly id: number;
  readonly action: "capture" | "release";
  /** Time at which staff requested the capture or release, epoch ms. */
  readonly requestedAt: number;
  readonly order: string;
  readonly transaction: string | undefined;
  /** Amount to capture, or the whole hold to release. */
  readonly amountCents: Cents;
  readonly currency: string;
  readonly decimals: number;
  readonly notifyUrl: string;
}

/** Captures and releases of card holds, server to server. */
export interface CardHoldProtocol {
  /** Whether the gateway executes a repeated request only once. */
  readonly isRepeatable: boolean;
  /** Builds the request. Undefined if the gateway doesn't accept the currency. */
  build(
    environment: GatewayEnvironment,
    credentials: GatewayCredentials,
    end: RequestedCardHoldAction,
  ): GatewayApiRequest | undefined;
  read(credentials: GatewayCredentials, end: RequestedCardHoldAction, answer: GatewayApiAnswer): GatewayRefundAnswer;
}

/** Answer that a gateway's server expects. */
export interface NotificationAnswer {
  /** 503 if the notification can't be verified now, so that the gateway sends it again. */
  readonly status: 200 | 403 | 503;
  readonly body: string;
  readonly type: "text/plain" | "text/html";
}

/** Ability of a gateway: charge a payment, refund it, or hold an amount on a card. */
export type GatewayAbility = "charge" | "refund" | "hold";

/** Protocol of a redirect gateway. Pure: uses neither network nor time. */
export interface GatewayProtocol {
  readonly abilities: readonly GatewayAbility[];
  /** URLs of the gateway. They're constants, not settings, so that payments can't be redirected. */
  readonly addresses: { readonly live: string; readonly test: string };
  /** Members of the account's configuration, with their format. */
  readonly merchant: Readonly<Record<string, RegExp>>;
  readonly hasSecret: boolean;
  /** Whether the gateway's events have a separate secret. */
  readonly hasWebhookSecret?: boolean;
  /** Builds the hidden fields of the visitor's form. Undefined if the gateway doesn't accept the currency. */
  buildForm(credentials: GatewayCredentials, payment: GatewayPayment): ProtocolFields | undefined;
  /** Reads a notification. Undefined if its signature or format is invalid. */
  readNotice(credentials: GatewayCredentials, body: URLSearchParams): GatewayNotice | undefined;
  answer(isAccepted: boolean): NotificationAnswer;
  /** Automatic refunds with the account's credentials, if supported. Other gateways only refund on their own site. */
  readonly refunds?: RefundProtocol;
  /** Holds of amounts on cards. Present if the gateway supports them. */
  readonly holds?: CardHoldProtocol;
  /** Payment pages created before the visitor is redirected. Present if the gateway uses them. */
  readonly checkout?: PaymentPageProtocol;
  /** Signed events. Present if the gateway sends them instead of notifications by form. */
  readonly events?: GatewayEventProtocol;
}

/** Parses an account's configuration. Undefined if a member is missing, invalid or unknown. */
export function parseMerchantSettings(protocol: GatewayProtocol, configuration: unknown): ProtocolFields | undefined {
  if (typeof configuration !== "object" || configuration === null) return undefined;
  const settings = Object.entries(configuration);
  const isRight = ([name, value]: readonly [string, unknown]) =>
    typeof value === "string" && Object.hasOwn(protocol.merchant, name) && protocol.merchant[name]?.test(value);
  const isComplete = settings.length === Object.keys(protocol.merchant).length && settings.every(isRight);
  return isComplete ? (Object.fromEntries(settings) as ProtocolFields) : undefined;
}

/**
 * Parses the form of a notification. Gateways don't document the encoding of their texts, so a form that isn't UTF-8 is
 * read as Latin-1, which keeps each byte. A line break after the form isn't part of its last field.
 */
export function parseNotificationForm(body: Uint8Array): URLSearchParams {
  const form = new URLSearchParams(removeLineEnd(new TextDecoder().decode(body)));
  if (!form.toString().includes(INVALID_UTF8)) return form;
  const text = removeLineEnd(Array.from(body, (byte) => String.fromCharCode(byte)).join(""));
  const toCharacter = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  return new URLSearchParams(text.replaceAll(/%([89a-f][0-9a-f])/gi, toCharacter));
}

function removeLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** Replacement character of a decoder, percent-encoded. */
const INVALID_UTF8 = encodeURIComponent("\uFFFD");

/**
 * Renames members to the names of a protocol, whatever their letter case: gateways and their libraries write the same
 * names in capitals and in mixed case. Other members stay. Undefined if one of these names is sent with several values,
 * because the signature might cover another one than is read. Repeated with the same value, it counts once.
 */
export function renameProtocolFields(
  fields: Iterable<readonly [name: string, value: string]>,
  names: readonly string[],
): Record<string, string> | undefined {
  const known = new Map(names.map((name) => [name.toLowerCase(), name]));
  const renamed: Record<string, string> = {};
  for (const [sentName, value] of fields) {
    const name = known.get(sentName.toLowerCase());
    if (name !== undefined && Object.hasOwn(renamed, name) && renamed[name] !== value) return undefined;
    renamed[name ?? sentName] = value;
  }
  return renamed;
}

/** Compares two signatures in constant time. */
export function isSameSignature(text: string, other: string): boolean {
  const [a, b] = [Buffer.from(text), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Compares two hashes in hex, whatever the case of their letters, in constant time. */
export function isSameHex(text: string, other: string): boolean {
  return isSameSignature(text.toLowerCase(), other.toLowerCase());
}

/** Parses an integer number of minor units from a gateway. */
export function parseGatewayCents(text: string | null | undefined): Cents | undefined {
  return text && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

/** Converts an amount to the minor units of ISO 4217. Undefined if it has more decimals than the currency. */
export function toIsoMinorUnits({
  amountCents,
  currency,
  decimals,
}: Pick<GatewayPayment, "amountCents" | "currency" | "decimals">): string | undefined {
  return rescaleAmount(amountCents, decimals, getIsoCurrencyDecimals(currency))?.toString();
}

/** Joins the present parts of a gateway's message. */
export function joinGatewayMessageParts(parts: readonly (string | null | undefined)[]): string | undefined {
  return parts.filter(Boolean).join(" ") || undefined;
}

/** Returns the answer for gateways that expect no specific text. */
export function createPlainNotificationAnswer(isAccepted: boolean): NotificationAnswer {
  return { status: isAccepted ? 200 : 403, body: "", type: "text/plain" };
}
