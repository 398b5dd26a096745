import { describe, expect, test } from "vitest";
import type { BookingStatus } from "#domain/bookings/bookings.ts";
import { BOOKING_STATUSES } from "#domain/bookings/bookings.ts";
import {
  BOOKING_ACTIONS,
  type BookingAction,
  findActionRefusal,
  findCustomerActionRefusal,
  listAllowedActions,
} from "#domain/contracts/actions.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import { createActionTime, createContract, createContractUnit } from "#support/domain-contracts.ts";

const PICKUP = "2026-06-01 10:00";
const RETURN = "2026-06-04 10:00";
const out = createContractUnit({ deliveredAt: 1 });
const back = createContractUnit({ deliveredAt: 1, collectedAt: 2 });
const waiting = createContractUnit();

const createTransferContract = (changes: Partial<Contract> = {}, driven: readonly number[] = []) =>
  createContract({ kind: "transfer", transfer: { driven } as unknown as Contract["transfer"], ...changes });

const findRule = (contract: Contract, action: BookingAction, now = PICKUP) =>
  findActionRefusal(contract, action, createActionTime(now))?.rule;

const getUnits = (status: BookingStatus) => (status === "in_progress" ? [out] : status === "done" ? [back] : [waiting]);

describe("actions by status", () => {
  const between = "2026-06-02 10:00";

  test.each<{ status: BookingStatus; rental: readonly BookingAction[]; transfer: readonly BookingAction[] }>([
    { status: "pending_confirmation", rental: ["confirm", "change", "cancel"], transfer: ["confirm", "change"] },
    {
      status: "confirmed",
      rental: ["change", "assign", "cancel", "no-show", "deliver"],
      transfer: ["change", "no-show"],
    },
    {
      status: "in_progress",
      rental: ["change", "extend", "early-return", "exchange", "collect"],
      transfer: ["change"],
    },
    { status: "done", rental: ["reopen", "surcharge"], transfer: [] },
    { status: "cancelled", rental: [], transfer: [] },
  ])("allows only the listed actions for a $status contract during its period", ({ status, rental, transfer }) => {
    const time = createActionTime(between);
    expect(listAllowedActions(createContract({ status, units: getUnits(status) }), time)).toEqual(rental);
    expect(listAllowedActions(createTransferContract({ status, units: [] }), time)).toEqual(transfer);
  });

  // Proves "rules.md: the life of a contract": Each action is possible only in its states
  test.each<{ action: BookingAction; rule: string; statuses: readonly BookingStatus[] }>([
    { action: "confirm", rule: "pending_only", statuses: ["pending_confirmation"] },
    { action: "change", rule: "open_only", statuses: ["pending_confirmation", "confirmed", "in_progress"] },
    { action: "extend", rule: "in_progress_only", statuses: ["in_progress"] },
    { action: "early-return", rule: "in_progress_only", statuses: ["in_progress"] },
    { action: "exchange", rule: "in_progress_only", statuses: ["in_progress"] },
    { action: "assign", rule: "confirmed_only", statuses: ["confirmed"] },
    { action: "cancel", rule: "not_started_only", statuses: ["pending_confirmation", "confirmed"] },
    { action: "no-show", rule: "confirmed_only", statuses: ["confirmed"] },
    { action: "deliver", rule: "confirmed_only", statuses: ["confirmed", "in_progress"] },
    { action: "collect", rule: "in_progress_only", statuses: ["in_progress"] },
    { action: "reopen", rule: "closed_only", statuses: ["done"] },
    { action: "surcharge", rule: "closed_only", statuses: ["done"] },
  ])("refuses $action in any other state with $rule and the state", ({ action, rule, statuses }) => {
    for (const status of BOOKING_STATUSES) {
      const units = action === "deliver" ? [waiting] : getUnits(status);
      const refusal = findActionRefusal(createContract({ status, units }), action, createActionTime(between));
      const expected = { kind: "actionNotAllowed", action, rule, status, own: undefined };
      expect(refusal).toEqual(statuses.includes(status) ? undefined : expected);
    }
  });

  test("refuses vehicle actions, such as deliver or extend, for transfers in every status", () => {
    const rentalActions = ["extend", "early-return", "exchange", "assign", "deliver", "collect", "reopen", "surcharge"];
    for (const action of BOOKING_ACTIONS) {
      const rules = new Set(
        BOOKING_STATUSES.map((status) => findRule(createTransferContract({ status, units: [out] }), action)),
      );
      expect([action, rules.size === 1 && rules.has("rentals_only")]).toEqual([action, rentalActions.includes(action)]);
    }
  });
});

