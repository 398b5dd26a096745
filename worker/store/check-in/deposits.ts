import { eq, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Excess, LineExcess } from "#domain/bookings/excess.ts";
import type { Database } from "#worker/store/database.ts";
import { bookingLines } from "#worker/store/schema/bookings.ts";

/** Lines with deposit and guarantee reduced by extras sold at delivery, and the total reduction. */
export interface DepositReduction {
  readonly lines: readonly LineExcess[];
  readonly reduction: Excess;
}

/** Returns SQL for a booking's deposit and guarantee columns, less the reduction by extras sold at delivery. */
export function createReducedDepositColumns({
  reduction: { depositCents, guaranteeCents },
}: DepositReduction): Record<string, SQL> {
  return {
    productDepositCents: sql`product_deposit_cents - ${depositCents}`,
    productGuaranteeCents: sql`product_guarantee_cents - ${guaranteeCents}`,
    productDepositReductionCents: sql`product_deposit_reduction_cents + ${depositCents}`,
    productGuaranteeReductionCents: sql`product_guarantee_reduction_cents + ${guaranteeCents}`,
    totalDepositCents: sql`total_deposit_cents - ${depositCents + guaranteeCents}`,
  };
}

/** Returns the statements for the reduced amounts of each line. */
export function reduceLineDepositsStatements(db: Database, { lines }: DepositReduction): BatchItem<"sqlite">[] {
  return lines.map(({ lineId, ...line }) =>
    db
      .update(bookingLines)
      .set({
        productDepositUnitCents: line.depositUnitCents,
        productGuaranteeUnitCents: line.guaranteeUnitCents,
        depositReductionUnitCents: line.depositReductionUnitCents,
        guaranteeReductionUnitCents: line.guaranteeReductionUnitCents,
      })
      .where(eq(bookingLines.id, lineId)),
  );
}
