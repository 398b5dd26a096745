import { eq, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Excess, LineExcess } from "#domain/bookings/excess.ts";
import type { Database } from "#worker/store/database.ts";
import { bookingLines } from "#worker/store/schema/bookings.ts";

/** Lines whose deposit and guarantee extras lower that are sold on the spot, and by how much together. */
export interface Lowered {
  readonly lines: readonly LineExcess[];
  readonly by: Excess;
}

/** A booking's deposit and guarantee, lower by what extras take off them. */
export function loweredSums({ by: { depositCents, guaranteeCents } }: Lowered): Record<string, SQL> {
  return {
    productDepositCents: sql`product_deposit_cents - ${depositCents}`,
    productGuaranteeCents: sql`product_guarantee_cents - ${guaranteeCents}`,
    productDepositReductionCents: sql`product_deposit_reduction_cents + ${depositCents}`,
    productGuaranteeReductionCents: sql`product_guarantee_reduction_cents + ${guaranteeCents}`,
    totalDepositCents: sql`total_deposit_cents - ${depositCents + guaranteeCents}`,
  };
}

/** The same of each of its lines. */
export function loweredLines(db: Database, { lines }: Lowered): BatchItem<"sqlite">[] {
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
