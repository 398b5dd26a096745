import { hasRight } from "#domain/access/rights.ts";
import type { CheckInOperation } from "#domain/check-in/operations.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import { type StoredOperation, userRoleQuery } from "#worker/store/check-in/check-in.ts";
import { listDueHeldOperations } from "#worker/store/check-in/review.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import { acceptOperationSurcharges } from "./accept-surcharges.ts";
import { attemptOperation } from "./process-operation.ts";
import { operationDecisionQueries, toOperationDecisionData } from "./read-operation.ts";

const ATTEMPTS = 5;

/**
 * Applies held collections whose delivery has arrived. A collection that was held too long is applied without
 * its delivery and flagged. Others stay held.
 */
export async function applyHeldOperations(
  tenant: Tenant,
  operations: readonly StoredOperation[],
  now: number,
): Promise<void> {
  for (const operation of operations) {
    await applyHeld(tenant, operation, now);
  }
}

const MAX_DUE_OPERATIONS = 50;

/**
 * Applies up to 50 held operations whose delivery has arrived or whose waiting time is over. Returns their number. The
 * cron job calls it.
 */
export async function applyDueHeldOperations(tenant: Tenant, now: number): Promise<number> {
  const due = await listDueHeldOperations(tenant.db, now, MAX_DUE_OPERATIONS);
  await applyHeldOperations(tenant, due, now);
  return due.length;
}

async function applyHeld(tenant: Tenant, heldOperation: StoredOperation, now: number): Promise<void> {
  // Stored by `toRow`.
  const operation = heldOperation.operation as unknown as CheckInOperation;
  const refusedExtras = new Set<string>();
  const attempt = async (): Promise<"applied" | "still held" | undefined> => {
    const { catalogue, rows } = await readWithFreshCatalogue(
      tenant,
      (current) =>
        [
          userRoleQuery(tenant.db, heldOperation.userId),
          ...operationDecisionQueries(tenant.db, current, operation, now),
        ] as const,
    );
    const [[sender], ...operationRows] = rows;
    const reading = toOperationDecisionData(catalogue, operation, operationRows);
    const { booking, storedOperation } = reading;
    if (!booking || storedOperation?.state !== "held") return "applied";
    const unit = booking.units.find(({ unitId }) => unitId === operation.unitId);
    const isForced = (storedOperation.heldUntil ?? now) <= now;
    if (unit?.deliveredAt === undefined && !isForced) return "still held";
    const attempted = await attemptOperation(tenant, reading, operation, {
      receipt: { userId: storedOperation.userId, author: storedOperation.author, at: now },
      fingerprint: storedOperation.fingerprint,
      refusedExtras,
      mayGiveUpgrade: sender !== undefined && hasRight(sender.role, "manage"),
      isForced,
      ...acceptOperationSurcharges(reading, operation, sender, now),
      heldOperation: storedOperation,
    });
    return attempted && "applied";
  };
  await withRetry(attempt, { attempts: ATTEMPTS, whenExhausted: () => "still held" });
}
