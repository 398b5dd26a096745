import { canDiscountOrWaive } from "#domain/access/rights.ts";
import type { CheckInOperation } from "#domain/check-in/operations.ts";
import { acceptSurcharges } from "#domain/contracts/surcharge.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { OperationContext } from "./process-operation.ts";
import type { OperationDecisionData } from "./read-operation.ts";

/** Returns the surcharges of a device's return that are added, with the limit of the user who sent it. */
export function acceptOperationSurcharges(
  { catalogue: { settings }, chargeable }: Pick<OperationDecisionData, "catalogue" | "chargeable">,
  { surcharges = [], damages }: CheckInOperation,
  sender: Parameters<typeof canDiscountOrWaive>[0] | undefined,
  now: number,
): Pick<OperationContext, "surcharges" | "refusedSurcharges"> {
  if (surcharges.length === 0) return {};
  const accepted = acceptSurcharges(chargeable, surcharges, {
    chargedOn: toCivilNow(settings.timezone, now).date,
    damageIds: damages.map(({ damageId }) => damageId),
    mayGiveAway: (cents) =>
      cents === 0 || (sender !== undefined && canDiscountOrWaive(sender, cents, settings.agentLimitCents)),
  });
  return { surcharges: accepted.surcharges, refusedSurcharges: accepted.refusedCodes };
}
