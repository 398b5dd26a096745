import type { InvalidInput } from "#domain/bookings/refusals.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { recordSecurityEvent } from "#worker/store/access/security-events.ts";
import {
  findMissingRightRefusal,
  findStaleFactorRefusal,
  type MissingRight,
} from "#worker/usecases/office/office-context.ts";
import {
  readAsStaff,
  type StaffAnswer,
  type StaffRefusal,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";

/** Maximum rows of a table. An incomplete one could be taken for complete, so larger ones are refused. */
const MAX_TABLE_ROWS = 5_000;

interface ListedRows<Row> {
  readonly rows: readonly Row[];
  readonly next: unknown;
}

export type ExportRefusal = StaffRefusal | MissingRight | InvalidInput<string> | { readonly kind: "secondFactorStale" };

/** Reads all matches of a list for a file and records the access. `read` lists a page of the given size. */
export async function exportList<Page extends ListedRows<unknown>, Refusal>(
  request: StaffRequest,
  listName: string,
  read: (page: { readonly pageSize: number; readonly after: undefined }) => Promise<Result<StaffAnswer<Page>, Refusal>>,
): Promise<Result<StaffAnswer<Page>, Refusal | ExportRefusal>> {
  const session = await readAsStaff(request, () => [] as const);
  if (!session.ok) return session;
  const refused =
    findMissingRightRefusal(session.value.staff, "exports") ?? findStaleFactorRefusal(session.value.factor);
  if (refused) return refused;
  const listed = await read({ pageSize: MAX_TABLE_ROWS, after: undefined });
  if (!listed.ok) return listed;
  const { rows, next } = listed.value.value;
  if (next !== undefined)
    return err({ kind: "invalid", field: "q", reason: createReason("too_many_rows", MAX_TABLE_ROWS) });
  const { tenant, now } = request;
  const detail = { what: listName, rows: rows.length };
  await recordSecurityEvent(tenant.db, { kind: "data_exported", userId: session.value.staff.userId, detail }, now);
  return ok(listed.value);
}
