import type { Immutable } from "#shared/immutable.ts";
import type { Typed } from "#shared/typed-requests.ts";
import type { RentalBookingMessage } from "#worker/api/booking-engine/vehicles/booking-messages.ts";
import type { RentalCartMessage } from "#worker/api/booking-engine/vehicles/cart-answer-messages.ts";
import type { RentalSearchRequest } from "#worker/api/booking-engine/vehicles/cart-messages.ts";
import type {
  AvailabilityCalendarMessage,
  DriverAgeRulesMessage,
} from "#worker/api/booking-engine/vehicles/catalogue-messages.ts";
import type {
  ContractDataRequest,
  RentalCheckoutRequest,
} from "#worker/api/booking-engine/vehicles/contract-messages.ts";
import type { CountriesMessage, LabelledChoicesMessage } from "#worker/api/booking-engine/vehicles/form-messages.ts";
import type { EnginePlacesMessage } from "#worker/api/booking-engine/vehicles/place-messages.ts";
import type { Client } from "../client.ts";
import { addAmounts, addDays, isDateText, subtractAmounts, toApiDate } from "../format.ts";
import type {
  Cart,
  CategoryTraits,
  EngineSettings,
  Extra,
  ListedProduct,
  MandatoryFee,
  PlacedReservation,
  PricedTrip,
  Reservation,
  SearchValues,
  Settings,
} from "../model.ts";
import { buildContractBody, toContract } from "./contract.ts";
import { postCartChange, setCartExtraQuantity, toCheckoutOptions, type WidgetEngine } from "./engine.ts";

const BASE = "/api/booking/frontend";

type CartAnswer = Immutable<RentalCartMessage>;

type ProductAnswer = NonNullable<CartAnswer["products"]>[number];

type BookingAnswer = Immutable<RentalBookingMessage>;

/** Cart or booking. */
type Summary = CartAnswer["shopping_cart"] | BookingAnswer["booking"];
type Line = CartAnswer["shopping_cart"]["items"][number] | BookingAnswer["booking"]["booking_lines"][number];
type ExtraLine = CartAnswer["shopping_cart"]["extras"][number];

/** Engine of rentals. */
export const rentalEngine: WidgetEngine = {
  payPath: "/reserva/pagar",
  isComplete: ({ date_from: from, date_to: to, pickup_place: place }) =>
    isDateText(from) && isDateText(to) && Boolean(place),
  search: async (client, cart, search) => {
    const body: Typed<RentalSearchRequest> = {
      ...search,
      date_from: toApiDate(search["date_from"] ?? ""),
      date_to: toApiDate(search["date_to"] ?? ""),
    };
    return toCart(
      await client.post<CartAnswer, RentalSearchRequest>(
        `${BASE}/shopping-cart${cart ? `/${cart}` : ""}?include_products=true`,
        body,
      ),
    );
  },
  // The step with the extras shows the kilometres of the offers, too.
  read: async (client, cart, content) => {
    const extras = content === "extras" ? "&include_extras=true" : "";
    return toCart(await client.get(`${BASE}/shopping-cart/${cart}?include_products=true${extras}`));
  },
  choose: async (client, cart, product) =>
    toCart(await postCartChange(client, BASE, cart, "set-product?include_extras=true", { product, quantity: 1 })),
  setOffer: async (client, cart, product, quantity) =>
    toCart(await postCartChange(client, BASE, cart, "set-product?include_products=true", { product, quantity })),
  setExtra: async (client, cart, extra, quantity) =>
    toCart(await setCartExtraQuantity(client, BASE, cart, extra, quantity)),
  place: (client, cart, body) =>
    client.post<PlacedReservation, RentalCheckoutRequest>(`${BASE}/shopping-cart/${cart}/checkout`, body),
  reservation: async (client, id) => toReservation(await client.get(`${BASE}/booking/${id}`)),
  complete: async (client, id, fields) =>
    toReservation(
      await client.put<BookingAnswer, ContractDataRequest>(`${BASE}/booking/${id}`, buildContractBody(fields)),
    ),
};

export type PickupPlace = Immutable<EnginePlacesMessage>[number];

export type DriverAgeOption = Immutable<DriverAgeRulesMessage>[number];

type Action = "deliveries" | "collections";

