import { getVehiclePartCentre } from "#domain/check-in/vehicle-outline.ts";
import type { DAMAGE_KINDS, DAMAGE_SEVERITIES, VEHICLE_PARTS } from "#domain/contracts/damage.ts";
import { addDays, parseCivilDate } from "#domain/dates.ts";
import type {
  HandOverBodyRequest,
  VehicleExchangeBodyRequest,
  VehicleReturnRequest,
} from "#worker/api/office/hand-over-messages.ts";
import type { ReservationRefundRequest } from "#worker/api/office/refund-messages.ts";
import type {
  CancelRequest,
  ConfirmRequest,
  EarlyReturnRequest,
  ExtendRequest,
  NoShowRequest,
  ReopenRequest,
  ReservationChangeRequest,
  SurchargeRequest,
  VehicleAssignmentRequest,
} from "#worker/api/office/request-messages.ts";
import { getCompanyDateTime, hasUserRight } from "../account.ts";
import type { ActionField, ActionFormValues, FieldKind, MemberPathIn } from "./form-field.ts";
import type { AllowedActionName, Reservation } from "./reservation.ts";
import {
  getInitialTransferValues,
  isFieldVisible,
  isNewReturnField,
  RETURN_TRIP_FIELD,
  removesReturnTrip,
  TRANSFER_FIELDS,
} from "./transfer-form.ts";
import { parseTypedAmount } from "./typed-amount.ts";

/** Booking actions. A refund is a separate API operation. */
export type ReservationAction = AllowedActionName | "refund";

/** Request of each action. */
export interface ReservationActionRequests {
  readonly confirm: ConfirmRequest;
  readonly change: ReservationChangeRequest;
  readonly extend: ExtendRequest;
  readonly "early-return": EarlyReturnRequest;
  readonly exchange: VehicleExchangeBodyRequest;
  readonly assign: VehicleAssignmentRequest;
  readonly cancel: CancelRequest;
  readonly "no-show": NoShowRequest;
  readonly deliver: HandOverBodyRequest;
  readonly collect: VehicleReturnRequest;
  readonly reopen: ReopenRequest;
  readonly surcharge: SurchargeRequest;
  readonly refund: ReservationRefundRequest;
}
export type ReservationActionRequest = ReservationActionRequests[ReservationAction];

/** Fields of an action, named by the paths of its request. */
type ActionFields<Action extends ReservationAction> = readonly ActionField<
  MemberPathIn<ReservationActionRequests[Action]>
>[];

const REASON: ActionField<"reason"> = { name: "reason", kind: "text" };
const NEEDED_REASON = { ...REASON, required: true };
const FEE: ActionField<"fee"> = { name: "fee", kind: "money", isQuoted: true };
const RETURN: ActionFields<"extend" | "early-return"> = [
  { name: "date_to", kind: "date", required: true, isQuoted: true },
  { name: "time_to", kind: "time", required: true, isQuoted: true },
];
/** Checkbox to sell more than the stock. Needs a reason. */
const ACCEPT_SHORTAGE: ActionField<"accept_shortage"> = { name: "accept_shortage", kind: "flag", isQuoted: true };
const UNIT: ActionField<"unit_id"> = { name: "unit_id", kind: "unit", isQuoted: true };
const READINGS: ActionFields<"deliver" | "collect"> = [
  UNIT,
  { name: "kilometres", kind: "whole" },
  { name: "fuel_eighths", kind: "fuel" },
];
const CONDITION_FIELDS: ActionFields<"deliver" | "collect"> = [
  { name: "damages", kind: "damages" },
  { name: "notes", kind: "long" },
  { name: "readings_confirmed", kind: "flag" },
];
const RETURNED_TO: ActionField<"return_rental_location_code"> = {
  name: "return_rental_location_code",
  kind: "branch",
  label: "returnedTo",
};
const CUSTOMER = ["name", "surname", "email", "phone", "document_id"] as const;
const ADDRESS = ["street", "city", "zip", "country"] as const;

const EMPTIED = ["customer.email", "customer.phone", "customer.document_id", "notes"];

