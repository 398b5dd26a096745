import { timingSafeEqual } from "node:crypto";
import type { Cents } from "#domain/money.ts";
import type { GatewayNotice } from "#domain/payments/settlement.ts";

/** Where an account's payments go: the gateway, its test system, or the stand-in of development. */
export type GatewayEnvironment = "live" | "test" | "stand_in";

export type Fields = Readonly<Record<string, string>>;

/** What a gateway knows the account by; `secret` is empty where its protocol has none. */
export interface Credentials {
  readonly merchant: Fields;
  readonly secret: string;
}

/** One payment as it is asked for at a gateway. */
export interface Payment {
  /** Four digits and eight letters or digits: what every gateway takes. */
  readonly order: string;
  readonly amountCents: Cents;
  /** ISO 4217, letters. */
  readonly currency: string;
  /** Minor units of the currency: 2 for EUR. */
  readonly decimals: number;
  readonly language: string;
  readonly description: string;
  readonly notifyUrl: string;
  readonly okUrl: string;
  readonly cancelUrl: string;
  /** Epoch ms. */
  readonly at: number;
}

/** Money that a gateway is asked to give back of a payment that it took. */
export interface RequestedRefund {
  /** Our own id of it, by which its messages are told apart. */
  readonly id: number;
  /** That of the payment. */
  readonly order: string;
  readonly amountCents: Cents;
  readonly currency: string;
  readonly notifyUrl: string;
}

/** What a gateway answers to a refund; `unclear`: nobody knows whether the money went back. */
export type RefundAnswer =
  | { readonly kind: "done"; readonly notice: GatewayNotice }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unclear" };

/** How a gateway gives money back by itself, server to server. */
export interface RefundProtocol {
  readonly addresses: Readonly<Record<GatewayEnvironment, string>>;
  readonly contentType: string;
  /** The body to send; undefined where the gateway does not take the currency. */
  build(credentials: Credentials, refund: RequestedRefund): string | undefined;
  /** What an answer of status 200 says. */
  read(credentials: Credentials, refund: RequestedRefund, body: string): RefundAnswer;
}

/** What a gateway's server expects to hear. */
export interface GatewayAnswer {
  /** 503: could not be verified now; the gateway sends it again. */
  readonly status: 200 | 403 | 503;
  readonly body: string;
  readonly type: "text/plain" | "text/html";
}

/** How one redirect gateway is spoken to; pure: no network, no clock. */
export interface Protocol {
  /** Constants, never settings: nobody can point payments elsewhere. */
  readonly addresses: { readonly live: string; readonly test: string };
  /** Each member of the account's configuration, and its form. */
  readonly merchant: Readonly<Record<string, RegExp>>;
  readonly hasSecret: boolean;
  /** The hidden fields of the visitor's form; undefined where the gateway does not take the currency. */
  buildForm(credentials: Credentials, payment: Payment): Fields | undefined;
  /** What a notification says; undefined where its signature or form is not the gateway's. */
  readNotice(credentials: Credentials, body: URLSearchParams): GatewayNotice | undefined;
  answer(isAccepted: boolean): GatewayAnswer;
  /** Where it gives money back with what the account is known by; the others do it on their own pages alone. */
  readonly refunds?: RefundProtocol;
}

/** The configuration of an account, every member there and of its form, nothing else; undefined where it is not. */
export function parseMerchant(protocol: Protocol, configuration: unknown): Fields | undefined {
  if (typeof configuration !== "object" || configuration === null) return undefined;
  const settings = Object.entries(configuration);
  const isRight = ([name, value]: readonly [string, unknown]) =>
    typeof value === "string" && Object.hasOwn(protocol.merchant, name) && protocol.merchant[name]?.test(value);
  const isComplete = settings.length === Object.keys(protocol.merchant).length && settings.every(isRight);
  return isComplete ? (Object.fromEntries(settings) as Fields) : undefined;
}

/** Whether two signatures are the same text, in a time that does not tell where they differ. */
export function isSameText(text: string, other: string): boolean {
  const [a, b] = [Buffer.from(text), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A whole number of minor units as gateways write it. */
export function parseCents(text: string | null | undefined): Cents | undefined {
  return text && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

/** The parts of a gateway's own words that were said. */
export function joinAnswerParts(parts: readonly (string | null | undefined)[]): string | undefined {
  return parts.filter(Boolean).join(" ") || undefined;
}

/** What gateways that wait for no special words are answered. */
export function plainAnswer(isAccepted: boolean): GatewayAnswer {
  return { status: isAccepted ? 200 : 403, body: "", type: "text/plain" };
}
