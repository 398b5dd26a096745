import { canAccessBranch, type SignedIn } from "#domain/access/sessions.ts";
import type { Cents } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  bookingCommissionsQuery,
  type CommissionRow,
  type CommissionSearch,
  commissionsQueries,
  settleStatements,
} from "#worker/store/bookings/commissions.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { getTokenUserId, readAsStaff, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import {
  type OfficeAnswer,
  type OfficeRefusal,
  type OfficeWrite,
  refuseWithout,
} from "#worker/usecases/bookings/moves/office-context.ts";
import { writeOfficeOnce } from "#worker/usecases/operations/office-write.ts";

/** A page of commissions, and the sums of all that were found, in minor units. */
export interface CommissionPage {
  readonly rows: readonly CommissionRow[];
  readonly count: number;
  readonly sums: { readonly baseCents: Cents; readonly totalCents: Cents; readonly prepaidCents: Cents };
  readonly next: number | undefined;
}

/** What agents have earned, settled or not; one round trip. */
export async function listCommissions(
  request: StaffRequest,
  filter: Omit<CommissionSearch, "userId">,
): Promise<Result<OfficeAnswer<CommissionPage>, OfficeRefusal>> {
  const search = { ...filter, userId: await getTokenUserId(request) };
  const read = await readAsStaff(request, () => commissionsQueries(request.tenant.db, search));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = refuseWithout(staff, "see");
  if (missing) return missing;
  const [item, [sums]] = rows;
  const page = item.slice(0, filter.pageSize);
  const { count = 0, baseCents = 0, totalCents = 0, prepaidCents = 0 } = sums ?? {};
  const next = item.length > page.length ? page.at(-1)?.bookingId : undefined;
  return ok({ value: { rows: page, count, sums: { baseCents, totalCents, prepaidCents }, next }, freshToken });
}

/** Which commissions are settled. */
export interface Settlement {
  readonly agentId: number;
  readonly bookingIds: readonly number[];
  /** When it was paid; today where nobody says. */
  readonly date: string | undefined;
}

/** Says that an agent was paid for some reservations, all of them or none. Two round trips. */
export function settleCommissions(
  write: OfficeWrite,
  settlement: Settlement,
): Promise<Result<OfficeAnswer<readonly CommissionRow[]>, OfficeRefusal>> {
  const { bookingIds, agentId, date } = settlement;
  return mark(write, {
    bookingIds,
    date,
    content: { settle: settlement },
    wrongWith: (row, today) => {
      if ((date ?? today) > today) return { field: "date", reason: "is still to come" };
      if (row.agentId !== agentId) return notSo(row, "is of another agent");
      if (row.isSettled) return notSo(row, "is settled already");
      if (row.status !== "done" && row.status !== "cancelled") return notSo(row, "is not done yet");
      return undefined;
    },
  });
}

/** Takes back that some commissions were paid. Two round trips. */
export function unsettleCommissions(
  write: OfficeWrite,
  bookingIds: readonly number[],
): Promise<Result<OfficeAnswer<readonly CommissionRow[]>, OfficeRefusal>> {
  return mark(write, {
    bookingIds,
    date: null,
    content: { unsettle: bookingIds },
    wrongWith: (row) => (row.isSettled ? undefined : notSo(row, "is not settled")),
  });
}

interface Wrong {
  readonly field: string;
  readonly reason: string;
}

const notSo = ({ bookingId }: Pick<CommissionRow, "bookingId">, why: string): Wrong => ({
  field: "reservation_ids",
  reason: `${bookingId} ${why}`,
});

interface Marking {
  readonly bookingIds: readonly number[];
  /** Of the payment: today where nobody says, null where there was none. */
  readonly date: string | null | undefined;
  readonly content: object;
  readonly wrongWith: (row: CommissionRow, today: string) => Wrong | undefined;
}

function mark(
  write: OfficeWrite,
  { bookingIds, date, content, wrongWith }: Marking,
): Promise<Result<OfficeAnswer<readonly CommissionRow[]>, OfficeRefusal>> {
  const { db } = write.tenant;
  const filterVisible = (rows: readonly CommissionRow[], staff: SignedIn) =>
    rows.filter(({ branchCode, returnBranchCode }) => canAccessBranch(staff, branchCode, returnBranchCode));
  return writeOfficeOnce(write, {
    right: "manage",
    content,
    read: () => [bookingCommissionsQuery(db, bookingIds)] as const,
    readBack: () => [bookingCommissionsQuery(db, bookingIds)] as const,
    answer: ([rows], { staff }) => ok(filterVisible(rows, staff)),
    decide: ({ rows: [rows], staff, catalogue, actor }) => {
      const own = filterVisible(rows, staff);
      const lacking = bookingIds.find((id) => !own.some(({ bookingId }) => bookingId === id));
      if (lacking !== undefined) return err({ kind: "invalid", ...notSo({ bookingId: lacking }, "is of no agent") });
      const today = civilNow(catalogue.settings.timezone, write.now).date;
      const [wrong] = own.flatMap((row) => wrongWith(row, today) ?? []);
      if (wrong) return err({ kind: "invalid", ...wrong });
      const on = date === undefined ? today : date;
      return ok({
        resource: String(bookingIds[0]),
        statements: settleStatements(db, own, { date: on, at: write.now, actor }),
      });
    },
  });
}
