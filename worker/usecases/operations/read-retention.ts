import { ok, type Result } from "#domain/result.ts";
import { deletionTotalsQueries, RETENTION_TASKS } from "#worker/store/operations/retention.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";

/** Retention period of a kind of data, and its deletions. */
export interface RetentionPeriod {
  readonly kind: string;
  readonly days: number;
  /** Time of the last deletion, epoch ms. */
  readonly lastDeletedAt: number | undefined;
  readonly deleted: number;
}

export interface RetentionAnswer {
  readonly periods: readonly RetentionPeriod[];
  readonly erasedPeople: number;
}

/** Returns the retention period and the last deletions of each kind of data. One round trip. */
export async function readRetention(
  request: StaffRequest,
): Promise<Result<StaffAnswer<RetentionAnswer>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => deletionTotalsQueries(request.tenant.db));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [deleted, [erased]] = rows;
  const periods = RETENTION_TASKS.map(({ kind, days }) => {
    const deletedCount = deleted.find((item) => item.kind === kind);
    return { kind, days, lastDeletedAt: deletedCount?.lastAt, deleted: deletedCount?.count ?? 0 };
  });
  return ok({ value: { periods, erasedPeople: erased?.people ?? 0 }, freshToken });
}
