import { addDays, type CivilDate } from "#domain/dates.ts";
import { listEmptyFields, REQUIRED_CUSTOMER_FIELDS } from "#shared/sale-form.ts";
import type { Typed } from "#shared/typed-requests.ts";
import type { NewTransferQuoteRequest, NewTransferRequest } from "#worker/api/office/new-transfer-messages.ts";
import { setNestedValue, toApiActionValue } from "../../desk/action-forms.ts";
import type { ActionField, ActionFormValues } from "../../desk/form-field.ts";
import {
  getTransferValuesToReset,
  isFieldVisible,
  listMissingAddresses,
  RETURN_TRIP_FIELD,
  TRANSFER_FIELDS,
  type TransferPoint,
} from "../../desk/transfer-form.ts";
import {
  type Buyer,
  listRequiredShortageFields,
  type PriceOverrideAndStatus,
  type ShortageDecision,
  toBuyerRequest,
  toPriceOverride,
  toShortageDecision,
  toWireFieldName,
} from "../reservations/sale-form.ts";

export const TRANSFER_VEHICLE_FIELD = "transfer.transfer_vehicle_id";

/** Typed values of a new transfer. */
export interface TransferDraft extends Buyer, PriceOverrideAndStatus, ShortageDecision {
  /** Trips, travellers, vehicle and extras by field name. */
  readonly formValues: ActionFormValues;
}

/** Returns the initial values: tomorrow morning, one person, one way. */
export function getInitialTransferDraft(today: CivilDate): TransferDraft {
  return {
    ...{ customer_id: null, customer_name: "", name: "", surname: "", email: "", phone: "", document_id: "" },
    ...{ other_price: "", other_price_reason: "", notes: "", status: "confirmed" },
    ...{ accept_shortage: false, shortage_reason: "" },
    formValues: {
      "transfer.outward.date": addDays(today, 1),
      "transfer.outward.time": "10:00",
      "transfer.adults": "1",
      "transfer.children": "0",
      "transfer.infants": "0",
      [RETURN_TRIP_FIELD]: false,
    },
  };
}

const OPPOSITE = [
  ["transfer.outward.origin_point_id", "transfer.return.destination_point_id"],
  ["transfer.outward.destination_point_id", "transfer.return.origin_point_id"],
  ["transfer.outward.origin_address", "transfer.return.destination_address"],
  ["transfer.outward.destination_address", "transfer.return.origin_address"],
] as const;

const text = (formValues: ActionFormValues, name: string) => String(formValues[name] ?? "").trim();

/** Returns a transfer with a changed value. A return mirrors the outward trip unless changed. */
export function setTransferDraftValue(transferDraft: TransferDraft, name: string, value: unknown): TransferDraft {
  const formValues: Record<string, unknown> = {
    ...transferDraft.formValues,
    ...{ [name]: value, ...getTransferValuesToReset(name) },
  };
  for (const [there, back] of OPPOSITE) {
    const isAsBefore =
      text(transferDraft.formValues, back) === "" ||
      text(transferDraft.formValues, back) === text(transferDraft.formValues, there);
    if (isAsBefore && name !== back) formValues[back] = formValues[there] ?? "";
  }
  return { ...transferDraft, formValues: formValues };
}

const listTripFields = ({ formValues }: TransferDraft): readonly ActionField[] =>
  TRANSFER_FIELDS.filter((field) => field.name !== RETURN_TRIP_FIELD && isFieldVisible(field, formValues));

const NEEDED: readonly ActionField["kind"][] = ["date", "time", "point"];

/** Lists required trip fields without a value. */
const listMissingTripFields = (ride: TransferDraft) =>
  listTripFields(ride)
    .filter(({ kind, name, isQuoted }) => isQuoted && NEEDED.includes(kind) && text(ride.formValues, name) === "")
    .map(({ name }) => name);

/** Creates the quote request. Undefined if a trip is incomplete. */
export function toTransferQuoteRequest(transferDraft: TransferDraft): Typed<NewTransferQuoteRequest> | undefined {
  return buildTransferBody(transferDraft, ({ isQuoted }) => isQuoted === true);
}

function buildTransferBody(
  transferDraft: TransferDraft,
  shouldSendField: (field: ActionField) => boolean,
): Typed<NewTransferQuoteRequest> | undefined {
  if (listMissingTripFields(transferDraft).length > 0) return undefined;
  const body: Record<string, unknown> = {};
  for (const field of listTripFields(transferDraft).filter(shouldSendField)) {
    const value = toApiActionValue(field, transferDraft.formValues[field.name]);
    if (value !== undefined) setNestedValue(body, field.name.split("."), value);
  }
  return {
    ...(body as Typed<NewTransferQuoteRequest>),
    ...toPriceOverride(transferDraft),
    ...toShortageDecision(transferDraft),
  };
}

/** Creates the transfer request. Undefined if a trip is incomplete. */
export function toTransferRequest(transferDraft: TransferDraft): Typed<NewTransferRequest> | undefined {
  const quote = buildTransferBody(transferDraft, () => true);
  return (
    quote && {
      ...quote,
      transfer: quote.transfer as Typed<NewTransferRequest["transfer"]>,
      customer: toBuyerRequest(transferDraft),
      status: transferDraft.status,
      notes: transferDraft.notes.trim() || undefined,
    }
  );
}

/** Lists required fields without a value. The driver needs a new customer's phone, and the address in an area. */
export function listMissingTransferFields(
  transferDraft: TransferDraft,
  points: readonly TransferPoint[],
): readonly string[] {
  return [
    ...listMissingTripFields(transferDraft),
    ...listMissingAddresses(transferDraft.formValues, points),
    ...(text(transferDraft.formValues, TRANSFER_VEHICLE_FIELD) === "" ? [TRANSFER_VEHICLE_FIELD] : []),
    ...listEmptyFields(transferDraft, [
      ...(transferDraft.customer_id === null ? ([...REQUIRED_CUSTOMER_FIELDS, "phone"] as const) : []),
      ...(transferDraft.other_price ? (["other_price_reason"] as const) : []),
      ...listRequiredShortageFields(transferDraft),
    ]).map(toWireFieldName),
  ];
}
