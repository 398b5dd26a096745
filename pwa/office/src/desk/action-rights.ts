import type { Right } from "#domain/access/rights.ts";

const RIGHTS: Readonly<Record<string, Right>> = {
  deliver: "hand_over",
  collect: "hand_over",
  exchange: "hand_over",
  money: "hand_over",
  reopen: "manage",
  refund: "refunds",
};

/** Returns the right required for an action or for recording its payments. */
export const getActionRight = (action: string): Right => RIGHTS[action] ?? "sell";