const WHO_AND_REST: ActionFields<"change"> = [
  ...CUSTOMER.map((item): ActionFields<"change">[number] => ({
    name: `customer.${item}`,
    kind: item === "email" ? "email" : "text",
    group: "who",
  })),
  ...ADDRESS.map((item): ActionFields<"change">[number] => ({
    name: `customer.address.${item}`,
    kind: "text",
    group: "who",
  })),
  { name: "notes", kind: "long", group: "rest", label: "in.comments" },
  { name: "reason", kind: "text", group: "rest" },
];

/** Form fields of each action, in order. */
const FORMS: { readonly [Action in ReservationAction]: ActionFields<Action> } = {
  confirm: [REASON],
  change: [
    { name: "date_from", kind: "date", isQuoted: true, group: "when" },
    { name: "time_from", kind: "time", isQuoted: true, group: "when" },
    { name: "pickup_place", kind: "pickup", isQuoted: true, group: "when" },
    { name: "date_to", kind: "date", isQuoted: true, group: "when" },
    { name: "time_to", kind: "time", isQuoted: true, group: "when" },
    { name: "return_place", kind: "return", isQuoted: true, group: "when" },
    { name: "category_code", kind: "category", isQuoted: true, group: "what" },
    { name: "quantity", kind: "whole", isQuoted: true, group: "what" },
    { name: "driver_age", kind: "whole", isQuoted: true, group: "what" },
    { name: "promotion_code", kind: "text", isQuoted: true, group: "what" },
    { name: "extras", kind: "extras", isQuoted: true, group: "what" },
    ...WHO_AND_REST,
    { name: "rule_reason", kind: "text", isQuoted: true, group: "rest" },
    { ...ACCEPT_SHORTAGE, group: "rest" },
  ],
  extend: [...RETURN, ACCEPT_SHORTAGE, REASON],
  "early-return": [...RETURN, REASON],
  exchange: [
    UNIT,
    { name: "reference", kind: "vehicle", required: true },
    { name: "kilometres_in", kind: "whole", required: true },
    { name: "fuel_eighths_in", kind: "fuel", required: true },
    { name: "damages_in", kind: "damages" },
    { name: "kilometres_out", kind: "whole", required: true },
    { name: "fuel_eighths_out", kind: "fuel", required: true },
    { name: "upgrade_price", kind: "money", isQuoted: true },
    REASON,
    { name: "readings_confirmed", kind: "flag" },
  ],
  assign: [UNIT, { name: "reference", kind: "vehicle" }, REASON],
  cancel: [NEEDED_REASON, FEE],
  "no-show": [REASON, FEE],
  deliver: [{ name: "reference", kind: "vehicle" }, ...READINGS, ...CONDITION_FIELDS],
  collect: [...READINGS, RETURNED_TO, ...CONDITION_FIELDS],
  reopen: [NEEDED_REASON],
  surcharge: [
    { name: "code", kind: "charged", required: true, isQuoted: true, label: "surchargeFor" },
    { name: "text", kind: "text", label: "surchargeText", isQuoted: true, isWide: true },
    { name: "quantity", kind: "whole", isQuoted: true, label: "surchargeQuantity" },
    { name: "amount", kind: "money", isQuoted: true, label: "surchargeAmount" },
    NEEDED_REASON,
  ],
  refund: [{ name: "amount", kind: "money" }, { name: "payment_method_id", kind: "paymentWay" }, NEEDED_REASON],
};

const TRANSFER_CHANGE: readonly ActionField[] = [...TRANSFER_FIELDS, ...WHO_AND_REST];

/** Returns the fields of an action. Transfers have trips instead of a period. */
export function listActionFields(action: ReservationAction, reservation: Reservation): readonly ActionField[] {
  const fields = action === "change" && reservation.transfer ? TRANSFER_CHANGE : FORMS[action];
  return hasUserRight("manage") ? fields : fields.filter(({ name }) => name !== ACCEPT_SHORTAGE.name);
}

/** Whether the API can quote an action before it's applied. */
export const canQuoteAction = (action: ReservationAction): action is AllowedActionName =>
  !["assign", "deliver", "collect", "refund"].includes(action);

