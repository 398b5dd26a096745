import type { Immutable } from "#shared/immutable.ts";
import type { Typed } from "#shared/typed-requests.ts";
import type { SalesProcessMessage } from "#worker/api/booking-engine/shared/sales-process-messages.ts";
import type {
  TransferExtraRequest,
  TransferProductRequest,
} from "#worker/api/booking-engine/transfers/cart-messages.ts";
import type { RentalExtraRequest, RentalProductRequest } from "#worker/api/booking-engine/vehicles/cart-messages.ts";
import type { RentalCheckoutRequest } from "#worker/api/booking-engine/vehicles/contract-messages.ts";
import type { Client } from "../client.ts";
import type { Cart, CheckoutOptions, PlacedReservation, Reservation, SearchValues } from "../model.ts";

/** Optional content of a cart: offers or extras. */
export type CartContent = "products" | "extras";

/** Cart with the version shown in this window, so that changes of other windows aren't overwritten. */
export interface CartSnapshot {
  readonly id: string;
  readonly version: number | undefined;
}

/** Request of a checkout, with the details that the customer typed. Addresses are those of a transfer. */
interface CheckoutRequest extends Typed<RentalCheckoutRequest> {
  readonly detailed_origin_address?: string | undefined;
  readonly detailed_destination_address?: string | undefined;
}

/** One of the two engines of the public API, as used by the widget. */
export interface WidgetEngine {
  readonly payPath: string;
  readonly isComplete: (search: SearchValues) => boolean;
  readonly search: (client: Client, cart: string | undefined, search: SearchValues) => Promise<Cart>;
  readonly read: (client: Client, cart: string, content: CartContent) => Promise<Cart>;
  readonly choose: (client: Client, cart: CartSnapshot, offer: string) => Promise<Cart>;
  /** Sets the quantity of an offer, if the account allows several. Transfers have one vehicle. */
  readonly setOffer?: (client: Client, cart: CartSnapshot, offer: string, quantity: number) => Promise<Cart>;
  readonly setExtra: (client: Client, cart: CartSnapshot, extra: string, quantity: number) => Promise<Cart>;
  readonly place: (client: Client, cart: string, body: CheckoutRequest) => Promise<PlacedReservation>;
  readonly reservation: (client: Client, id: string) => Promise<Reservation>;
  /** Completes contract data. Not available for transfers. */
  readonly complete?: (client: Client, id: string, fields: Readonly<Record<string, string>>) => Promise<Reservation>;
}

/** Ways to book and pay that the company allows. */
export type SalesProcess = Pick<
  Immutable<SalesProcessMessage>,
  "can_request" | "can_pay" | "can_pay_deposit" | "can_pay_total" | "can_pay_pending" | "payment_methods"
>;

/** Returns the payment options: a part or all before the first payment, then the rest. */
export function toCheckoutOptions(process: SalesProcess, isAnythingPaid = false): CheckoutOptions {
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

/** Request that changes a cart. */
type CartChange = RentalProductRequest | RentalExtraRequest | TransferProductRequest | TransferExtraRequest;

/** Changes the selection of a cart. `path` may have a query. */
export function postCartChange<Answer>(
  client: Client,
  base: string,
  { id, version }: CartSnapshot,
  path: string,
  body: CartChange,
) {
  return client.post<Answer, CartChange>(`${base}/shopping-cart/${id}/${path}`, { ...body, expected_version: version });
}

/** Changes the quantity of an extra in a cart. Removal has its own path. */
export function setCartExtraQuantity<Answer>(
  client: Client,
  base: string,
  cart: CartSnapshot,
  extra: string,
  quantity: number,
) {
  const path = `${quantity > 0 ? "set-extra" : "remove-extra"}?include_extras=true`;
  return postCartChange<Answer>(client, base, cart, path, quantity > 0 ? { extra, quantity } : { extra });
}
