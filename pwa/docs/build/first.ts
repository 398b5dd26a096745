import type { Call } from "../src/call.ts";
import type { Chain, Step } from "./chain.ts";
import { MADE_FIRST } from "./made-first.ts";
import {
  acceptedRecord,
  asked,
  beforeDelivery,
  billed,
  booked,
  collecting,
  commission,
  delivered,
  delivering,
  FILE,
  freeVehicle,
  invoiced,
  listed,
  numberBy,
  OF_INVOICE,
  OF_IT,
  OF_RESERVATION,
  OPERATION,
  OWN,
  out,
  paid,
  REFUSED_AT_GATEWAY,
  SIGNED_TEXT,
  scratched,
  transferred,
  waiting,
  website,
} from "./preparations.ts";

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
  surchargeReservation: {
    first: [listed("Finds a contract that is over", { status: "done", kind: "rental" })],
    ...OF_IT,
  },
  nameAgent: { first: [booked], ...OF_IT },
  settleCommissions: {
    first: [commission("Finds what an agent has earned", "false")],
    body: { agent_id: "@@agent@@", reservation_ids: ["@@reservation@@"] },
  },
  unsettleCommissions: {
    first: [commission("Finds what an agent was paid for", "true")],
    body: { reservation_ids: ["@@reservation@@"] },
  },
  markDamageRepaired: { first: scratched, values: { reference: "__vehicle__", id: "__damage__" } },
  completeCommunications: { first: [booked], ...OF_IT },
  changeOwnBooking: OWN,
  cancelOwnBooking: OWN,
  printOwnContract: OWN,
  printOwnDocument: { first: invoiced, values: { free_access_id: "__booking__", id: "__document__" } },
  printOwnReceipt: {
    first: [billed, paid({ request_id: "example-charge-__id__" }, { charge: "charges.0.id" })],
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
    first: [acceptedRecord("Finds a record that the tax agency has taken", 0)],
    values: { id: "__document__" },
  },
  amendDocumentRecord: {
    first: [acceptedRecord("Finds another record that the tax agency has taken", 1)],
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
    first: [...website, numberBy("readBooking")],
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
