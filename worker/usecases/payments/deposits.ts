import type { Cents } from "#domain/money.ts";
import { ok, type Result } from "#domain/result.ts";
import {
  type DepositCursor,
  type DepositRow,
  type DepositSearch,
  depositListQueries,
} from "#worker/store/payments/deposits.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import { type Page, toPage } from "#worker/usecases/shared/page.ts";

export type DepositFilter = Omit<DepositSearch, "userId" | "after" | "pageSize">;

/** Page of held deposits. `heldCents` is the total of all matches. */
export type DepositPage = Page<DepositRow, DepositCursor> & { readonly heldCents: Cents };

/** Lists the deposits held at the user's branches, longest overdue first. One round trip. */
export async function listDeposits(
  request: StaffRequest,
  filter: Omit<DepositSearch, "userId">,
): Promise<Result<StaffAnswer<DepositPage>, OfficeRefusal>> {
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(request, () => depositListQueries(request.tenant.db, { ...filter, userId }));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [item, [counted]] = rows;
  const total = { total: counted?.total ?? 0 };
  const page = toPage(item, { ...total, isKnown: 1 }, filter.pageSize, ({ dateTo: date, bookingId: id }) => ({
    date,
    id,
  }));
  return ok({ value: { ...page, heldCents: counted?.heldCents ?? 0 }, freshToken });
}
