import { timingSafeEqual } from "node:crypto";
import type { Cents } from "#domain/money.ts";
import type { GatewayNotice } from "#domain/payments/settlement.ts";

/** Target of an account's payments: the gateway, its test system, or the development simulator. */
export type GatewayEnvironment = "live" | "test" | "stand_in";

export type Fields = Readonly<Record<string, string>>;

/** Account's credentials at a gateway. `secret` is empty if the protocol has none. */
export interface Credentials {
  readonly merchant: Fields;
  readonly secret: string;
}

/** Payment requested from a gateway. */
export interface Payment {
  /** Four digits and eight letters or digits, which every gateway accepts. */
  readonly order: string;
  readonly amountCents: Cents;
  /** ISO 4217, letters. */
  readonly currency: string;
  /** Decimals of the currency: 2 for EUR. */
  readonly decimals: number;
  readonly language: string;
  readonly description: string;
  readonly notifyUrl: string;
  readonly okUrl: string;
  readonly cancelUrl: string;
  /** Epoch ms. */
  readonly at: number;
}

/** Refund of a payment, requested from its gateway. */
export interface RequestedRefund {
  /** Our own id, which identifies its messages. */
  readonly id: number;
  /** Order reference of the payment. */
  readonly order: string;
  readonly amountCents: Cents;
  readonly currency: string;
  readonly notifyUrl: string;
}

/** Gateway's answer to a refund. `unclear`: unknown whether the money was refunded. */
export type RefundAnswer =
  | { readonly kind: "done"; readonly notice: GatewayNotice }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unclear" };

/** Automatic refunds of a gateway, server to server. */
export interface RefundProtocol {
  readonly addresses: Readonly<Record<GatewayEnvironment, string>>;
  readonly contentType: string;
  /** Builds the request body. Undefined if the gateway doesn't accept the currency. */
  build(credentials: Credentials, refund: RequestedRefund): string | undefined;
  /** Reads an answer with status 200. */
  read(credentials: Credentials, refund: RequestedRefund, body: string): RefundAnswer;
}

/** Answer that a gateway's server expects. */
export interface GatewayAnswer {
  /** 503: verification isn't possible now, so the gateway resends it. */
  readonly status: 200 | 403 | 503;
  readonly body: string;
  readonly type: "text/plain" | "text/html";
}

/** What a gateway can do: charge a payment, refund it, and hold an amount on a card. */
export type GatewayAbility = "charge" | "refund" | "hold";

/** Protocol of a redirect gateway. Pure: uses neither network nor time. */
export interface Protocol {
  readonly abilities: readonly GatewayAbility[];
  /** Constants instead of settings, so that payments can't be redirected. */
  readonly addresses: { readonly live: string; readonly test: string };
  /** Members of the account's configuration, with their format. */
  readonly merchant: Readonly<Record<string, RegExp>>;
  readonly hasSecret: boolean;
  /** Builds the hidden fields of the visitor's form. Undefined if the gateway doesn't accept the currency. */
  buildForm(credentials: Credentials, payment: Payment): Fields | undefined;
  /** Reads a notification. Undefined if its signature or format is invalid. */
  readNotice(credentials: Credentials, body: URLSearchParams): GatewayNotice | undefined;
  answer(isAccepted: boolean): GatewayAnswer;
  /** Automatic refunds with the account's credentials, if supported. Other gateways only refund on their own site. */
  readonly refunds?: RefundProtocol;
}

/** Parses an account's configuration. Undefined if a member is missing, invalid or unknown. */
export function parseMerchant(protocol: Protocol, configuration: unknown): Fields | undefined {
  if (typeof configuration !== "object" || configuration === null) return undefined;
  const settings = Object.entries(configuration);
  const isRight = ([name, value]: readonly [string, unknown]) =>
    typeof value === "string" && Object.hasOwn(protocol.merchant, name) && protocol.merchant[name]?.test(value);
  const isComplete = settings.length === Object.keys(protocol.merchant).length && settings.every(isRight);
  return isComplete ? (Object.fromEntries(settings) as Fields) : undefined;
}

/**
 * Renames members to the names of a protocol, whatever their letter case: gateways and their libraries write the same
 * names in capitals and in mixed case. Other members stay.
 */
export function withProtocolNames(fields: Fields, names: readonly string[]): Record<string, string> {
  const known = new Map(names.map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [known.get(name.toLowerCase()) ?? name, value]),
  );
}

/** Compares two signatures in constant time. */
export function isSameText(text: string, other: string): boolean {
  const [a, b] = [Buffer.from(text), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Parses an integer number of minor units from a gateway. */
export function parseCents(text: string | null | undefined): Cents | undefined {
  return text && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

/** Joins the present parts of a gateway's message. */
export function joinAnswerParts(parts: readonly (string | null | undefined)[]): string | undefined {
  return parts.filter(Boolean).join(" ") || undefined;
}

/** Returns the answer for gateways that expect no specific text. */
export function plainAnswer(isAccepted: boolean): GatewayAnswer {
  return { status: isAccepted ? 200 : 403, body: "", type: "text/plain" };
}
