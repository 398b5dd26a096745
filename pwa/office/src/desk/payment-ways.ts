/** How money passes through a person's hands; gateways tell of theirs themselves. */
export const DESK_METHODS = ["credit_card", "cash", "bank_transfer", "check"] as const;