/** Whether the values suffice for a quote. */
export const hasValuesForQuote = (action: ReservationAction, values: ActionFormValues): boolean =>
  FORMS[action].every(
    (field) => !field.isQuoted || !field.required || toApiActionValue(field, values[field.name]) !== undefined,
  );

/** Returns the initial values of a form. */
export function getInitialActionValues(action: ReservationAction, reservation: Reservation): ActionFormValues {
  const [waiting] = reservation.units.filter(({ delivered }) => (action === "deliver" ? delivered === null : true));
  switch (action) {
    case "change":
      return changeable(reservation);
    case "extend":
      return nextReturn(reservation);
    case "early-return":
      return returnNow(reservation);
    case "assign":
    case "deliver":
      return { reference: waiting?.reference ?? "" };
    case "surcharge":
      return { quantity: 1 };
    case "refund":
      return { amount: Number(reservation.to_refund) > 0 ? reservation.to_refund : "" };
    default:
      return {};
  }
}

// Proposes one more day, counted from today if overdue, because the agreed date would be rejected.
function nextReturn({ date_to, time_to }: Reservation): ActionFormValues {
  const { date: today } = getCompanyDateTime();
  const date = date_to > today ? parseCivilDate(date_to) : today;
  return { date_to: date ? addDays(date, 1) : date_to, time_to };
}

function returnNow({ date_from, time_from, date_to, time_to }: Reservation): ActionFormValues {
  const { date, time } = getCompanyDateTime();
  const now = `${date} ${time}`;
  const isOut = `${date_from} ${time_from}` < now && now < `${date_to} ${time_to}`;
  return isOut ? { date_to: date, time_to: time } : { date_to, time_to };
}

function changeable(reservation: Reservation): ActionFormValues {
  return {
    ...(reservation.transfer ? getInitialTransferValues(reservation) : rentalValues(reservation)),
    ...customerValues(reservation),
  };
}

// Several lines of one category are shown as one product with a quantity. Its price is divided among the lines.
function rentalValues(reservation: Reservation): ActionFormValues {
  const category = reservation.reservation_lines[0]?.item_id;
  const categoryLines = reservation.reservation_lines.filter(({ item_id }) => item_id === category);
  return {
    date_from: reservation.date_from,
    time_from: reservation.time_from,
    pickup_place: reservation.pickup_place_id ?? "",
    date_to: reservation.date_to,
    time_to: reservation.time_to,
    return_place: reservation.return_place_id ?? "",
    category_code: category ?? "",
    quantity: categoryLines.reduce((units, { quantity }) => units + quantity, 0),
    driver_age: reservation.driver_age ?? "",
    promotion_code: reservation.promotion_code ?? "",
    extras: Object.fromEntries(
      reservation.reservation_extras
        .filter(({ charged_on }) => !charged_on)
        .map(({ extra_id, quantity }) => [extra_id, quantity]),
    ),
  };
}

function customerValues(reservation: Reservation): ActionFormValues {
  const [name = "", ...rest] = reservation.customer_fullname.split(" ");
  return {
    "customer.name": name,
    "customer.surname": rest.join(" "),
    "customer.email": reservation.customer_email ?? "",
    "customer.phone": reservation.customer_phone ?? "",
    "customer.document_id": reservation.customer_document_id ?? "",
    notes: reservation.notes ?? "",
  };
}

const LISTS: Partial<Readonly<Record<FieldKind, (value: unknown) => unknown>>> = {
  extras: toExtraQuantities,
  transferExtras: toExtraQuantities,
  damages: toDamages,
};
const NUMBERS: readonly FieldKind[] = ["whole", "fuel", "pickup", "return", "unit", "point", "transferVehicle"];

/** Converts a form value to the API format. Returns undefined if empty. */
export function toApiActionValue({ kind, name }: ActionField, value: unknown): unknown {
  const toList = LISTS[kind];
  if (toList) return toList(value);
  if (kind === "flag") return value === true ? true : undefined;
  const text = String(value ?? "").trim();
  if (text === "") return name === "promotion_code" ? "" : undefined;
  if (NUMBERS.includes(kind)) return /^\d+$/.test(text) ? Number(text) : text;
  return kind === "money" ? parseTypedAmount(text) : text;
}

