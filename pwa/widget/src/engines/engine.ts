import type { Client } from "../client.ts";
import type { Cart, Placed, Reservation, Search, Selling } from "../model.ts";

/** What a cart is read with: offers to choose from, or extras to add. */
export type With = "products" | "extras";

/** One of the two engines of the public interface, as the widget uses it. */
export interface Engine {
  readonly payPath: string;
  readonly isComplete: (search: Search) => boolean;
  readonly search: (client: Client, cart: string | undefined, search: Search) => Promise<Cart>;
  readonly read: (client: Client, cart: string, what: With) => Promise<Cart>;
  readonly choose: (client: Client, cart: string, offer: string) => Promise<Cart>;
  /** Sets how many of an offer are wanted beside others, where the account has that; transfers have one vehicle. */
  readonly setOffer?: (client: Client, cart: string, offer: string, quantity: number) => Promise<Cart>;
  readonly setExtra: (client: Client, cart: string, extra: string, quantity: number) => Promise<Cart>;
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

/** The path of a change of an extra: none of it is taken out by a path of its own. */
export const extraPath = (quantity: number) => (quantity > 0 ? "set-extra" : "remove-extra");
