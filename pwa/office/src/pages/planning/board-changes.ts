import { addDays, type CivilDate, MILLISECONDS_PER_DAY } from "#domain/dates.ts";
import type { ActionQuoteRequest } from "#worker/api/office/hand-over-messages.ts";
import type {
  EarlyReturnRequest,
  ExtendRequest,
  ReservationChangeRequest,
  VehicleAssignmentRequest,
} from "#worker/api/office/request-messages.ts";
import type { VehicleBlockChangeRequest } from "#worker/api/office/vehicle-messages.ts";
import { account, getCompanyDateTime } from "../../account.ts";
import { type BoardBar, type BoardRow, toBoardDate } from "./board.ts";
import { listDisplacedContracts } from "./displaced-contracts.ts";
import type { PlannedBlock, PlannedContract, PlannedVehicle } from "./planning.ts";

/** A change requested by dragging or keyboard. */
export type BoardChange =
  | {
      readonly kind: "assign";
      readonly contract: PlannedContract;
      readonly from: string | null;
      readonly to: string | null;
    }
  | { readonly kind: "exchange"; readonly contract: PlannedContract; readonly to: string }
  | {
      readonly kind: "dates";
      readonly contract: PlannedContract;
      /** `change` before the hand-over, afterwards an extension or early return. */
      readonly action: "change" | "extend" | "early-return";
      readonly date_from: string;
      readonly date_to: string;
      /** Vehicle of the row. Empty if unassigned. */
      readonly reference: string;
      readonly displaced: readonly PlannedContract[];
      readonly restored: readonly PlannedContract[];
    }
  | {
      readonly kind: "block";
      readonly block: PlannedBlock;
      readonly days: number;
      readonly endDays: number;
      /** Contracts that lose the vehicle. */
      readonly displaced: readonly PlannedContract[];
      /** Contracts that get the vehicle back, when a block is undone. */
      readonly restored: readonly PlannedContract[];
    }
  /** Undoes a block created on the board. */
  | { readonly kind: "unblock"; readonly block: PlannedBlock; readonly restored: readonly PlannedContract[] }
  | {
      readonly kind: "stretch";
      readonly vehicle: PlannedVehicle;
      readonly date_from: CivilDate;
      /** Last day of the period. */
      readonly date_to: CivilDate;
    }
  | { readonly kind: "refused"; readonly why: BoardChangeRefusal };

export type BoardChangeRefusal =
  | "over"
  | "outStays"
  | "pendingStays"
  | "otherCategory"
  | "otherGroup"
  | "occupied"
  | "oneOnly"
  | "pickupGone";

/** How a bar was dragged: as a whole or at its end, the number of days and the target row. */
export interface BarDrag {
  readonly grip: "bar" | "end";
  readonly days: number;
  readonly target: BoardRow | undefined;
}

/** Converts a drag to a board change. Undefined if it changes nothing. */
export function toBoardChange(bar: BoardBar, row: BoardRow, { grip, days, target }: BarDrag): BoardChange | undefined {
  const isMoved = target !== undefined && grip === "bar" && getVehicleReference(target) !== getVehicleReference(row);
  if (bar.block) return toBlockChange(bar.block, row, { grip, days, isMoved: isMoved });
  if (!bar.contract) return undefined;
  if (bar.isExchanged) return isMoved || days !== 0 ? { kind: "refused", why: "over" } : undefined;
  if (isMoved) return toAssignmentChange(bar.contract, bar, row, target);
  return days === 0 ? undefined : toDateChange(bar.contract, bar, row, { grip, days });
}

// Returns the vehicle of a row, or an empty text if unassigned.
const getVehicleReference = (row: BoardRow) => (row.kind === "vehicle" ? row.vehicle.reference : "");

function toBlockChange(
  block: PlannedBlock,
  row: BoardRow,
  { grip, days, isMoved }: { readonly grip: "bar" | "end"; readonly days: number; readonly isMoved: boolean },
): BoardChange | undefined {
  if (isMoved) return { kind: "refused", why: "oneOnly" };
  if (days === 0) return undefined;
  const startDays = grip === "bar" ? days : 0;
  const contracts = row.kind === "vehicle" ? row.vehicle.contracts : [];
  const displaced = listDisplacedContracts(contracts, shifted(block.from, startDays), shifted(block.to, days));
  return { kind: "block", block, days: startDays, endDays: days, displaced, restored: [] };
}

