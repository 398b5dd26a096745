import type { ExampleCall } from "../src/call.ts";
import type { ChainStep, ExampleChain } from "./call-chain.ts";
import { PREREQUISITE_CHAINS } from "./prerequisite-chains.ts";
import {
  CHECK_IN_OPERATION_ID,
  COLLECTION_BODY,
  createFindAcceptedTaxRecordStep,
  createFindFreeVehicleStep,
  createListCommissionsStep,
  createListReservationsStep,
  createPaymentStep,
  createReadReservationNumberStep,
  DAMAGE_STEPS,
  DELIVERY_BODY,
  DELIVERY_STEPS,
  ID_AND_VERSION,
  INVOICE_STEP,
  ISSUED_INVOICE_CHAIN,
  ISSUED_INVOICE_STEPS,
  OWN_BOOKING_CHAIN,
  PENDING_RESERVATION_STEP,
  REFUND_REQUEST_STEPS,
  REFUSED_REFUND_CHAIN,
  RENTED_OUT_STEPS,
  RESERVATION_ID_VALUE,
  RESERVATION_STEP,
  SIGNED_TEXT,
  STEPS_BEFORE_DELIVERY,
  TRANSFER_STEPS,
  UPLOADED_FILE,
  WEBSITE_BOOKING_STEPS,
} from "./prerequisite-steps.ts";

