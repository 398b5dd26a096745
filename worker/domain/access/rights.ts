import type { Role } from "./sessions.ts";

/**
 * What a member of staff may do in the office (docs/interfaces/office.md#roles). `give_away` is for the agent up to the
 * account's limit, for those above without one.
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

/** Whether somebody may give so much away: a refund, a discount, a fee that is waived. */
export function mayGiveAway(role: Role, cents: number, agentLimitCents: number): boolean {
  return hasRight(role, "give_away") && (hasRight(role, "manage") || cents <= agentLimitCents);
}
