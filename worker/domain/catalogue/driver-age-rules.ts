import type { DriverAgeRule } from "./catalogue.ts";

// Companies charge young and old drivers, never those of this age.
const MIDDLE_AGE_YEARS = 50;

/** Whether a rule charges drivers for being old, not for being young. */
export function isRuleForOldDrivers({ ageFrom }: Pick<DriverAgeRule, "ageFrom">): boolean {
  return ageFrom > MIDDLE_AGE_YEARS;
}
