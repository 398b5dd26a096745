import type { Call } from "../src/call.ts";
import type { Chain, Step } from "./chain.ts";
import { MADE_FIRST } from "./made-first.ts";

// In texts a name stands as __name__; a number in a body, as "@@name@@".
const RESERVATION = { id: "reservation.id", version: "reservation.version" };
const OF_IT = { values: { id: "__id__" }, body: { expected_version: "@@version@@" } };
const OF_RESERVATION = { id: "__id__" };

const booked: Step = { operation: "createReservation", about: "Makes a reservation", takes: RESERVATION };
const waiting: Step = {
  ...booked,
  about: "Makes a reservation that waits for its confirmation",
  body: { status: "pending_confirmation" },
};

/** Reservations with something in common; the first of them is taken. */
const listed = (about: string, values: Readonly<Record<string, string>>): Step => ({
  operation: "listReservations",
  about,
  values: { ...NOTHING_ASKED, kind: "rental", ...values },
  takes: { id: "data.0.id", version: "data.0.version" },
});
const NOTHING_ASKED = Object.fromEntries(
  ["date_from", "date_to", "rental_location_code", "category_code", "customer_id", "after"].map((name) => [name, ""]),
);

/** A vehicle that is at the airport, under a name of its own. */
const freeVehicle = (name: string): Step => ({
  operation: "listFleet",
  about: "Finds a free vehicle",
  values: { category_code: "ECON", rental_location_code: "PMI", state: "free", active: "true" },
  takes: {
    [name]: "data.0.reference",
    [`${name}_kilometres`]: "data.0.usage_units",
  },
});
const delivering = { ...OF_IT.body, reference: "__vehicle__", kilometres: "@@vehicle_kilometres@@" };
const beforeDelivery: readonly Step[] = [
  freeVehicle("vehicle"),
  {
    ...booked,
    body: { date_from: "2030-06-17", date_to: "2030-06-20" },
  },
];
const delivered: readonly Step[] = [
  ...beforeDelivery,
  {
    operation: "deliverVehicle",
    about: "Hands the vehicle over",
    values: OF_RESERVATION,
    body: delivering,
    takes: { version: "reservation.version" },
  },
];
/** A vehicle that is out, and how far it went. */
const out: readonly Step[] = [
  listed("Finds a contract whose vehicle is out", { status: "in_progress" }),
  {
    operation: "showReservation",
    about: "Reads which vehicle it is",
    values: OF_RESERVATION,
    takes: { vehicle: "reservation.units.0.reference" },
  },
  {
    operation: "showVehicle",
    about: "Reads its kilometres",
    values: { reference: "__vehicle__" },
    takes: { vehicle_kilometres: "vehicle.usage_units" },
  },
];
const collecting = { ...OF_IT.body, kilometres: "@@vehicle_kilometres@@" };
const scratched: readonly Step[] = [
  ...out,
  {
    operation: "collectVehicle",
    about: "Takes it back with a scratch",
    values: OF_RESERVATION,
    body: {
      ...collecting,
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

const website: readonly Step[] = [
  {
    operation: "beginCart",
    about: "Begins a cart",
    body: { date_from: "24/06/2030", date_to: "27/06/2030" },
    takes: { cart: "shopping_cart.free_access_id" },
  },
  {
    operation: "setCartProduct",
    about: "Chooses a vehicle",
    values: { free_access_id: "__cart__" },
    body: { product: "MINI" },
    takes: {},
  },
  {
    operation: "checkOutCart",
    about: "Books it, without payment",
    values: { free_access_id: "__cart__" },
    body: { payment: "none", complete_action: "request_reservation" },
    takes: { booking: "free_access_id" },
  },
];
const OWN = { first: website, values: { free_access_id: "__booking__" } };

const billed: Step = {
  ...booked,
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
const invoiced: readonly Step[] = [
  billed,
  {
    operation: "draftDocument",
    about: "Issues its invoice",
    values: OF_RESERVATION,
    body: { request_id: "example-invoice-__id__", issued: true },
    takes: { document: "invoices.0.id" },
  },
];
const OF_INVOICE = { first: invoiced, values: { id: "__document__" } };

const asked: readonly Step[] = [
  booked,
  {
    operation: "enterCharge",
    about: "Takes a payment",
    values: OF_RESERVATION,
    body: { request_id: "example-asked-__id__", amount: "600.00" },
    takes: {},
  },
  {
    operation: "refundReservation",
    about: "Asks for a refund that another manager approves",
    values: OF_RESERVATION,
    body: { amount: "600.00" },
    takes: { refund: "refund.id" },
  },
];

const REFUSED_AT_GATEWAY: Chain = {
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

const transferred: readonly Step[] = [
  { operation: "beginTransferCart", about: "Begins a cart", takes: { cart: "shopping_cart.free_access_id" } },
  {
    operation: "setTransferCartProduct",
    about: "Chooses a vehicle",
    values: { free_access_id: "__cart__" },
    takes: {},
  },
  {
    operation: "checkOutTransferCart",
    about: "Books it, without payment",
    values: { free_access_id: "__cart__" },
    body: { payment: "none", complete_action: "request_reservation" },
    takes: { booking: "free_access_id" },
  },
  {
    operation: "readReservation",
    about: "Reads its number",
    values: { free_access_id: "__booking__" },
    takes: { id: "booking.id" },
  },
];

const OPERATION = "01890000-0000-7000-8000-000000000002";
const SIGNED_TEXT = "# Rental contract 1\n\nAs it was read and signed.\n";
const FILE = { id: "1", hash: "add12c3bfa630cb68bdd3cd9adbcdbc34b6947dc2017a09d175f73ac4741181b" };

/** Operations that need others before them, or other examples than their documents can have. */
export const CHAINS: Readonly<Record<string, Chain>> = {
  ...MADE_FIRST,
  cancelTransfer: { first: transferred, values: OF_RESERVATION },
  draftDocument: { first: [billed], values: OF_RESERVATION, body: { request_id: "example-draft-__id__" } },
  changeReservation: { first: [booked], ...OF_IT },
  reportInternalBondProcessed: {
    first: [{ operation: "listInternalBonds", about: "Takes one of them", takes: { id: "data.0.id" } }],
    values: { id: "__id__" },
  },
  cancelBooking: { first: [{ operation: "createBooking", about: "Books, once for its reference", takes: {} }] },
  confirmReservation: { first: [waiting], ...OF_IT },
  cancelReservation: { first: [booked], ...OF_IT },
  assignVehicle: { first: [booked], ...OF_IT },
  deliverVehicle: { first: beforeDelivery, values: OF_RESERVATION, body: delivering },
  extendReservation: { first: delivered, ...OF_IT, body: { ...OF_IT.body, date_to: "2030-06-22" } },
  endReservationEarly: { first: delivered, ...OF_IT, body: { ...OF_IT.body, date_to: "2030-06-19" } },
  exchangeVehicle: {
    first: [...out, freeVehicle("other")],
    values: OF_RESERVATION,
    body: {
      ...OF_IT.body,
      reference: "__other__",
      kilometres_in: "@@vehicle_kilometres@@",
      kilometres_out: "@@other_kilometres@@",
    },
  },
  collectVehicle: { first: out, values: OF_RESERVATION, body: collecting },
  declareNoShow: {
    first: [
      listed("Finds a contract that nobody came for", {
        status: "confirmed",
        attention: "true",
        date_to: "2026-11-20",
      }),
    ],
    ...OF_IT,
  },
  reopenReservation: { first: [listed("Finds a contract that is over", { status: "done" })], ...OF_IT },
  markDamageRepaired: { first: scratched, values: { reference: "__vehicle__", id: "__damage__" } },
  completeCommunications: { first: [booked], ...OF_IT },
  changeOwnBooking: OWN,
  cancelOwnBooking: OWN,
  printOwnContract: OWN,
  printOwnDocument: { first: invoiced, values: { free_access_id: "__booking__", id: "__document__" } },
  printOwnReceipt: {
    first: [
      billed,
      {
        operation: "enterCharge",
        about: "Takes a payment",
        values: OF_RESERVATION,
        body: { request_id: "example-charge-__id__" },
        takes: { charge: "charges.0.id" },
      },
    ],
    values: { free_access_id: "__booking__", id: "__charge__" },
  },
  exchangeDocument: {
    first: [
      ...invoiced,
      {
        operation: "completeContract",
        about: "The customer says the address",
        values: { free_access_id: "__booking__" },
        body: { customer_address: { street: "Carrer Nou", number: "3", city: "Inca", zip: "07300", country: "ES" } },
        takes: {},
      },
    ],
    values: { id: "__document__" },
    body: { request_id: "example-exchange-__document__" },
  },
  showDocumentRecord: OF_INVOICE,
  annulDocumentRecord: {
    first: [
      {
        operation: "listTaxRecords",
        about: "Finds a record that the tax agency has taken",
        values: { state: "accepted" },
        takes: { document: "data.0.document_id" },
      },
    ],
    values: { id: "__document__" },
  },
  amendDocumentRecord: {
    first: [
      {
        operation: "listTaxRecords",
        about: "Finds another record that the tax agency has taken",
        values: { state: "accepted" },
        takes: { document: "data.1.document_id" },
      },
    ],
    values: { id: "__document__" },
  },
  approveRefund: {
    first: [
      {
        operation: "listWaitingRefunds",
        about: "Finds a refund that somebody else asked for",
        takes: { refund: "data.0.id" },
      },
    ],
    values: { id: "__refund__" },
  },
  askGatewayAgain: REFUSED_AT_GATEWAY,
  refundByHand: REFUSED_AT_GATEWAY,
  dropGatewayRefund: REFUSED_AT_GATEWAY,
  keepFile: { first: [], values: FILE, text: SIGNED_TEXT },
  readFile: {
    first: [
      { operation: "keepFile", about: "Keeps the text of a contract", values: FILE, text: SIGNED_TEXT, takes: {} },
    ],
    values: FILE,
  },
  declineRefund: { first: asked, values: { id: "__refund__" } },
  endHolds: {
    first: [
      ...website,
      {
        operation: "readBooking",
        about: "Reads its number",
        values: { free_access_id: "__booking__" },
        takes: { id: "booking.id" },
      },
    ],
    body: { reservation_id: "@@id@@" },
  },
  eraseCustomer: {
    first: [
      {
        operation: "createCustomer",
        about: "Makes a customer",
        body: { document_id: "41000099X", email: "somebody.else@example.com" },
        takes: { customer: "customer.id" },
      },
    ],
    values: { id: "__customer__" },
  },
  removeDocumentSeries: {
    first: [
      {
        operation: "createDocumentSeries",
        about: "Makes a series",
        body: { serie: "B-PMI-99" },
        takes: { series: "document_series.id" },
      },
    ],
    values: { id: "__series__" },
  },
  resolveOperation: {
    first: [
      {
        operation: "showReservation",
        about: "Reads a contract that is over",
        values: { id: "1" },
        takes: { unit: "reservation.units.0.id" },
      },
      {
        operation: "sendOperations",
        about: "A phone sends what cannot be done any more",
        instead: {
          operations: [
            {
              op_id: OPERATION,
              device_id: "example-phone-2",
              seq: 1,
              kind: "collection",
              booking_id: 1,
              resource_id: "@@unit@@",
              base_version: 1,
              recorded_at: "2026-05-03T10:00:00.000Z",
            },
          ],
        },
        takes: {},
      },
    ],
    values: { op_id: OPERATION },
  },
};

/** A call with those that go before it, where it needs them. */
export function withFirst(call: Call, calls: ReadonlyMap<string, Call>): Call {
  const chain = CHAINS[call.operation];
  if (!chain) return call;
  const first = chain.first.map(({ about, takes, ...step }) => {
    const one = calls.get(step.operation);
    if (!one) throw new Error(`${call.operation} names ${step.operation}, which no document has`);
    return { call: said(one, step), about, takes };
  });
  return { ...said(call, chain), first };
}

// A call whose examples say something else.
function said(
  call: Call,
  { values = {}, body, instead, text }: Pick<Step, "values" | "body" | "instead" | "text">,
): Call {
  const example = call.body?.example;
  const isObject = typeof example === "object" && example !== null;
  const changed = instead ?? (isObject ? { ...example, ...body } : example);
  const sent = text === undefined ? undefined : { type: "text/plain", example: text };
  return {
    ...call,
    parameters: call.parameters.map(({ example: before, ...one }) => {
      const value = values[one.name] ?? before;
      return { ...one, ...(value !== undefined && value !== "" && { example: value }) };
    }),
    ...(call.body && { body: sent ?? { ...call.body, example: changed } }),
  };
}
