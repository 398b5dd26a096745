import type { Role } from "./sessions.ts";

/**
 * Right of a staff member in the office (docs/interfaces/office.md#roles). `give_away` is limited to the account's
 * limit for agents, and unlimited for higher roles.
 */
export type Right = "see" | "hand_over" | "sell" | "give_away" | "manage" | "administer";

const RIGHTS: Readonly<Record<Role, readonly Right[]>> = {
  customer: [],
  operator: ["see", "hand_over"],
  agent: ["see", "hand_over", "sell", "give_away"],
  manager: ["see", "hand_over", "sell", "give_away", "manage"],
  administrator: ["see", "hand_over", "sell", "give_away", "manage", "administer"],
};

/** Whether a role has a right. */
export function hasRight(role: Role, right: Right): boolean {
  return RIGHTS[role].includes(right);
}

/** Whether a role may give up this amount as a refund, a discount or a waived fee. */
export function mayGiveAway(role: Role, cents: number, agentLimitCents: number): boolean {
  return hasRight(role, "give_away") && (hasRight(role, "manage") || cents <= agentLimitCents);
}
