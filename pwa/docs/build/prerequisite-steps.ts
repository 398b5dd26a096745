import type { ChainStep, ExampleChain } from "./call-chain.ts";

// Placeholders: __name__ in texts, "@@name@@" for numbers in bodies.
const RESERVATION = { id: "reservation.id", version: "reservation.version" };
export const ID_AND_VERSION = { values: { id: "__id__" }, body: { expected_version: "@@version@@" } };
export const RESERVATION_ID_VALUE = { id: "__id__" };

export const RESERVATION_STEP: ChainStep = {
  operation: "createReservation",
  about: "Makes a reservation",
  takes: RESERVATION,
};
export const PENDING_RESERVATION_STEP: ChainStep = {
  ...RESERVATION_STEP,
  about: "Makes a reservation that waits for its confirmation",
  body: { status: "pending_confirmation" },
};

/** Returns a step that takes the first reservation matching a filter. */
export const createListReservationsStep = (about: string, values: Readonly<Record<string, string>>): ChainStep => ({
  operation: "listReservations",
  about,
  values: { ...EMPTY_FILTERS, kind: "rental", ...values },
  takes: { id: "data.0.id", version: "data.0.version" },
});
const EMPTY_FILTERS = Object.fromEntries(
  ["date_from", "date_to", "rental_location_code", "category_code", "customer_id", "after"].map((name) => [name, ""]),
);

/** Returns a step that takes a settled or open commission and its agent. */
export const createListCommissionsStep = (about: string, settled: "true" | "false"): ChainStep => ({
  operation: "listCommissions",
  about,
  values: { settled, agent_id: "", date_from: "", date_to: "", after: "" },
  takes: { reservation: "data.0.reservation_id", agent: "data.0.agent_id" },
});

/** Returns a step that takes an available vehicle at the airport and its kilometres, as values named after `name`. */
export const createFindFreeVehicleStep = (name: string): ChainStep => ({
  operation: "listFleet",
  about: "Finds a free vehicle",
  values: { category_code: "ECON", rental_location_code: "PMI", state: "free", active: "true" },
  takes: {
    [name]: "data.0.reference",
    [`${name}_kilometres`]: "data.0.usage_units",
  },
});
export const DELIVERY_BODY = {
  ...ID_AND_VERSION.body,
  reference: "__vehicle__",
  kilometres: "@@vehicle_kilometres@@",
};
export const STEPS_BEFORE_DELIVERY: readonly ChainStep[] = [
  createFindFreeVehicleStep("vehicle"),
  {
    ...RESERVATION_STEP,
    body: { date_from: "2030-06-17", date_to: "2030-06-20" },
  },
];
export const DELIVERY_STEPS: readonly ChainStep[] = [
  ...STEPS_BEFORE_DELIVERY,
  {
    operation: "deliverVehicle",
    about: "Hands the vehicle over",
    values: RESERVATION_ID_VALUE,
    body: DELIVERY_BODY,
    takes: { version: "reservation.version" },
  },
];
/** Steps that take a rented vehicle and its kilometres. */
export const RENTED_OUT_STEPS: readonly ChainStep[] = [
  createListReservationsStep("Finds a contract whose vehicle is out", { status: "in_progress" }),
  {
    operation: "showReservation",
    about: "Reads which vehicle it is",
    values: RESERVATION_ID_VALUE,
    takes: { vehicle: "reservation.units.0.reference" },
  },
  {
    operation: "showVehicle",
    about: "Reads its kilometres",
    values: { reference: "__vehicle__" },
    takes: { vehicle_kilometres: "vehicle.usage_units" },
  },
];
export const COLLECTION_BODY = { ...ID_AND_VERSION.body, kilometres: "@@vehicle_kilometres@@" };
export const DAMAGE_STEPS: readonly ChainStep[] = [
  ...RENTED_OUT_STEPS,
  {
    operation: "collectVehicle",
    about: "Takes it back with a scratch",
    values: RESERVATION_ID_VALUE,
    body: {
      ...COLLECTION_BODY,
      damages: [{ part: "front_left_door", kind: "scratch", severity: "light", x: 500, y: 500 }],
    },
    takes: {},
  },
  {
    operation: "showVehicle",
    about: "Reads its damages",
    values: { reference: "__vehicle__" },
    takes: { damage: "vehicle.damages.0.id" },
  },
];

