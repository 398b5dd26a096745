import { describe, expect, test } from "vitest";
import {
  canDiscountOrWaive,
  canRefund,
  findUngrantableRight,
  hasRight,
  listHeldPersonalRights,
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
    ["operator", ["reports"]],
    ["agent", ["refunds", "reports"]],
    ["manager", ["discounts", "refunds", "prices", "reports"]],
    ["administrator", ["discounts", "refunds", "prices", "reports", "exports"]],
  ] as const)("grants the personal permissions of the role %s by default", (role, rights) => {
    expect(listHeldPersonalRights(person(role))).toEqual(rights);
  });

  test("grants and withdraws personal permissions in each role, with priority for withdrawal", () => {
    for (const role of STAFF_ROLES)
      for (const right of PERSONAL_RIGHTS) {
        expect(hasRight(person(role, [right]), right)).toBe(true);
        expect(hasRight(person(role, [], [right]), right)).toBe(false);
        expect(hasRight(person(role, [right], [right]), right)).toBe(false);
      }
  });

  test("ignores personal permissions that only a role can grant, and allows customers none", () => {
    expect(hasRight(person("agent", ["manage", "administer"]), "administer")).toBe(false);
    expect(hasRight(person("manager", [], ["manage", "see"]), "manage")).toBe(true);
    expect(hasRight(person("customer", [...PERSONAL_RIGHTS]), "prices")).toBe(false);
  });

  test("lifts an agent's discount limit by a personal permission, and limits a manager whose permission is withdrawn", () => {
    expect(canDiscountOrWaive(person("agent"), 10_001, 10_000)).toBe(false);
    expect(canDiscountOrWaive(person("agent", ["discounts"]), 10_001, 10_000)).toBe(true);
    expect(canDiscountOrWaive(person("manager", [], ["discounts"]), 10_001, 10_000)).toBe(false);
    expect(canDiscountOrWaive(person("manager", [], ["discounts"]), 10_000, 10_000)).toBe(true);
  });

  test("allows refunds by personal permission up to the limit, and any refund for managers", () => {
    expect(canRefund(person("operator"), 1, 10_000)).toBe(false);
    expect(canRefund(person("operator", ["refunds"]), 10_000, 10_000)).toBe(true);
    expect(canRefund(person("operator", ["refunds"]), 10_001, 10_000)).toBe(false);
    expect(canRefund(person("manager"), 10_001, 10_000)).toBe(true);
    expect(canRefund(person("manager", [], ["refunds"]), 1, 10_000)).toBe(false);
  });

  test("prevents users from granting permissions that they lack, directly or by a role", () => {
    const granter = person("administrator", [], ["refunds"]);
    expect(findUngrantableRight(person("operator", ["refunds"]), granter)).toBe("refunds");
    expect(findUngrantableRight(person("manager"), granter)).toBe("refunds");
    expect(findUngrantableRight(person("manager", [], ["refunds"]), granter)).toBeUndefined();
  });
});
