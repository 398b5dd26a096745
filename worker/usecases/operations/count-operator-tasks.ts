import type { AttentionSummary } from "#domain/operations/attention.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { attentionSummaryQuery, toAttentionSummary } from "#worker/store/operations/attention.ts";
import {
  readAsStaff,
  type StaffAnswer,
  type StaffRefusal,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";

/** Numbers of pending tasks, and the decimals of their amounts. */
export interface AttentionTaskCounts {
  readonly attention: AttentionSummary;
  readonly currencyDecimals: number;
}

/** Lists the pending tasks of the full account, for its administrators. */
export async function countAttentionTasks(
  request: StaffRequest,
): Promise<Result<StaffAnswer<AttentionTaskCounts>, StaffRefusal>> {
  const read = await readAsStaff(request, () => [attentionSummaryQuery(request.tenant.db, request.now)]);
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  if (staff.role !== "administrator" || staff.branches !== "all") return err({ kind: "otherRole" });
  const { currencyDecimals } = catalogue.settings;
  return ok({ value: { attention: toAttentionSummary(rows[0], catalogue), currencyDecimals }, freshToken });
}