/** Operations that need prerequisite calls or examples that differ from their documents. */
export const EXAMPLE_CHAINS: Readonly<Record<string, ExampleChain>> = {
  ...PREREQUISITE_CHAINS,
  cancelTransfer: { first: TRANSFER_STEPS, values: RESERVATION_ID_VALUE },
  draftDocument: { first: [INVOICE_STEP], values: RESERVATION_ID_VALUE, body: { request_id: "example-draft-__id__" } },
  sendMessage: { first: [RESERVATION_STEP], values: RESERVATION_ID_VALUE },
  resendMessage: {
    first: [
      RESERVATION_STEP,
      {
        operation: "sendMessage",
        about: "Sends a message",
        values: RESERVATION_ID_VALUE,
        takes: { message_id: "message.id" },
      },
    ],
    values: { id: "__message_id__" },
  },
  changeReservation: { first: [RESERVATION_STEP], ...ID_AND_VERSION },
  reportInternalBondProcessed: {
    first: [{ operation: "listInternalBonds", about: "Takes one of them", takes: { id: "data.0.id" } }],
    values: { id: "__id__" },
  },
  cancelBooking: { first: [{ operation: "createBooking", about: "Books, once for its reference", takes: {} }] },
  confirmReservation: { first: [PENDING_RESERVATION_STEP], ...ID_AND_VERSION },
  cancelReservation: { first: [RESERVATION_STEP], ...ID_AND_VERSION },
  assignVehicle: { first: [RESERVATION_STEP], ...ID_AND_VERSION },
  deliverVehicle: { first: STEPS_BEFORE_DELIVERY, values: RESERVATION_ID_VALUE, body: DELIVERY_BODY },
  extendReservation: {
    first: DELIVERY_STEPS,
    ...ID_AND_VERSION,
    body: { ...ID_AND_VERSION.body, date_to: "2030-06-22" },
  },
  endReservationEarly: {
    first: DELIVERY_STEPS,
    ...ID_AND_VERSION,
    body: { ...ID_AND_VERSION.body, date_to: "2030-06-19" },
  },
  exchangeVehicle: {
    first: [...RENTED_OUT_STEPS, createFindFreeVehicleStep("other")],
    values: RESERVATION_ID_VALUE,
    body: {
      ...ID_AND_VERSION.body,
      reference: "__other__",
      kilometres_in: "@@vehicle_kilometres@@",
      kilometres_out: "@@other_kilometres@@",
    },
  },
  previewReturnRecord: { first: RENTED_OUT_STEPS, values: RESERVATION_ID_VALUE },
  collectVehicle: { first: RENTED_OUT_STEPS, values: RESERVATION_ID_VALUE, body: COLLECTION_BODY },
  declareNoShow: {
    first: [
      createListReservationsStep("Finds a contract that nobody came for", {
        status: "confirmed",
        attention: "true",
        date_to: "2026-11-20",
      }),
    ],
    ...ID_AND_VERSION,
  },
  reopenReservation: {
    first: [createListReservationsStep("Finds a contract that is over", { status: "done" })],
    ...ID_AND_VERSION,
  },
  surchargeReservation: {
    first: [createListReservationsStep("Finds a contract that is over", { status: "done", kind: "rental" })],
    ...ID_AND_VERSION,
  },
  nameAgent: { first: [RESERVATION_STEP], ...ID_AND_VERSION },
  settleCommissions: {
    first: [createListCommissionsStep("Finds what an agent has earned", "false")],
    body: { agent_id: "@@agent@@", reservation_ids: ["@@reservation@@"] },
  },
  unsettleCommissions: {
    first: [createListCommissionsStep("Finds what an agent was paid for", "true")],
    body: { reservation_ids: ["@@reservation@@"] },
  },
  markDamageRepaired: { first: DAMAGE_STEPS, values: { reference: "__vehicle__", id: "__damage__" } },
  completeMinistryReports: { first: [RESERVATION_STEP], ...ID_AND_VERSION },
  changeOwnBooking: OWN_BOOKING_CHAIN,
  cancelOwnBooking: OWN_BOOKING_CHAIN,
  printOwnContract: OWN_BOOKING_CHAIN,
  listOwnDownloads: OWN_BOOKING_CHAIN,
  // A website booking isn't confirmed until it's paid, and only confirmed bookings have a calendar file.
  readOwnCalendar: { first: [INVOICE_STEP], values: { free_access_id: "__booking__" } },
  printOwnDocument: { first: ISSUED_INVOICE_STEPS, values: { free_access_id: "__booking__", id: "__document__" } },
  printOwnReceipt: {
    first: [INVOICE_STEP, createPaymentStep({ request_id: "example-charge-__id__" }, { charge: "charges.0.id" })],
    values: { free_access_id: "__booking__", id: "__charge__" },
  },
  exchangeDocument: {
    first: [
      ...ISSUED_INVOICE_STEPS,
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
  showDocumentRecord: ISSUED_INVOICE_CHAIN,
  annulDocumentRecord: {
    first: [createFindAcceptedTaxRecordStep("Finds a record that the tax agency has taken", 0)],
    values: { id: "__document__" },
  },
  amendDocumentRecord: {
    first: [createFindAcceptedTaxRecordStep("Finds another record that the tax agency has taken", 1)],
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
  askGatewayAgain: REFUSED_REFUND_CHAIN,
  refundByHand: REFUSED_REFUND_CHAIN,
  dropGatewayRefund: REFUSED_REFUND_CHAIN,
  keepFile: { first: [], values: UPLOADED_FILE, text: SIGNED_TEXT },
  readFile: {
    first: [
      {
        operation: "keepFile",
        about: "Keeps the text of a contract",
        values: UPLOADED_FILE,
        text: SIGNED_TEXT,
        takes: {},
      },
    ],
    values: UPLOADED_FILE,
  },
  declineRefund: { first: REFUND_REQUEST_STEPS, values: { id: "__refund__" } },
  endHolds: {
    first: [...WEBSITE_BOOKING_STEPS, createReadReservationNumberStep("readBooking")],
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
              op_id: CHECK_IN_OPERATION_ID,
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
    values: { op_id: CHECK_IN_OPERATION_ID },
  },
};

/** Adds the prerequisite calls of a call, if there are any. */
export function addPrerequisiteCalls(call: ExampleCall, calls: ReadonlyMap<string, ExampleCall>): ExampleCall {
  const chain = EXAMPLE_CHAINS[call.operation];
  if (!chain) return call;
  const first = chain.first.map(({ about, takes, ...step }) => {
    const item = calls.get(step.operation);
    if (!item) throw new Error(`${call.operation} names ${step.operation}, which no document has`);
    return { call: createStep(item, step), about, takes };
  });
  return { ...createStep(call, chain), first };
}

// Returns a call with the chain's values, body or text instead of those of its example.
function createStep(
  call: ExampleCall,
  { values = {}, body, instead, text }: Pick<ChainStep, "values" | "body" | "instead" | "text">,
): ExampleCall {
  const example = call.body?.example;
  const isObject = typeof example === "object" && example !== null;
  const changed = instead ?? (isObject ? { ...example, ...body } : example);
  const textBody = text === undefined ? undefined : { type: "text/plain", example: text };
  return {
    ...call,
    parameters: call.parameters.map(({ example: before, ...one }) => {
      const value = values[one.name] ?? before;
      return { ...one, ...(value !== undefined && value !== "" && { example: value }) };
    }),
    ...(call.body && { body: textBody ?? { ...call.body, example: changed } }),
  };
}