function toAssignmentChange(
  contract: PlannedContract,
  bar: BoardBar,
  row: BoardRow,
  target: BoardRow,
): BoardChange | undefined {
  if (target.kind === "category") return undefined;
  const to = target.kind === "vehicle" ? target.vehicle.reference : null;
  const refusal = findRefusal(contract, bar, row, target);
  if (refusal) return { kind: "refused", why: refusal };
  if (contract.status === "in_progress" && to !== null) return { kind: "exchange", contract, to };
  return { kind: "assign", contract, from: row.kind === "vehicle" ? row.vehicle.reference : null, to };
}

function findRefusal(
  contract: PlannedContract,
  bar: BoardBar,
  row: BoardRow,
  target: Exclude<BoardRow, { readonly kind: "category" }>,
): BoardChangeRefusal | undefined {
  const { status } = contract;
  if (status === "done" || status === "cancelled") return "over";
  if (status === "pending_confirmation") return "pendingStays";
  if (target.kind !== "vehicle") return status === "in_progress" ? "outStays" : undefined;
  // An exchange asks for both vehicles' readings and may change the category.
  if (status !== "in_progress" && target.category !== row.category) return "otherCategory";
  if (isInOtherGroup(contract, target.vehicle)) return "otherGroup";
  return (status === "in_progress" ? isUnavailableNow(target.vehicle) : isOccupied(target, bar))
    ? "occupied"
    : undefined;
}

// Branches of the same group share their vehicles. The group of a branch that the user doesn't see is unknown.
function isInOtherGroup(contract: PlannedContract, vehicle: PlannedVehicle): boolean {
  const findGroup = (branch: string) =>
    account.value.rental_locations.find(({ code }) => code === branch)?.rental_storage_id;
  const [needed, actual] = [findGroup(contract.rental_location_code), findGroup(vehicle.rental_location_code)];
  return needed !== undefined && actual !== undefined && needed !== actual;
}

// Bars of overdue contracts end now, so they are compared as they are drawn. Contracts that lose the vehicle don't
// occupy it.
function isOccupied(row: BoardRow, { key, start, end }: BoardBar, displaced: readonly PlannedContract[] = []): boolean {
  const isFree = ({ contract }: BoardBar) =>
    contract?.status === "cancelled" || displaced.some(({ unit_id: unit }) => unit === contract?.unit_id);
  return (
    row.kind === "vehicle" &&
    row.bars.some((bar) => bar.key !== key && !isFree(bar) && bar.start < end && bar.end > start)
  );
}

// An exchange delivers the vehicle at once.
function isUnavailableNow({ out, blocks }: PlannedVehicle): boolean {
  const { date, time } = getCompanyDateTime();
  const now = `${date}T${time}`;
  return out !== null || blocks.some(({ from, to }) => from <= now && now < to);
}

function toDateChange(
  contract: PlannedContract,
  bar: BoardBar,
  row: BoardRow,
  { grip, days }: Pick<BarDrag, "grip" | "days">,
): BoardChange {
  const { status } = contract;
  if (status === "done" || status === "cancelled") return { kind: "refused", why: "over" };
  const isOut = status === "in_progress";
  if (isOut && grip === "bar") return { kind: "refused", why: "pickupGone" };
  const action = isOut ? (days > 0 ? "extend" : "early-return") : "change";
  const startDays = grip === "bar" ? days : 0;
  // An overdue bar is drawn until now, but its agreed end moves.
  const end = bar.start + countDaysBetween(contract.from, contract.to) + days;
  const displaced = action === "extend" ? listDisplacedByExtension(contract, row, days) : [];
  if (isOccupied(row, { ...bar, start: bar.start + startDays, end }, displaced))
    return { kind: "refused", why: "occupied" };
  return {
    ...{ kind: "dates", contract, action, reference: getVehicleReference(row), displaced, restored: [] },
    date_from: addDays(contract.date_from as CivilDate, startDays),
    date_to: addDays(contract.date_to as CivilDate, days),
  };
}

const listDisplacedByExtension = ({ from, to }: PlannedContract, row: BoardRow, days: number) =>
  row.kind === "vehicle" ? listDisplacedContracts(row.vehicle.contracts, from, shifted(to, days)) : [];

