import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { Cents } from "#domain/money.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  bookingCommissionsQuery,
  type CommissionRow,
  type CommissionSearch,
  commissionsQueries,
  settleCommissionsStatements,
} from "#worker/store/bookings/commissions.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import {
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
} from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";

/** Page of commissions, and the totals of all matches in minor units. */
export interface CommissionPage {
  readonly rows: readonly CommissionRow[];
  readonly count: number;
  readonly sums: { readonly baseCents: Cents; readonly totalCents: Cents; readonly prepaidCents: Cents };
  readonly next: number | undefined;
}

/** Lists the agents' commissions, settled or not. One round trip. */
export async function listCommissions(
  request: StaffRequest,
  filter: Omit<CommissionSearch, "userId">,
): Promise<Result<StaffAnswer<CommissionPage>, OfficeRefusal>> {
  const search = { ...filter, userId: await getTokenUserId(request) };
  const read = await readAsStaff(request, () => commissionsQueries(request.tenant.db, search));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [item, [sums]] = rows;
  const page = item.slice(0, filter.pageSize);
  const { count = 0, baseCents = 0, totalCents = 0, prepaidCents = 0 } = sums ?? {};
  const next = item.length > page.length ? page.at(-1)?.bookingId : undefined;
  return ok({ value: { rows: page, count, sums: { baseCents, totalCents, prepaidCents }, next }, freshToken });
}

/** Reservations whose commissions are marked as paid to their agent. */
export interface CommissionSettlement {
  readonly agentId: number;
  readonly bookingIds: readonly number[];
  /** Payment date, by default today. */
  readonly date: string | undefined;
}

/** Marks commissions of several reservations as paid to an agent, all or none. Two round trips. */
export function settleCommissions(
  write: OfficeWrite,
  settlement: CommissionSettlement,
): Promise<Result<StaffAnswer<readonly CommissionRow[]>, OfficeRefusal>> {
  const { bookingIds, agentId, date } = settlement;
  return mark(write, {
    bookingIds,
    date,
    content: { settle: settlement },
    wrongWith: (row, today) => {
      if ((date ?? today) > today) return { field: "date", reason: createReason("in_future") };
      if (row.agentId !== agentId) return notSo("commission_other_agent", row);
      if (row.isSettled) return notSo("commission_settled", row);
      if (row.status !== "done" && row.status !== "cancelled") return notSo("commission_not_done", row);
      return undefined;
    },
  });
}

/** Reverts the payment of several commissions. Two round trips. */
export function unsettleCommissions(
  write: OfficeWrite,
  bookingIds: readonly number[],
): Promise<Result<StaffAnswer<readonly CommissionRow[]>, OfficeRefusal>> {
  return mark(write, {
    bookingIds,
    date: null,
    content: { unsettle: bookingIds },
    wrongWith: (row) => (row.isSettled ? undefined : notSo("commission_not_settled", row)),
  });
}

interface Wrong {
  readonly field: string;
  readonly reason: Reason;
}

type CommissionProblem =
  | "commission_no_agent"
  | "commission_other_agent"
  | "commission_settled"
  | "commission_not_done"
  | "commission_not_settled";

const notSo = (code: CommissionProblem, { bookingId }: Pick<CommissionRow, "bookingId">): Wrong => ({
  field: "reservation_ids",
  reason: createReason(code, bookingId),
});

interface Marking {
  readonly bookingIds: readonly number[];
  /** Payment date, by default today. Null if unpaid. */
  readonly date: string | null | undefined;
  readonly content: object;
  readonly wrongWith: (row: CommissionRow, today: string) => Wrong | undefined;
}

function mark(
  write: OfficeWrite,
  { bookingIds, date, content, wrongWith }: Marking,
): Promise<Result<StaffAnswer<readonly CommissionRow[]>, OfficeRefusal>> {
  const { db } = write.tenant;
  const filterVisible = (rows: readonly CommissionRow[], staff: SignedInUser) =>
    rows.filter(({ branchCode, returnBranchCode }) => canAccessBranch(staff, branchCode, returnBranchCode));
  return runOfficeWriteOnce(write, {
    right: "manage",
    requiresRecentFactor: true,
    content,
    read: () => [bookingCommissionsQuery(db, bookingIds)] as const,
    readBack: () => [bookingCommissionsQuery(db, bookingIds)] as const,
    answer: ([rows], { staff }) => ok(filterVisible(rows, staff)),
    decide: ({ rows: [rows], staff, catalogue, actor }) => {
      const own = filterVisible(rows, staff);
      const idWithoutAgent = bookingIds.find((id) => !own.some(({ bookingId }) => bookingId === id));
      if (idWithoutAgent !== undefined)
        return err({ kind: "invalid", ...notSo("commission_no_agent", { bookingId: idWithoutAgent }) });
      const today = toCivilNow(catalogue.settings.timezone, write.now).date;
      const [wrong] = own.flatMap((row) => wrongWith(row, today) ?? []);
      if (wrong) return err({ kind: "invalid", ...wrong });
      const on = date === undefined ? today : date;
      return ok({
        resource: String(bookingIds[0]),
        statements: settleCommissionsStatements(db, own, { date: on, at: write.now, actor }),
      });
    },
  });
}
