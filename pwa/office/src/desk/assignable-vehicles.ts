import { listPermitsEndingBefore } from "#domain/catalogue/vehicle-dues.ts";
import type { Planning } from "../pages/planning/planning.ts";
import type { Reservation } from "./reservation.ts";

/** A vehicle for hand-over and any reason against it. */
export interface AssignableVehicle {
  readonly reference: string;
  readonly plate: string | null;
  readonly name: string;
  readonly category: string;
  readonly customerOrBlockKind: string | undefined;
  /** Customer of an overdue rental that should have returned the vehicle. */
  readonly lateWith: string | undefined;
  /** Inspection or insurance that ends before the rental's return. */
  readonly ending: ReturnType<typeof listPermitsEndingBefore>;
}

/**
 * Lists who has each vehicle during a reservation. Available ones of its own category come first. `now` is the
 * account's local time as `yyyy-mm-dd hh:mm`. A vehicle that leaves now can't be with another customer.
 */
export function listVehiclesToAssign(
  { vehicles }: Planning,
  reservation: Reservation,
  now: string,
  isLeavingNow = false,
): readonly AssignableVehicle[] {
  const own = reservation.reservation_lines.map(({ item_id }) => item_id);
  const from = `${reservation.date_from} ${reservation.time_from}`;
  // A vehicle added to an overdue rental goes out now.
  const to = pickLaterTime(`${reservation.date_to} ${reservation.time_to}`, now);
  const rank = ({ category, customerOrBlockKind, lateWith, ending }: AssignableVehicle) =>
    (own.includes(category) ? 0 : 4) + (customerOrBlockKind ? 3 : 0) + (lateWith ? 2 : 0) + (ending.length > 0 ? 1 : 0);
  return vehicles
    .map(({ reference, stock_plate: plate, name, category_code: category, contracts, blocks, out, ...until }) => {
      const contract = contracts.find(
        (contract) => contract.id !== reservation.id && contract.status !== "done" && isWithin(contract, from, to),
      );
      const block = blocks.find((block) => isWithin(block, from, to));
      const occupant = contract?.customer_fullname ?? block?.reason;
      const { customerOrBlockKind, lateWith } = findOccupant(
        out?.reservation_id === reservation.id ? null : out,
        occupant,
        {
          now,
          isLeavingNow,
        },
      );
      const { inspection_due: inspectionDue = null, insured_until: insuredUntil = null } = until;
      const ending = listPermitsEndingBefore({ inspectionDue, insuredUntil }, to.slice(0, 10));
      return { reference, plate, name, category, customerOrBlockKind, lateWith, ending };
    })
    .sort((item, other) => rank(item) - rank(other) || item.reference.localeCompare(other.reference));
}

// Returns who has the vehicle: a customer whose return is overdue, or one who keeps it from leaving now.
function findOccupant(
  out: Planning["vehicles"][number]["out"],
  occupant: string | undefined,
  { now, isLeavingNow }: { readonly now: string; readonly isLeavingNow: boolean },
): Pick<AssignableVehicle, "customerOrBlockKind" | "lateWith"> {
  if (occupant !== undefined || !out) return { customerOrBlockKind: occupant, lateWith: undefined };
  const name = out.customer_fullname ?? `${out.reservation_id}`;
  if (`${out.date_to} ${out.time_to}` < now) return { customerOrBlockKind: undefined, lateWith: name };
  return { customerOrBlockKind: isLeavingNow ? name : undefined, lateWith: undefined };
}

const isWithin = (item: { readonly from: string; readonly to: string }, from: string, to: string) =>
  item.from.replace("T", " ") < to && item.to.replace("T", " ") > from;

/** Returns the later of two times or dates in text format. */
export const pickLaterTime = (text: string, other: string): string => (text > other ? text : other);
