import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { noteEvent } from "#worker/store/access/security-events.ts";
import type { QueryOf } from "#worker/store/database.ts";
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

type Paged = "userId" | "after" | "pageSize";

/** The documents that the office finds, whole, for the accountant; that they were taken is noted. */
export function bookOfDocuments(
  request: StaffRequest,
  filter: Omit<DocumentSearch, Paged>,
): Promise<Book<BookedDocument>> {
  return bookOf(request, "documents", (whole) => documentBookQuery(request.tenant.db, { ...filter, ...whole }));
}

/** The money that the office finds, whole; days are those of the account's clock. */
export function bookOfCharges(
  request: StaffRequest,
  { dateFrom, dateTo, ...filter }: Omit<ChargeFilter, Paged>,
): Promise<Book<BookedCharge>> {
  return bookOf(request, "charges", (whole, { settings: { timezone } }) => {
    const days = momentsOfDays(timezone, { dateFrom, dateTo });
    return chargeBookQuery(request.tenant.db, { ...filter, ...whole, ...days });
  });
}

/** The deposits that the office finds, whole. */
export function bookOfDeposits(request: StaffRequest, filter: DepositFilter): Promise<Book<DepositRow>> {
  return bookOf(request, "deposits", (whole) => depositListQueries(request.tenant.db, { ...filter, ...whole })[0]);
}

export type Book<Row> = Result<OfficeAnswer<readonly Row[]>, OfficeRefusal>;

/** All that a list has, for whoever works with the user's number. */
interface Whole {
  readonly after: undefined;
  readonly pageSize: number;
  readonly userId: number;
}

async function bookOf<Row>(
  request: StaffRequest,
  what: "documents" | "charges" | "deposits",
  queryFor: (whole: Whole, catalogue: Catalogue) => QueryOf<Row>,
): Promise<Book<Row>> {
  const { tenant, now } = request;
  const whole = { after: undefined, pageSize: MOST_BOOKED, userId: await userIdOf(request) };
  const read = await readAsStaff(request, (catalogue) => [queryFor(whole, catalogue)] as const);
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const [found] = rows;
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
