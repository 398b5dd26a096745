/** Requirements of a contract before its keys are handed over. */
export const HANDOVER_CHECKS = ["payment", "deposit", "licence", "identity", "signature"] as const;
export type HandoverCheck = (typeof HANDOVER_CHECKS)[number];

export const CHECK_MODES = ["off", "warn", "block"] as const;
export type CheckMode = (typeof CHECK_MODES)[number];

/** Account's mode for each check. A check without a mode only warns. */
export type HandoverChecks = Readonly<Partial<Record<HandoverCheck, CheckMode>>>;