/** Data of the rental search form. */
export const rentalListRequests = {
  settings: (client: Client) => client.get<EngineSettings>(`${BASE}/settings`),
  pickups: (client: Client) => client.get<readonly PickupPlace[]>(`${BASE}/pickup-places`),
  returns: (client: Client, pickup: string) =>
    client.get<readonly PickupPlace[]>(`${BASE}/return-places?pickup_place=${encodeURIComponent(pickup)}`),
  ages: (client: Client) => client.get<readonly DriverAgeOption[]>(`${BASE}/driver-age-rules`),
  days: (client: Client, action: Action, place: string, from: string, to: string) =>
    client.get<readonly string[]>(`${BASE}/dates?${new URLSearchParams({ from, to, action, place })}`),
  times: (client: Client, action: Action, place: string, date: string) =>
    client.get<readonly string[]>(`${BASE}/times?${new URLSearchParams({ date, action, place })}`),
  occupation: (client: Client, category: string, place: string, from: string, to: string) =>
    client.get<Immutable<AvailabilityCalendarMessage>>(
      `${BASE}/products/${encodeURIComponent(category)}/occupation?${new URLSearchParams({ from, to, place })}`,
    ),
};

/** Choices of the contract form. */
export const contractListRequests = {
  countries: (client: Client) => client.get<Immutable<CountriesMessage>>(`${BASE}/nacionalities`), // sic
  documents: (client: Client) => client.get<Immutable<LabelledChoicesMessage>>(`${BASE}/document-types`),
};

type FeeCode = ProductAnswer["fees"][number]["code"];

const FEE_TEXTS: Readonly<Record<FeeCode, MandatoryFee["text"]>> = {
  time_from: "feeTimeFrom",
  time_to: "feeTimeTo",
  pickup_place: "feePickupPlace",
  return_place: "feeReturnPlace",
  driver_age: "feeDriverAge",
};

const toFees = (amounts: Readonly<Record<FeeCode, string>>): readonly MandatoryFee[] =>
  (Object.keys(FEE_TEXTS) as FeeCode[])
    .map((code) => ({ text: FEE_TEXTS[code], amount: amounts[code] }))
    .filter(({ amount }) => Number(amount) !== 0);

function toTrip(sums: Summary, lines: readonly Line[], extras: readonly ExtraLine[]): PricedTrip {
  const isOne = lines.length === 1 && lines[0]?.quantity === 1;
  const names = lines.map((line) => {
    const name = line.item_description_customer_translation;
    return isOne ? name : `${line.quantity} × ${name}`;
  });
  const fees = toFees({
    time_from: sums.time_from_cost,
    time_to: sums.time_to_cost,
    pickup_place: sums.pickup_place_cost,
    return_place: sums.return_place_cost,
    driver_age: sums.driver_age_cost,
  });
  return {
    legs: [
      { place: sums.pickup_place_customer_translation, date: sums.date_from, time: sums.time_from },
      { place: sums.return_place_customer_translation, date: sums.date_to, time: sums.time_to },
    ],
    vehicle: names.join(" · "),
    photo: lines[0]?.photo_medium ?? null,
    days: sums.days,
    vehicleCost: addAmounts(sums.item_cost, sums.discount?.item_amount ?? "0"),
    extrasCost: addAmounts(sums.extras_cost, sums.discount?.extras_amount ?? "0"),
    discount: sums.discount?.amount,
    fees,
    supplementsCost: subtractAmounts(
      sums.total_cost,
      sums.item_cost,
      sums.extras_cost,
      ...fees.map(({ amount }) => amount),
    ),
    total: sums.total_cost,
    prepayment: sums.booking_amount,
    securityDeposit: sums.total_deposit,
    extras: extras.map((extra) => ({
      id: extra.extra_id,
      name: extra.extra_description_customer_translation,
      quantity: extra.quantity,
    })),
  };
}

function toCart({ shopping_cart: cart, products = [], extras = [], sales_process: process }: CartAnswer): Cart {
  return {
    id: cart.free_access_id,
    version: cart.version,
    trip: toTrip(cart, cart.items, cart.extras),
    isChosen: cart.items.length > 0,
    chosen: Object.fromEntries(cart.items.map(({ item_id, quantity }) => [item_id, quantity])),
    offers: products.map((product) => toOffer(product, cart.driver_age_deposit)),
    extras: extras.map((extra) => toExtra(extra, cart.driver_age_deposit)),
    selling: toCheckoutOptions(process),
    isCodeIdle: cart.promotion_code_message !== null,
    discountPercent: cart.discount?.kind === "percentage" ? Number(cart.discount.value) : undefined,
    freeCancellationUntil: cart.free_cancellation_until ?? undefined,
    cancellationFee: cart.cancellation_fee,
  };
}

