import { type BookingStatus, isHoldExpired } from "#domain/bookings/bookings.ts";
import { toCivilMinute } from "#domain/dates.ts";
import type { ActionTime, Contract } from "./contract.ts";

/** Actions in a contract's life cycle (docs/interfaces/rules.md#actions), named as in the office's API. */
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

/** Reason why an action isn't possible for a contract: text of the broken rule, and the contract's state. */
export interface ActionRefusal {
  readonly kind: "actionNotAllowed";
  readonly action: BookingAction;
  readonly rule: ActionRule;
  readonly status: BookingStatus;
  /** Set if customers should be shown the time limit instead of the state. */
  readonly own?: CustomerTimeLimit | undefined;
}

/** Time limits for customers' own changes. */
export type CustomerTimeLimit = "pickupPassed" | "holdOver";

/** Rules of actions by code, with the English message for developers and logs. */
export const ACTION_RULES = {
  rentals_only: "only rentals have vehicles to hand over",
  pending_only: "only a pending reservation can be confirmed",
  open_only: "only a pending, confirmed or active reservation can be changed",
  in_progress_only: "the contract isn't in progress",
  confirmed_only: "the reservation isn't confirmed",
  not_started_only: "only a pending or confirmed reservation can be cancelled",
  closed_only: "the contract isn't closed",
  vehicles_returned: "its vehicles are back",
  vehicle_not_out: "the vehicle isn't on rent",
  vehicles_delivered: "all its vehicles are delivered",
  return_time_passed: "the agreed return time has passed",
  pickup_time_ahead: "its pickup time has not passed",
  transfer_started: "the transfer has started",
  pickup_time_passed: "its pickup time has passed",
  hold_expired: "its hold has expired",
  passenger_reported: "the driver reported that the customer came",
  tax_recovered: "the tax of its invoice was recovered, so the invoice can't be credited",
} as const;
/** Name of a rule that decides when an action is possible. */
export type ActionRule = keyof typeof ACTION_RULES;

type Rule = readonly [
  rule: ActionRule,
  isKept: (contract: Contract, time: ActionTime) => boolean,
  own?: CustomerTimeLimit,
];

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

const RENTALS: Rule = ["rentals_only", isRental];
const NO_RECOVERED_TAX: Rule = ["tax_recovered", ({ isTaxRecovered }) => !isTaxRecovered];

const RULES: Readonly<Record<BookingAction, readonly Rule[]>> = {
  confirm: [["pending_only", hasStatusIn("pending_confirmation")]],
  change: [["open_only", hasStatusIn("pending_confirmation", "confirmed", "in_progress")]],
  extend: [RENTALS, ["in_progress_only", hasStatusIn("in_progress")], ["vehicles_returned", isOut]],
  "early-return": [
    RENTALS,
    ["in_progress_only", hasStatusIn("in_progress")],
    ["vehicles_returned", isOut],
    ["return_time_passed", ({ period }, { civil }) => civil < toCivilMinute(period.dateTo, period.timeTo)],
  ],
  exchange: [RENTALS, ["in_progress_only", hasStatusIn("in_progress")], ["vehicles_returned", isOut]],
  assign: [RENTALS, ["confirmed_only", hasStatusIn("confirmed")]],
  cancel: [
    ["not_started_only", hasStatusIn("pending_confirmation", "confirmed")],
    ["transfer_started", (contract, { civil }) => isRental(contract) || civil < pickupAt(contract), "pickupPassed"],
    NO_RECOVERED_TAX,
  ],
  "no-show": [
    ["confirmed_only", hasStatusIn("confirmed")],
    ["pickup_time_ahead", (contract, { civil }) => civil > pickupAt(contract)],
    ["passenger_reported", ({ transfer }) => !transfer || transfer.driven.length === 0],
    NO_RECOVERED_TAX,
  ],
  deliver: [
    RENTALS,
    ["confirmed_only", hasStatusIn("confirmed", "in_progress")],
    ["vehicles_delivered", ({ units }) => units.some(({ deliveredAt }) => deliveredAt === undefined)],
  ],
  collect: [
    RENTALS,
    ["in_progress_only", hasStatusIn("in_progress")],
    ["vehicles_returned", ({ units }) => units.some((unit) => isUnitOut(unit) || unit.reopened)],
  ],
  reopen: [RENTALS, ["closed_only", hasStatusIn("done")], NO_RECOVERED_TAX],
  surcharge: [
    ["rentals_only", isRental],
    ["closed_only", hasStatusIn("done")],
  ],
};

/** Returns why a contract doesn't allow an action now. Undefined if it does. */
export function findActionRefusal(
  contract: Contract,
  action: BookingAction,
  time: ActionTime,
): ActionRefusal | undefined {
  return refuseBy(RULES[action], contract, action, time);
}

function refuseBy(
  rules: readonly Rule[],
  contract: Contract,
  action: BookingAction,
  time: ActionTime,
): ActionRefusal | undefined {
  const broken = rules.find(([, isKept]) => !isKept(contract, time));
  return broken && { kind: "actionNotAllowed", action, rule: broken[0], status: contract.status, own: broken[2] };
}

/** Customers can't change a rental after its pickup time. Only staff can. */
const OWN_RULE: Rule = [
  "pickup_time_passed",
  (contract, { civil }) => !isRental(contract) || contract.status === "in_progress" || civil <= pickupAt(contract),
  "pickupPassed",
];

/** Units of an expired hold are free for other visitors, even before the cron job runs. The booking can't change. */
const HOLD_RULE: Rule = ["hold_expired", (contract, { at }) => !isHoldExpired(contract, at), "holdOver"];

/** Returns why a customer can't perform an action on their own booking now. */
export function findCustomerActionRefusal(
  contract: Contract,
  action: BookingAction,
  time: ActionTime,
): ActionRefusal | undefined {
  const own = action === "cancel" ? [OWN_RULE] : [OWN_RULE, HOLD_RULE];
  return refuseBy([...RULES[action], ...own], contract, action, time);
}

/** Lists the actions that a contract allows now. */
export function listAllowedActions(contract: Contract, time: ActionTime): readonly BookingAction[] {
  return BOOKING_ACTIONS.filter((action) => findActionRefusal(contract, action, time) === undefined);
}