/** Converts a selected free period of a vehicle to a board change. */
export function toFreePeriodChange(
  row: BoardRow,
  boardStart: CivilDate,
  anchorDay: number,
  pointerDay: number,
): BoardChange | undefined {
  if (row.kind !== "vehicle") return undefined;
  const [first, last] = [Math.floor(Math.min(anchorDay, pointerDay)), Math.floor(Math.max(anchorDay, pointerDay))];
  const isOccupied = row.bars.some(
    (bar) => bar.start < last + 1 && bar.end > first && bar.start >= first && bar.end <= last + 1,
  );
  if (isOccupied) return undefined;
  return {
    kind: "stretch",
    vehicle: row.vehicle,
    date_from: toBoardDate(boardStart, first),
    date_to: toBoardDate(boardStart, last),
  };
}

/** Request that applies or undoes a change. */
export interface BoardChangeRequest {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: BoardChangeBody;
}

/** Body of the request that applies a change. */
export type BoardChangeBody =
  | VehicleAssignmentRequest
  | ReservationChangeRequest
  | ExtendRequest
  | EarlyReturnRequest
  | VehicleBlockChangeRequest;

/** Creates the request of a change, with the reservation version that the user saw. */
export function toChangeRequest(change: BoardChange): BoardChangeRequest | undefined {
  switch (change.kind) {
    case "assign": {
      const { id, version: expected_version, unit_id } = change.contract;
      const body: VehicleAssignmentRequest = { expected_version, unit_id, reference: change.to };
      return { method: "POST", path: `/reservations/${id}/assign`, body };
    }
    case "dates":
      return datesRequest(change.contract, change.action, change.date_from, change.date_to, change.contract.version);
    case "block": {
      const { id, version: expected_version } = change.block;
      const body: VehicleBlockChangeRequest = { expected_version, ...getBlockTimesAfterChange(change) };
      return { method: "PATCH", path: `/blocks/${id}`, body };
    }
    case "unblock":
      return { method: "DELETE", path: `/blocks/${change.block.id}` };
    default:
      return undefined;
  }
}

/** Returns the times of a block after a change. */
export function getBlockTimesAfterChange({ block, days, endDays }: Extract<BoardChange, { readonly kind: "block" }>) {
  return { from: shifted(block.from, days), to: shifted(block.to, endDays) };
}

function datesRequest(
  contract: PlannedContract,
  action: "change" | "extend" | "early-return",
  date_from: string,
  date_to: string,
  expected_version: number,
): BoardChangeRequest {
  const path = `/reservations/${contract.id}`;
  const change: ReservationChangeRequest = { expected_version, date_from, date_to };
  if (action === "change") return { method: "PATCH", path, body: change };
  const newReturn: ExtendRequest & EarlyReturnRequest = { expected_version, date_to, time_to: contract.time_to };
  return { method: "POST", path: `${path}/${action}`, body: newReturn };
}

/** Creates the change that undoes another. `version` is the one after applying it. */
export function toUndoChange(
  change: BoardChange,
  version: number,
): Exclude<BoardChange, { kind: "stretch" }> | undefined {
  switch (change.kind) {
    case "assign": {
      const contract = { ...change.contract, version };
      return { kind: "assign", contract, from: change.to, to: change.from };
    }
    case "dates": {
      const { date_from, date_to } = change.contract;
      const contract = { ...change.contract, version, date_from: change.date_from, date_to: change.date_to };
      const action =
        change.action === "extend" ? "early-return" : change.action === "early-return" ? "extend" : "change";
      const { reference, displaced } = change;
      return { kind: "dates", contract, action, date_from, date_to, reference, displaced: [], restored: displaced };
    }
    case "block": {
      const { days, endDays, displaced } = change;
      const block = {
        ...change.block,
        version,
        from: shifted(change.block.from, days),
        to: shifted(change.block.to, endDays),
      };
      return { kind: "block", block, days: -days, endDays: -endDays, displaced: [], restored: displaced };
    }
    default:
      return undefined;
  }
}

const countDaysBetween = (from: string, to: string) =>
  (Date.parse(`${to}Z`) - Date.parse(`${from}Z`)) / MILLISECONDS_PER_DAY;

const shifted = (moment: string, days: number) =>
  `${addDays(moment.slice(0, 10) as CivilDate, days)}${moment.slice(10, 16)}`;

/** Creates the quote request of a change. Undefined if it doesn't affect the price. */
export function toBoardQuoteBody(change: BoardChange): ActionQuoteRequest | undefined {
  if (change.kind !== "dates") return undefined;
  const { action, contract, date_from, date_to } = change;
  return action === "change"
    ? { move: action, date_from, date_to }
    : { move: action, date_to, time_to: contract.time_to };
}
