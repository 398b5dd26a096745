import type { DriverAgeRule } from "./catalogue.ts";

// Rules that start above this age are for old drivers. No company charges middle-aged drivers.
const MIDDLE_AGE_YEARS = 50;

/** Whether a rule charges drivers for being old, not for being young. */
export function isRuleForOldDrivers({ ageFrom }: Pick<DriverAgeRule, "ageFrom">): boolean {
  return ageFrom > MIDDLE_AGE_YEARS;
}
