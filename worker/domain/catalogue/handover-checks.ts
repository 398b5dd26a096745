/** Requirements of a contract before its keys are handed over. */
export const HANDOVER_CHECKS = ["payment", "deposit", "licence", "identity", "signature"] as const;
export type HandoverCheck = (typeof HANDOVER_CHECKS)[number];

export const CHECK_MODES = ["off", "warn", "block"] as const;
export type CheckMode = (typeof CHECK_MODES)[number];
/** Mode of a check that the account didn't set. */
export const DEFAULT_CHECK_MODE: CheckMode = "warn";

/** Account's mode for each check. */
export type HandoverChecks = Readonly<Partial<Record<HandoverCheck, CheckMode>>>;
