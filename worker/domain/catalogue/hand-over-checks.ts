/** Requirements of a contract before its keys are handed over. */
export const HAND_OVER_CHECKS = ["payment", "deposit", "licence", "identity", "signature"] as const;
export type HandOverCheck = (typeof HAND_OVER_CHECKS)[number];

export const HAND_OVER_CHECK_MODES = ["off", "warn", "block"] as const;
export type HandOverCheckMode = (typeof HAND_OVER_CHECK_MODES)[number];
/** Mode of a check that the account didn't set. */
export const DEFAULT_HAND_OVER_CHECK_MODE: HandOverCheckMode = "warn";

/** Account's mode for each check. */
export type HandOverCheckModes = Readonly<Partial<Record<HandOverCheck, HandOverCheckMode>>>;

/** Returns the mode of each check, with the default for those that the account didn't set. */
export function completeHandOverChecks({
  payment = DEFAULT_HAND_OVER_CHECK_MODE,
  deposit = DEFAULT_HAND_OVER_CHECK_MODE,
  licence = DEFAULT_HAND_OVER_CHECK_MODE,
  identity = DEFAULT_HAND_OVER_CHECK_MODE,
  signature = DEFAULT_HAND_OVER_CHECK_MODE,
}: HandOverCheckModes): Required<HandOverCheckModes> {
  return { payment, deposit, licence, identity, signature };
}
