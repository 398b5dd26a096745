import { ok, type Result, refuse } from "#domain/result.ts";
import { noteEvent } from "#worker/store/access/security-events.ts";
import {
  type BookedCharge,
  type BookedDocument,
  chargeBookQuery,
  documentBookQuery,
} from "#worker/store/documents/office-books.ts";
import type { DocumentSearch } from "#worker/store/documents/office-documents.ts";
import { type DepositRow, depositListQueries } from "#worker/store/payments/deposits.ts";
import { momentsOfDays } from "#worker/tenancy/clock.ts";
import { readAsStaff, type StaffRequest, userIdOf } from "#worker/usecases/access/read-as-staff.ts";
import {
  type OfficeAnswer,
  type OfficeRefusal,
  refuseWithout,
} from "#worker/usecases/bookings/moves/office-context.ts";
import type { DepositFilter } from "#worker/usecases/payments/deposits.ts";
import type { ChargeFilter } from "./office-documents.ts";

/** What a file holds. A book that lacks its last pages would be declared as the whole: more is refused. */
const MOST_BOOKED = 10_000;
const paged = { after: undefined, pageSize: MOST_BOOKED };

/** The documents that the office finds, whole, for the accountant; that they were taken is noted. */
export async function bookOfDocuments(
  request: StaffRequest,
  filter: Omit<DocumentSearch, "userId" | "after" | "pageSize">,
): Promise<Result<OfficeAnswer<readonly BookedDocument[]>, OfficeRefusal>> {
  const userId = await userIdOf(request);
  const read = await readAsStaff(
    request,
    () => [documentBookQuery(request.tenant.db, { ...filter, ...paged, userId })] as const,
  );
  return read.ok ? taken(request, "documents", { ...read.value, found: read.value.rows[0] }) : read;
}

/** The money that the office finds, whole; days are those of the account's clock. */
export async function bookOfCharges(
  request: StaffRequest,
  { dateFrom, dateTo, ...filter }: Omit<ChargeFilter, "after" | "pageSize">,
): Promise<Result<OfficeAnswer<readonly BookedCharge[]>, OfficeRefusal>> {
  const userId = await userIdOf(request);
  const read = await readAsStaff(request, ({ settings: { timezone } }) => {
    const days = momentsOfDays(timezone, { dateFrom, dateTo });
    return [chargeBookQuery(request.tenant.db, { ...filter, ...paged, ...days, userId })] as const;
  });
  return read.ok ? taken(request, "charges", { ...read.value, found: read.value.rows[0] }) : read;
}

/** The deposits that the office finds, whole. */
export async function bookOfDeposits(
  request: StaffRequest,
  filter: DepositFilter,
): Promise<Result<OfficeAnswer<readonly DepositRow[]>, OfficeRefusal>> {
  const userId = await userIdOf(request);
  const read = await readAsStaff(request, () => [
    depositListQueries(request.tenant.db, { ...filter, ...paged, userId })[0],
  ]);
  return read.ok ? taken(request, "deposits", { ...read.value, found: read.value.rows[0] }) : read;
}

interface Found<Row> {
  readonly staff: Parameters<typeof refuseWithout>[0];
  readonly freshToken: OfficeAnswer<unknown>["freshToken"];
  readonly found: readonly Row[];
}

async function taken<Row>(
  { tenant, now }: StaffRequest,
  what: "documents" | "charges" | "deposits",
  { staff, freshToken, found }: Found<Row>,
): Promise<Result<OfficeAnswer<readonly Row[]>, OfficeRefusal>> {
  const missing = refuseWithout(staff, "see");
  if (missing) return missing;
  if (found.length > MOST_BOOKED)
    return refuse({
      kind: "invalid",
      field: "date_from",
      reason: `more than ${MOST_BOOKED} are found: say fewer days`,
    });
  const detail = { what, rows: found.length };
  await noteEvent(tenant.db, { kind: "data_exported", userId: staff.userId, detail }, now);
  return ok({ value: found, freshToken });
}