/** Returns the consecutive steps of an online booking in either engine. */
const bookedOnline = (
  [beginning, choosing, checkingOut]: readonly [string, string, string],
  { search, product }: { readonly search?: ChainStep["body"]; readonly product?: ChainStep["body"] } = {},
): readonly ChainStep[] => [
  {
    operation: beginning,
    about: "Begins a cart",
    ...(search && { body: search }),
    takes: { cart: "shopping_cart.free_access_id" },
  },
  {
    operation: choosing,
    about: "Chooses a vehicle",
    values: { free_access_id: "__cart__" },
    ...(product && { body: product }),
    takes: {},
  },
  {
    operation: checkingOut,
    about: "Books it, without payment",
    values: { free_access_id: "__cart__" },
    body: { payment: "none", complete_action: "request_reservation" },
    takes: { booking: "free_access_id" },
  },
];
/** Returns a step that reads the number of an online booking. */
export const createReadReservationNumberStep = (operation: string): ChainStep => ({
  operation,
  about: "Reads its number",
  values: { free_access_id: "__booking__" },
  takes: { id: "booking.id" },
});

export const WEBSITE_BOOKING_STEPS = bookedOnline(["beginCart", "setCartProduct", "checkOutCart"], {
  search: { date_from: "24/06/2030", date_to: "27/06/2030" },
  product: { product: "MINI" },
});
export const OWN_BOOKING_CHAIN = { first: WEBSITE_BOOKING_STEPS, values: { free_access_id: "__booking__" } };

/** Returns a step that records a payment of a reservation. */
export const createPaymentStep = (body: NonNullable<ChainStep["body"]>, takes: ChainStep["takes"] = {}): ChainStep => ({
  operation: "enterCharge",
  about: "Takes a payment",
  values: RESERVATION_ID_VALUE,
  body,
  takes,
});
/** Returns a step that takes an accepted tax record by its position in the list. */
export const createFindAcceptedTaxRecordStep = (about: string, place: number): ChainStep => ({
  operation: "listTaxRecords",
  about,
  values: { state: "accepted" },
  takes: { document: `data.${place}.document_id` },
});

export const INVOICE_STEP: ChainStep = {
  ...RESERVATION_STEP,
  body: {
    category_code: "COMP",
    date_from: "2030-06-24",
    date_to: "2030-06-27",
    customer: {
      name: "Ana",
      surname: "Ruiz",
      email: "ana@example.com",
      document_id: "12345678Z",
    },
  },
  takes: { id: "reservation.id", booking: "reservation.free_access_id" },
};
export const ISSUED_INVOICE_STEPS: readonly ChainStep[] = [
  INVOICE_STEP,
  {
    operation: "draftDocument",
    about: "Issues its invoice",
    values: RESERVATION_ID_VALUE,
    body: { request_id: "example-invoice-__id__", issued: true },
    takes: { document: "invoices.0.id" },
  },
];
export const ISSUED_INVOICE_CHAIN = { first: ISSUED_INVOICE_STEPS, values: { id: "__document__" } };

export const REFUND_REQUEST_STEPS: readonly ChainStep[] = [
  RESERVATION_STEP,
  createPaymentStep({ request_id: "example-asked-__id__", amount: "600.00" }),
  {
    operation: "refundReservation",
    about: "Asks for a refund that another manager approves",
    values: RESERVATION_ID_VALUE,
    body: { amount: "600.00" },
    takes: { refund: "refund.id" },
  },
];

export const REFUSED_REFUND_CHAIN: ExampleChain = {
  first: [
    {
      operation: "listGatewayRefunds",
      about: "Finds a refund that its gateway refused",
      values: { reservation_id: "" },
      takes: { refund: "data.0.id" },
    },
  ],
  values: { id: "__refund__" },
};

export const TRANSFER_STEPS: readonly ChainStep[] = [
  ...bookedOnline(["beginTransferCart", "setTransferCartProduct", "checkOutTransferCart"]),
  createReadReservationNumberStep("readReservation"),
];

export const CHECK_IN_OPERATION_ID = "01890000-0000-7000-8000-000000000002";
export const SIGNED_TEXT = "# Rental contract 1\n\nAs it was read and signed.\n";
export const UPLOADED_FILE = { id: "1", hash: "add12c3bfa630cb68bdd3cd9adbcdbc34b6947dc2017a09d175f73ac4741181b" };
