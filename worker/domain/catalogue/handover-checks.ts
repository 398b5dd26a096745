/** Requirements of a contract before its keys are handed over. */
export const HANDOVER_CHECKS = ["payment", "deposit", "licence", "identity", "signature"] as const;
export type HandoverCheck = (typeof HANDOVER_CHECKS)[number];

export const HANDOVER_CHECK_MODES = ["off", "warn", "block"] as const;
export type HandoverCheckMode = (typeof HANDOVER_CHECK_MODES)[number];
/** Mode of a check that the account didn't set. */
export const DEFAULT_HANDOVER_CHECK_MODE: HandoverCheckMode = "warn";

/** Account's mode for each check. */
export type HandoverCheckModes = Readonly<Partial<Record<HandoverCheck, HandoverCheckMode>>>;
