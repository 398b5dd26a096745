import { type BookingStatus, isHoldExpired } from "#domain/bookings/bookings.ts";
import { toCivilMinute } from "#domain/dates.ts";
import type { Contract, MoveTime } from "./contract.ts";

/** The moves of a contract's life (docs/interfaces/rules.md#moves), by their names in the office's interface. */
export const BOOKING_ACTIONS = [
  "confirm",
  "change",
  "extend",
  "early-return",
  "exchange",
  "assign",
  "cancel",
  "no-show",
  "deliver",
  "collect",
  "reopen",
  "surcharge",
] as const;
export type BookingAction = (typeof BOOKING_ACTIONS)[number];

/** Why a move is not for a contract now: the rule that is broken, in words, and the state it is in. */
export interface MoveRefusal {
  readonly kind: "moveNotAllowed";
  readonly move: BookingAction;
  readonly rule: string;
  readonly status: BookingStatus;
  /** Where it is the time, and not the state, that a customer is told of. */
  readonly own?: OwnRule | undefined;
}

/** What only time has taken from a customer. */
export type OwnRule = "pickupPassed" | "holdOver";

type Rule = readonly [rule: string, isKept: (contract: Contract, time: MoveTime) => boolean, own?: OwnRule];

const hasStatusIn =
  (...statuses: readonly BookingStatus[]) =>
  ({ status }: Contract) =>
    statuses.includes(status);

const pickupAt = ({ period }: Contract) => toCivilMinute(period.dateFrom, period.timeFrom);
const isRental = ({ kind }: Contract) => kind === "rental";
const isOut = ({ units }: Contract) => units.some((unit) => isUnitOut(unit));

function isUnitOut({ deliveredAt, collectedAt }: Contract["units"][number]): boolean {
  return deliveredAt !== undefined && collectedAt === undefined;
}

const RENTALS: Rule = ["only rentals have vehicles to hand over", isRental];

const RULES: Readonly<Record<BookingAction, readonly Rule[]>> = {
  confirm: [["only what is pending can be confirmed", hasStatusIn("pending_confirmation")]],
  change: [
    [
      "only what is pending, confirmed or in progress can be changed",
      hasStatusIn("pending_confirmation", "confirmed", "in_progress"),
    ],
  ],
  extend: [
    RENTALS,
    ["only a contract in progress can be extended", hasStatusIn("in_progress")],
    ["its vehicles are back", isOut],
  ],
  "early-return": [
    RENTALS,
    ["only a contract in progress can end early", hasStatusIn("in_progress")],
    ["its vehicles are back", isOut],
    ["it is not early any more", ({ period }, { civil }) => civil < toCivilMinute(period.dateTo, period.timeTo)],
  ],
  exchange: [
    RENTALS,
    ["only a contract in progress has a vehicle to exchange", hasStatusIn("in_progress")],
    ["its vehicles are back", isOut],
  ],
  assign: [RENTALS, ["vehicles are assigned to confirmed contracts", hasStatusIn("confirmed")]],
  cancel: [
    ["only what is pending or confirmed can be cancelled", hasStatusIn("pending_confirmation", "confirmed")],
    [
      "a transfer is cancelled before it begins",
      (contract, { civil }) => isRental(contract) || civil < pickupAt(contract),
      "pickupPassed",
    ],
  ],
  "no-show": [
    ["only a confirmed contract can be a no-show", hasStatusIn("confirmed")],
    ["its pickup time has not passed", (contract, { civil }) => civil > pickupAt(contract)],
    ["who drove has said that they came", ({ transfer }) => !transfer || transfer.driven.length === 0],
  ],
  deliver: [
    RENTALS,
    ["only a confirmed contract is handed over", hasStatusIn("confirmed", "in_progress")],
    ["all its vehicles are handed over", ({ units }) => units.some(({ deliveredAt }) => deliveredAt === undefined)],
  ],
  collect: [
    RENTALS,
    ["only a contract in progress is taken back", hasStatusIn("in_progress")],
    ["its vehicles are back", ({ units }) => units.some((unit) => isUnitOut(unit) || unit.reopened)],
  ],
  reopen: [RENTALS, ["only a closed contract can be reopened", hasStatusIn("done")]],
  surcharge: [
    ["a transfer has nothing that is found afterwards", isRental],
    ["only a closed contract is charged for what is found afterwards", hasStatusIn("done")],
  ],
};

/** Why a contract cannot make a move now; undefined where it can. */
export function findMoveRefusal(contract: Contract, move: BookingAction, time: MoveTime): MoveRefusal | undefined {
  return refuseBy(RULES[move], contract, move, time);
}

function refuseBy(
  rules: readonly Rule[],
  contract: Contract,
  move: BookingAction,
  time: MoveTime,
): MoveRefusal | undefined {
  const broken = rules.find(([, isKept]) => !isKept(contract, time));
  return broken && { kind: "moveNotAllowed", move, rule: broken[0], status: contract.status, own: broken[2] };
}

/** Customers leave a rental alone once they should have come for it: that is for the company's own people. */
const OWN_RULE: Rule = [
  "its pickup time has passed",
  (contract, { civil }) => !isRental(contract) || contract.status === "in_progress" || civil <= pickupAt(contract),
  "pickupPassed",
];

/** What nobody holds any more is the next visitor's, whether the clock has struck or not: it is changed by nobody. */
const HOLD_RULE: Rule = ["its hold is over", (contract, { at }) => !isHoldExpired(contract, at), "holdOver"];

/** The same for a customer's own booking. */
export function findOwnMoveRefusal(contract: Contract, move: BookingAction, time: MoveTime): MoveRefusal | undefined {
  const own = move === "cancel" ? [OWN_RULE] : [OWN_RULE, HOLD_RULE];
  return refuseBy([...RULES[move], ...own], contract, move, time);
}

/** The moves that a contract can make now. */
export function listAllowedMoves(contract: Contract, time: MoveTime): readonly BookingAction[] {
  return BOOKING_ACTIONS.filter((move) => findMoveRefusal(contract, move, time) === undefined);
}
