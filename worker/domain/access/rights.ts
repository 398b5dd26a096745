import type { Role } from "./sessions.ts";

/** Rights that an administrator can grant to a person or withdraw, in addition to the role. */
export const PERSONAL_RIGHTS = ["discounts", "refunds", "prices", "reports", "exports"] as const;
export type PersonalRight = (typeof PERSONAL_RIGHTS)[number];

/**
 * Right of a staff member in the office (docs/interfaces/office.md#roles). `give_away` is limited to the account's
 * limit for agents, and unlimited with `discounts`.
 */
export type Right = "see" | "hand_over" | "sell" | "give_away" | "manage" | "administer" | PersonalRight;

const OPERATOR = ["see", "hand_over", "reports"] as const;
const AGENT = [...OPERATOR, "sell", "give_away", "refunds"] as const;
const MANAGER = [...AGENT, "manage", "discounts", "prices"] as const;

const RIGHTS: Readonly<Record<Role, readonly Right[]>> = {
  customer: [],
  operator: OPERATOR,
  agent: AGENT,
  manager: MANAGER,
  administrator: [...MANAGER, "administer", "exports"],
};

/** User with a role, and the rights that differ from the role's. */
export interface RightHolder {
  readonly role: Role;
  readonly grantedRights?: readonly string[];
  readonly withdrawnRights?: readonly string[];
}

/** Whether a role or person has a right. Withdrawn rights have priority over granted ones. */
export function hasRight(holder: Role, right: Exclude<Right, PersonalRight>): boolean;
export function hasRight(holder: RightHolder, right: Right): boolean;
export function hasRight(holder: Role | RightHolder, right: Right): boolean {
  const {
    role,
    grantedRights = [],
    withdrawnRights = [],
  }: RightHolder = typeof holder === "string" ? { role: holder } : holder;
  const isPersonal = PERSONAL_RIGHTS.some((personal) => personal === right);
  if (role === "customer" || (isPersonal && withdrawnRights.includes(right))) return false;
  return RIGHTS[role].includes(right) || (isPersonal && grantedRights.includes(right));
}

/** Lists the personal rights that a person has. */
export function listHeldPersonalRights(holder: RightHolder): readonly PersonalRight[] {
  return PERSONAL_RIGHTS.filter((right) => hasRight(holder, right));
}

/** Returns the first personal right that a user would have and the granting person lacks. */
export function findUngrantableRight(user: RightHolder, granter: RightHolder): PersonalRight | undefined {
  return listHeldPersonalRights(user).find((right) => !hasRight(granter, right));
}

/** Whether a person may give up this amount as a discount or a waived fee. */
export function canDiscountOrWaive(holder: RightHolder, cents: number, agentLimitCents: number): boolean {
  return hasRight(holder, "give_away") && (hasRight(holder, "discounts") || cents <= agentLimitCents);
}

/** Whether a person may refund this amount. */
export function canRefund(holder: RightHolder, cents: number, agentLimitCents: number): boolean {
  return hasRight(holder, "refunds") && (hasRight(holder, "manage") || cents <= agentLimitCents);
}