describe("actions by time", () => {
  const confirmed = createContract();
  const running = createContract({ status: "in_progress", units: [out] });

  test.each([
    {
      name: "a rental's cancellation after its pickup",
      contract: confirmed,
      action: "cancel",
      now: RETURN,
      rule: undefined,
    },
    {
      name: "a transfer's cancellation a minute before",
      contract: createTransferContract(),
      action: "cancel",
      now: "2026-06-01 09:59",
      rule: undefined,
    },
    {
      name: "a transfer's cancellation at its departure",
      contract: createTransferContract(),
      action: "cancel",
      now: PICKUP,
      rule: "transfer_started",
    },
    {
      name: "a no-show before pickup",
      contract: confirmed,
      action: "no-show",
      now: "2026-06-01 09:59",
      rule: "pickup_time_ahead",
    },
    { name: "a no-show at pickup", contract: confirmed, action: "no-show", now: PICKUP, rule: "pickup_time_ahead" },
    {
      name: "a no-show a minute later",
      contract: confirmed,
      action: "no-show",
      now: "2026-06-01 10:01",
      rule: undefined,
    },
    {
      name: "a transfer's no-show later",
      contract: createTransferContract(),
      action: "no-show",
      now: "2026-06-01 10:01",
      rule: undefined,
    },
    {
      name: "a no-show of a customer who came",
      contract: createTransferContract({}, [1]),
      action: "no-show",
      now: "2026-06-01 10:01",
      rule: "passenger_reported",
    },
    {
      name: "an early return a minute before the return",
      contract: running,
      action: "early-return",
      now: "2026-06-04 09:59",
      rule: undefined,
    },
    {
      name: "an early return at the return",
      contract: running,
      action: "early-return",
      now: RETURN,
      rule: "return_time_passed",
    },
    { name: "an extension after the return", contract: running, action: "extend", now: "2026-06-05", rule: undefined },
  ] as const)("returns the time rule that $name breaks: $rule", ({ contract, action, now, rule }) => {
    expect(findRule(contract, action, now)).toBe(rule);
  });

  test("refuses the cancellation of a transfer from its pickup time, with that reason for customers", () => {
    expect(findActionRefusal(createTransferContract(), "cancel", createActionTime(PICKUP))).toMatchObject({
      own: "pickupPassed",
    });
  });
});

describe("actions by state of the vehicles", () => {
  const reopened = createContractUnit({ deliveredAt: 1, collectedAt: 2, reopened: true });

  test.each([
    {
      units: "none out",
      list: [back],
      extend: "vehicles_returned",
      collect: "vehicles_returned",
      deliver: "vehicles_delivered",
    },
    { units: "one out", list: [out], extend: undefined, collect: undefined, deliver: "vehicles_delivered" },
    {
      units: "one out, one back",
      list: [back, out],
      extend: undefined,
      collect: undefined,
      deliver: "vehicles_delivered",
    },
    {
      units: "one back, one not delivered",
      list: [back, waiting],
      extend: "vehicles_returned",
      collect: "vehicles_returned",
      deliver: undefined,
    },
    {
      units: "one to correct after reopening",
      list: [reopened],
      extend: "vehicles_returned",
      collect: undefined,
      deliver: "vehicles_delivered",
    },
  ])("returns the rule that forbids each action on a rental with $units", ({ list, extend, collect, deliver }) => {
    const contract = createContract({ status: "in_progress", units: list });
    expect({
      extend: findRule(contract, "extend"),
      early: findRule(contract, "early-return"),
      exchange: findRule(contract, "exchange"),
      collect: findRule(contract, "collect"),
      deliver: findRule(contract, "deliver"),
    }).toEqual({ extend, early: extend, exchange: extend, collect, deliver });
  });
});

describe("a customer's actions", () => {
  const findOwn = (contract: Contract, action: BookingAction, now: string) => {
    const refusal = findCustomerActionRefusal(contract, action, createActionTime(now));
    return refusal && [refusal.rule, refusal.own];
  };
  const held = createContract({ status: "pending_confirmation", expiresAt: createActionTime("2026-05-01 12:00").at });
  const running = createContract({ status: "in_progress", units: [out] });

  // Proves "rules.md: the life of a contract": Customers change until the pickup time and the end of the hold
  test.each([
    { name: "at the pickup time", contract: createContract(), action: "change", now: PICKUP, rule: undefined },
    {
      name: "a minute later",
      contract: createContract(),
      action: "change",
      now: "2026-06-01 10:01",
      rule: "pickup_time_passed",
      own: "pickupPassed",
    },
    { name: "at the pickup time", contract: createContract(), action: "cancel", now: PICKUP, rule: undefined },
    {
      name: "a minute later",
      contract: createContract(),
      action: "cancel",
      now: "2026-06-01 10:01",
      rule: "pickup_time_passed",
      own: "pickupPassed",
    },
    { name: "while it's in progress", contract: running, action: "change", now: RETURN, rule: undefined },
    {
      name: "of a transfer by its own rules",
      contract: createTransferContract(),
      action: "change",
      now: RETURN,
      rule: undefined,
    },
    {
      name: "a minute before its hold ends",
      contract: held,
      action: "change",
      now: "2026-05-01 11:59",
      rule: undefined,
    },
    {
      name: "as its hold ends",
      contract: held,
      action: "change",
      now: "2026-05-01 12:00",
      rule: "hold_expired",
      own: "holdOver",
    },
    { name: "although its hold ended", contract: held, action: "cancel", now: "2026-05-01 12:00", rule: undefined },
    {
      name: "of a closed contract",
      contract: createContract({ status: "done" }),
      action: "cancel",
      now: PICKUP,
      rule: "not_started_only",
      own: undefined,
    },
  ] as const)(
    "returns the rule that forbids the customer's action $action $name: $rule",
    ({ contract, action, now, ...expected }) => {
      expect(findOwn(contract, action, now)).toEqual(
        expected.rule && [expected.rule, "own" in expected ? expected.own : undefined],
      );
    },
  );

  test("allows customers no action that staff don't have", () => {
    const contracts = BOOKING_STATUSES.flatMap((status) => [
      createContract({ status, units: getUnits(status) }),
      createTransferContract({ status }),
    ]);
    const ownActions = ["2026-05-01", PICKUP, "2026-06-02", "2026-06-09"].flatMap((now) =>
      contracts.flatMap((contract) => {
        const own = BOOKING_ACTIONS.filter(
          (action) => !findCustomerActionRefusal(contract, action, createActionTime(now)),
        );
        expect(listAllowedActions(contract, createActionTime(now))).toEqual(expect.arrayContaining(own));
        return own;
      }),
    );
    expect(ownActions).toEqual(expect.arrayContaining(["cancel", "change"]));
  });
});
