import type { Booking, Operation, RentalUnit } from "../api/messages.ts";
import type { WorkDraft } from "../offline/items.ts";
import { toAuthorityDetails } from "./authorities.ts";
import { toSurcharges } from "./damage-prices.ts";
import { toApiDriver } from "./driver-documents.ts";
import { fromCents, toCents } from "./money.ts";
import { getReturnTime } from "./return-time.ts";
import { getWorkSteps } from "./work-steps.ts";

/** Creates an empty draft for new work. */
export function createDraft(
  booking: Booking,
  unit: RentalUnit | undefined,
  kind: Operation["kind"],
  key: string,
  author: string,
): WorkDraft {
  return {
    key,
    booking_id: booking.booking_id,
    resource_id: unit?.resource_id ?? null,
    kind,
    base_version: booking.version,
    label: booking.customer.full_name,
    plate: unit?.vehicle?.stock_plate ?? unit?.vehicle?.reference ?? "",
    step: getWorkSteps(kind)[0] ?? "review",
    author,
    updated_at: Date.now(),
    replaces: null,
    vehicle_reference: unit?.vehicle?.reference ?? "",
    kilometres: "",
    fuel_eighths: null,
    notes: "",
    ...{ extras: [], damages: [], charges: [], checks: [], photos: [], removed_photos: [] },
    ...{ signature: null, strokes: null },
  };
}

/** Converts an operation to draft fields. */
export function toDraftFields(operation: Operation) {
  const { vehicle_reference = "", notes = "", kilometres, fuel_eighths, signature } = operation;
  const { return_rental_location_code, standing, driver, authorities, exchange, override_reason, surcharges } =
    operation;
  const { extras = [], damages = [], charges = [], checks = [], photos = [], removed_photos = [] } = operation;
  return {
    ...{ vehicle_reference, notes, strokes: null },
    kilometres: kilometres === undefined ? "" : String(kilometres),
    fuel_eighths: fuel_eighths ?? null,
    signature: signature ?? null,
    ...(override_reason ? { override_reason } : {}),
    ...(return_rental_location_code ? { return_rental_location_code } : {}),
    ...(standing ? { standing } : {}),
    ...(driver ? { driver } : {}),
    ...(authorities ? { authorities } : {}),
    ...(exchange ? { exchange: typedExchange(exchange) } : {}),
    ...(surcharges ? { surcharges } : {}),
    ...{ extras, damages, charges, checks, photos, removed_photos },
  };
}

function typedExchange(operationExchange: NonNullable<Operation["exchange"]>): NonNullable<WorkDraft["exchange"]> {
  const { vehicle_reference, kilometres, fuel_eighths, upgrade_price = "" } = operationExchange;
  return { vehicle_reference, kilometres: String(kilometres), fuel_eighths, upgrade_price };
}

/** Converts a draft to an operation for the API. */
export function toOperation(draft: WorkDraft) {
  const driver = toApiDriver(draft.driver);
  const authorities = toAuthorityDetails(draft.authorities);
  const { booking_id, resource_id, kind, base_version, author, kilometres, fuel_eighths, signature } = draft;
  const { return_rental_location_code } = draft;
  return {
    ...{ booking_id, kind, base_version, author },
    ...(resource_id === null ? {} : { resource_id }),
    recorded_at: new Date(kind === "collection" ? getReturnTime(draft, Date.now()) : Date.now()).toISOString(),
    ...(draft.vehicle_reference ? { vehicle_reference: draft.vehicle_reference } : {}),
    ...(kilometres === "" ? {} : { kilometres: Number(kilometres) }),
    ...(fuel_eighths === null ? {} : { fuel_eighths }),
    ...(draft.readings_confirmed ? { readings_confirmed: true } : {}),
    ...toTypedTexts(draft),
    ...(return_rental_location_code ? { return_rental_location_code } : {}),
    ...(draft.standing ? { standing: draft.standing } : {}),
    ...(driver ? { driver } : {}),
    ...(authorities ? { authorities } : {}),
    ...toReportedExchange(draft.exchange),
    extras: draft.extras.filter(({ quantity }) => quantity > 0),
    damages: draft.damages.map(({ note, ...damage }) => ({
      ...damage,
      ...(note?.trim() ? { note: note.trim() } : {}),
    })),
    ...toSurcharges(draft),
    charges: draft.charges.flatMap(toCharge),
    ...{ checks: draft.checks, photos: draft.photos.filter(({ hash }) => !draft.open_damage?.photos?.includes(hash)) },
    removed_photos: [...draft.removed_photos],
    ...(signature ? { signature } : {}),
  };
}

function toTypedTexts({ notes, override_reason = "" }: WorkDraft) {
  return {
    ...(notes.trim() === "" ? {} : { notes: notes.trim() }),
    ...(override_reason.trim() === "" ? {} : { override_reason: override_reason.trim() }),
  };
}

function toReportedExchange(out: WorkDraft["exchange"]) {
  if (!out || out.fuel_eighths === null) return {};
  const { vehicle_reference, kilometres, fuel_eighths } = out;
  const cents = toCents(out.upgrade_price.trim());
  const price = cents ? { upgrade_price: fromCents(cents) } : {};
  return { exchange: { vehicle_reference, kilometres: Number(kilometres), fuel_eighths, ...price } };
}

/** Converts a typed payment or deposit movement. Omits invalid or empty amounts. */
function toCharge({ amount, external_operation_number, ...charge }: WorkDraft["charges"][number]) {
  const cents = toCents(amount);
  if (!cents) return [];
  const number = external_operation_number?.trim();
  return [{ ...charge, amount: fromCents(cents), ...(number ? { external_operation_number: number } : {}) }];
}