/** Converts the chosen numbers of extras. */
export function toExtraQuantities(value: unknown): readonly { readonly code: string; readonly quantity: number }[] {
  const chosen = Object.entries((value ?? {}) as Readonly<Record<string, unknown>>);
  return chosen.flatMap(([code, quantity]) => (Number(quantity) > 0 ? [{ code, quantity: Number(quantity) }] : []));
}

/** Damage as typed. The position on the diagram isn't entered at the desk. */
export interface DamageInput {
  readonly part: (typeof VEHICLE_PARTS)[number];
  readonly kind: (typeof DAMAGE_KINDS)[number];
  readonly severity: (typeof DAMAGE_SEVERITIES)[number];
  readonly note: string;
}

function toDamages(value: unknown): readonly object[] | undefined {
  const damages = (value ?? []) as readonly DamageInput[];
  if (damages.length === 0) return undefined;
  return damages.map(({ note, ...damage }) => {
    const [x, y] = getVehiclePartCentre(damage.part);
    return { ...damage, x, y, ...(note.trim() !== "" && { note: note.trim() }) };
  });
}

// If name or surname changes, send both, because the stored full name doesn't show where the surname starts.
const PAIRS: Readonly<Record<string, string>> = {
  "customer.name": "customer.surname",
  "customer.surname": "customer.name",
};

/** Builds the body of an action. A change contains only changed values. */
export function buildActionBody(
  action: ReservationAction,
  values: ActionFormValues,
  reservation: Reservation,
  shouldSendField: (field: ActionField) => boolean = () => true,
) {
  const before = action === "change" ? getInitialActionValues(action, reservation) : {};
  const isChanged = (name: string) => name in values && !isSame(values[name], before[name]);
  const body: Record<string, unknown> = {};
  const fields = listActionFields(action, reservation).filter(
    (field) => shouldSendField(field) && field.name !== RETURN_TRIP_FIELD,
  );
  for (const field of fields.filter((field) => isFieldVisible(field, { ...before, ...values }))) {
    const shouldSend =
      action !== "change" ||
      isChanged(field.name) ||
      isChanged(PAIRS[field.name] ?? "") ||
      isNewReturnField(field, values, before);
    const value = shouldSend
      ? (toApiActionValue(field, values[field.name] ?? before[field.name]) ??
        emptied(action, field, isChanged(field.name)))
      : undefined;
    if (value !== undefined) setNestedValue(body, field.name.split("."), value);
  }
  if (removesReturnTrip(values, before)) setNestedValue(body, ["transfer", "return"], null);
  if (action === "assign") body["reference"] ??= null;
  return body;
}

// Returns null for an optional contract field that was cleared.
function emptied(action: ReservationAction, { name, isQuoted }: ActionField, isChanged: boolean): null | undefined {
  const isOptional = EMPTIED.includes(name) || (name.startsWith("transfer.") && !isQuoted);
  return action === "change" && isChanged && isOptional ? null : undefined;
}

/** Builds the body of a quote. */
export function buildQuoteBody(action: ReservationAction, values: ActionFormValues, reservation: Reservation) {
  return { move: action, ...buildActionBody(action, values, reservation, ({ isQuoted }) => isQuoted === true) };
}

/** Lists required fields without a value. */
export function listMissingActionFields(action: ReservationAction, values: ActionFormValues): readonly string[] {
  return FORMS[action]
    .filter((field) => field.required && toApiActionValue(field, values[field.name]) === undefined)
    .map(({ name }) => name);
}

/** Sets a value in a body by path. */
export function setNestedValue(
  body: Record<string, unknown>,
  [name = "", ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) {
    body[name] = value;
    return;
  }
  const inner = (body[name] ?? {}) as Record<string, unknown>;
  setNestedValue(inner, rest, value);
  body[name] = inner;
}

function isSame(item: unknown, other: unknown): boolean {
  if (typeof item === "object" || typeof other === "object")
    return JSON.stringify(toExtraQuantities(item)) === JSON.stringify(toExtraQuantities(other));
  return String(item ?? "") === String(other ?? "");
}