// Converts an extra. Its deposit is all that the company holds: deposit, excess and the young drivers'
// deposit.
function toExtra(extra: NonNullable<CartAnswer["extras"]>[number], ageDeposit: string): Extra {
  const { code, insurance } = extra;
  return {
    ...{ id: code, code, name: extra.name, text: extra.description },
    ...{ price: extra.unit_price, most: extra.max_sellable_quantity },
    insurance: insurance
      ? {
          deposit: addAmounts(insurance.deposit, insurance.guarantee, ageDeposit),
          excess: insurance.guarantee,
          depositWithout: addAmounts(insurance.full_deposit, insurance.full_guarantee, ageDeposit),
          excessWithout: insurance.full_guarantee,
        }
      : undefined,
  };
}

function toOffer(product: ProductAnswer, ageDeposit: string): ListedProduct {
  return {
    id: product.code,
    name: product.name,
    text: product.short_description,
    photos: product.photos.flatMap(({ photo_path: photo, full_photo_path: full }) => photo ?? full ?? []),
    price: product.discounted_total_cost ?? product.total_cost,
    basePrice: addAmounts(product.base_price, ...product.fees.map(({ amount }) => amount)),
    unitPrice: product.price,
    unitBasePrice: product.base_price,
    fees: product.fees.map(({ code, amount }) => ({ text: FEE_TEXTS[code], amount })),
    seats: product.key_characteristics.seats,
    doors: product.key_characteristics.doors,
    traits: toTraits(product, ageDeposit),
    offerName: product.offer_name,
    isAvailable: product.availability,
    wrongLength: findWrongLength(product),
    isFew: product.few_available_units,
    most: product.available,
  };
}

function findWrongLength(product: ProductAnswer): ListedProduct["wrongLength"] {
  if (product.be_less_than_min) return { code: "minimum_days", params: { days: product.min_value } };
  return product.exceeds_max ? { code: "maximum_days", params: { days: product.max_value } } : undefined;
}

function toTraits(
  { key_characteristics: its, kilometres_per_day: kilometres, deposit, guarantee }: ProductAnswer,
  ageDeposit: string,
): CategoryTraits {
  return {
    gearbox: its.transmission === "manual" || its.transmission === "automatic" ? its.transmission : null,
    fuel: FUELS.find((fuel) => fuel === its.fuel) ?? null,
    bags: its.suitcases,
    hasAirConditioning: its.air_conditioner === "yes",
    kilometresPerDay: kilometres,
    deposit: addAmounts(deposit, guarantee, ageDeposit),
    excess: guarantee,
  };
}

const FUELS = ["petrol", "diesel", "electric", "hybrid"] as const;

function toReservation(answer: BookingAnswer): Reservation {
  const { booking, sales_process: process } = answer;
  return {
    id: booking.free_access_id,
    number: booking.id,
    status: booking.status,
    paymentStatus: booking.payment_status,
    reason: booking.status_reason,
    customer: booking.customer_fullname,
    paid: booking.total_paid,
    pending: booking.total_pending,
    trip: { ...toTrip(booking, booking.booking_lines, booking.booking_extras), flights: booking },
    selling: toCheckoutOptions(process, Number(booking.total_paid) > 0),
    email: booking.customer_email ?? undefined,
    isEmailUnconfirmed: booking.email_unconfirmed,
    contract: toContract(answer),
    period: booking,
  };
}

/** Creates the initial search with the account's defaults and the first place. URL values take precedence. */
export function createInitialRentalSearch(settings: Settings, initialSearch: SearchValues): SearchValues {
  const from = addDays(settings.server_date, 30);
  const to = addDays(from, settings.selector_date_to_days);
  const dates = settings.prefill_selector ? { date_from: from, date_to: to } : {};
  const validParameters = Object.entries(initialSearch).filter(
    ([name, value]) => !name.startsWith("date_") || isDateText(value),
  );
  return {
    time_from: settings.default_time_start,
    time_to: settings.default_time_end,
    ...dates,
    ...Object.fromEntries(validParameters),
  };
}
