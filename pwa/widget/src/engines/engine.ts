import type { Client } from "../client.ts";
import type { Cart, Placed, Reservation, Search, Selling } from "../model.ts";

/** What a cart is read with: offers to choose from, or extras to add. */
export type With = "products" | "extras";

/** A cart, and the version of it that this window shows: what another window made of it is not changed from here. */
export interface CartSnapshot {
  readonly id: string;
  readonly version: number | undefined;
}

/** One of the two engines of the public interface, as the widget uses it. */
export interface Engine {
  readonly payPath: string;
  readonly isComplete: (search: Search) => boolean;
  readonly search: (client: Client, cart: string | undefined, search: Search) => Promise<Cart>;
  readonly read: (client: Client, cart: string, what: With) => Promise<Cart>;
  readonly choose: (client: Client, cart: CartSnapshot, offer: string) => Promise<Cart>;
  /** Sets how many of an offer are wanted beside others, where the account has that; transfers have one vehicle. */
  readonly setOffer?: (client: Client, cart: CartSnapshot, offer: string, quantity: number) => Promise<Cart>;
  readonly setExtra: (client: Client, cart: CartSnapshot, extra: string, quantity: number) => Promise<Cart>;
  readonly place: (client: Client, cart: string, body: object) => Promise<Placed>;
  readonly reservation: (client: Client, id: string) => Promise<Reservation>;
  /** Completes the data of a contract; transfers have none. */
  readonly complete?: (client: Client, id: string, fields: Readonly<Record<string, string>>) => Promise<Reservation>;
}

export interface SalesProcess {
  readonly can_request: boolean;
  readonly can_pay: boolean;
  readonly can_pay_deposit: boolean;
  readonly can_pay_total: boolean;
  readonly can_pay_pending: boolean;
  readonly payment_methods: { readonly paypal_standard: boolean; readonly tpv_virtual: string | null };
}

/** How the visitor may go on: a first part or all while nothing is paid, then the rest. */
export function toSelling(process: SalesProcess, isAnythingPaid = false): Selling {
  const parts = [
    process.can_pay_deposit && ("deposit" as const),
    process.can_pay_total && !isAnythingPaid && ("total" as const),
    process.can_pay_pending && isAnythingPaid && ("pending" as const),
  ].filter((part) => part !== false);
  const { tpv_virtual: virtual, paypal_standard: hasWallet } = process.payment_methods;
  const methods = [virtual, hasWallet ? "paypal_standard" : null].filter((method) => method !== null);
  return {
    canRequest: process.can_request,
    parts: process.can_pay ? parts : [],
    methods: process.can_pay ? methods : [],
  };
}

/** Changes what is chosen of a cart; `what` is the path of the change with its query. */
export function change<Answer>(
  client: Client,
  base: string,
  { id, version }: CartSnapshot,
  what: string,
  body: object,
) {
  return client.post<Answer>(`${base}/shopping-cart/${id}/${what}`, { ...body, expected_version: version });
}

/** Changes how many of an extra are in a cart: none of it is taken out by a path of its own. */
export function changeExtra<Answer>(client: Client, base: string, cart: CartSnapshot, extra: string, quantity: number) {
  const what = `${quantity > 0 ? "set-extra" : "remove-extra"}?include_extras=true`;
  return change<Answer>(client, base, cart, what, quantity > 0 ? { extra, quantity } : { extra });
}
