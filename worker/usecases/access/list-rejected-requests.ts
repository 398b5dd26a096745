import type { RejectedRequestFilter, RejectedRequestPage } from "#domain/access/rejected-requests.ts";
import { ok, type Result } from "#domain/result.ts";
import { rejectedRequestQueries } from "#worker/store/access/rejected-requests.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { toPage } from "#worker/usecases/shared/page.ts";

/** Lists rejected requests of partners and websites, newest first, for managers. One round trip. */
export async function listRejectedRequests(
  request: StaffRequest,
  filter: RejectedRequestFilter,
): Promise<Result<StaffAnswer<RejectedRequestPage>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => rejectedRequestQueries(request.tenant.db, filter));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "manage");
  if (missing) return missing;
  const [item, [counted], partners, operations] = rows;
  const page = toPage(item, counted, filter.pageSize, ({ id }) => id);
  return ok({
    value: {
      rows: page.rows,
      total: page.total,
      next: page.next,
      calls: counted?.calls ?? 0,
      partners: partners.map(({ name, ...one }) => ({ ...one, keyName: name ?? "" })),
      operations: operations.map(({ operation }) => operation),
    },
    freshToken,
  });
}
