import { describe, expect, test } from "vitest";
import {
  findRightNotHeld,
  hasRight,
  listPersonalRights,
  mayGiveAway,
  mayRefund,
  PERSONAL_RIGHTS,
  type RightHolder,
} from "#domain/access/rights.ts";
import { STAFF_ROLES } from "#domain/access/sessions.ts";

const person = (role: RightHolder["role"], granted: readonly string[] = [], withdrawn: readonly string[] = []) => ({
  role,
  grantedRights: granted,
  withdrawnRights: withdrawn,
});

describe("personal rights", () => {
  test.each([
    ["operator", ["reports", "exports"]],
    ["agent", ["refunds", "reports", "exports"]],
    ["manager", ["discounts", "refunds", "prices", "reports", "exports"]],
    ["administrator", ["discounts", "refunds", "prices", "reports", "exports"]],
  ] as const)("follow the role of an %s by default", (role, rights) => {
    expect(listPersonalRights(person(role))).toEqual(rights);
  });

  test("are granted and withdrawn for each role, and withdrawing has priority", () => {
    for (const role of STAFF_ROLES)
      for (const right of PERSONAL_RIGHTS) {
        expect(hasRight(person(role, [right]), right)).toBe(true);
        expect(hasRight(person(role, [], [right]), right)).toBe(false);
        expect(hasRight(person(role, [right], [right]), right)).toBe(false);
      }
  });

  test("never change the rights of the role itself, and customers have none", () => {
    expect(hasRight(person("agent", ["manage", "administer"]), "administer")).toBe(false);
    expect(hasRight(person("manager", [], ["manage", "see"]), "manage")).toBe(true);
    expect(hasRight(person("customer", [...PERSONAL_RIGHTS]), "prices")).toBe(false);
  });

  test("lift the limit of discounts, and limit a manager without them", () => {
    expect(mayGiveAway(person("agent"), 10_001, 10_000)).toBe(false);
    expect(mayGiveAway(person("agent", ["discounts"]), 10_001, 10_000)).toBe(true);
    expect(mayGiveAway(person("manager", [], ["discounts"]), 10_001, 10_000)).toBe(false);
    expect(mayGiveAway(person("manager", [], ["discounts"]), 10_000, 10_000)).toBe(true);
  });

  test("allow refunds up to the limit, and any for managers", () => {
    expect(mayRefund(person("operator"), 1, 10_000)).toBe(false);
    expect(mayRefund(person("operator", ["refunds"]), 10_000, 10_000)).toBe(true);
    expect(mayRefund(person("operator", ["refunds"]), 10_001, 10_000)).toBe(false);
    expect(mayRefund(person("manager"), 10_001, 10_000)).toBe(true);
    expect(mayRefund(person("manager", [], ["refunds"]), 1, 10_000)).toBe(false);
  });

  test("can't be given by a person who lacks them, neither directly nor by a role", () => {
    const granter = person("administrator", [], ["refunds"]);
    expect(findRightNotHeld(person("operator", ["refunds"]), granter)).toBe("refunds");
    expect(findRightNotHeld(person("manager"), granter)).toBe("refunds");
    expect(findRightNotHeld(person("manager", [], ["refunds"]), granter)).toBeUndefined();
  });
});
