import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { addDays, type CivilDate } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  type CashClosingRow,
  type CashRegisterRow,
  cashClosingQuery,
  cashClosingsQuery,
  cashRegisterQuery,
  expectedDrawerCashQuery,
  lastCashClosingQuery,
  newCashClosingStatement,
  nextCashClosingIdQuery,
} from "#worker/store/payments/register.ts";
import { getDayStart, toCivilNow } from "#worker/tenancy/clock.ts";
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

/** Money received and paid out in a day, and the counted cash. */
export interface DailyCashRegister {
  readonly date: CivilDate;
  readonly branchCode: string | undefined;
  readonly rows: readonly CashRegisterRow[];
  readonly closings: readonly CashClosingRow[];
  /** Expected cash in a branch's drawer since the last count. */
  readonly drawer:
    | { readonly openingCents: Cents; readonly movedCents: Cents; readonly lastDate: string | null }
    | undefined;
}

/** Returns the register of a day, by default today's. One round trip. */
export async function readCashRegister(
  request: StaffRequest,
  query: { readonly date: CivilDate | undefined; readonly branchCode: string | undefined },
): Promise<Result<StaffAnswer<DailyCashRegister>, OfficeRefusal>> {
  const { tenant, now } = request;
  const { branchCode } = query;
  const userId = await getTokenUserId(request);
  const dayIn = (timezone: string) => query.date ?? toCivilNow(timezone, now).date;
  const read = await readAsStaff(request, ({ settings: { timezone } }) => {
    const date = dayIn(timezone);
    const from = getDayStart(timezone, date);
    const day = { branchCode, from, until: getDayStart(timezone, addDays(date, 1)), userId };
    return [
      cashRegisterQuery(tenant.db, day),
      cashClosingsQuery(tenant.db, day, date),
      expectedDrawerCashQuery(tenant.db, branchCode ?? "", from),
    ] as const;
  });
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  if (branchCode !== undefined && !catalogue.branches.has(branchCode))
    return err({ kind: "invalid", field: "rental_location_code", reason: createReason("not_known") });
  if (branchCode !== undefined && !canAccessBranch(staff, branchCode)) return err({ kind: "branchOfOthers" });
  const [sums, closings, [drawer]] = rows;
  const value = {
    date: dayIn(catalogue.settings.timezone),
    branchCode,
    rows: sums,
    closings,
    drawer: branchCode === undefined || !drawer ? undefined : { ...drawer, openingCents: drawer.openingCents ?? 0 },
  };
  return ok({ value, freshToken });
}

/** Cash of a branch as counted by staff. */
export interface RequestedCashClosing {
  readonly branchCode: string;
  readonly date: CivilDate | undefined;
  readonly countedCents: Cents;
  readonly takenOutCents: Cents;
  /** Cash before the first count. A later count opens with the cash that the last one left. */
  readonly openingCents: Cents | undefined;
  readonly note: string | undefined;
}

/** Closes a branch's cash for a day with the counted amount, once. Later entries don't change its difference. */
export function closeCash(
  write: OfficeWrite,
  requestedClosing: RequestedCashClosing,
): Promise<Result<StaffAnswer<CashClosingRow>, OfficeRefusal>> {
  const { db } = write.tenant;
  const { branchCode } = requestedClosing;
  return runOfficeWriteOnce(write, {
    right: "sell",
    requiresRecentFactor: requestedClosing.takenOutCents > 0,
    content: { closeCash: requestedClosing },
    read: () => [lastCashClosingQuery(db, branchCode), nextCashClosingIdQuery(db)] as const,
    readBack: (id) => [cashClosingQuery(db, Number(id))] as const,
    answer: ([[closing]], { staff }) =>
      closing && canAccessBranch(staff, closing.closing.branchCode) ? ok(closing) : err({ kind: "closingNotFound" }),
    decide: ({ rows: [[last], [next]], staff, catalogue, actor }) => {
      const { timezone } = catalogue.settings;
      const today = toCivilNow(timezone, write.now).date;
      const date = requestedClosing.date ?? today;
      const refused = refuseClosing(catalogue, staff, { ...requestedClosing, date, today, last });
      if (refused) return refused;
      const id = next?.id ?? 1;
      const openingCents = requestedClosing.openingCents ?? 0;
      const from = getDayStart(timezone, date);
      const counted = { ...requestedClosing, openingCents, id, date, from, actor, at: write.now };
      return ok({ resource: String(id), statements: [newCashClosingStatement(db, counted)] });
    },
  });
}

function refuseClosing(
  { branches }: Catalogue,
  staff: SignedInUser,
  closing: RequestedCashClosing & {
    readonly date: string;
    readonly today: string;
    readonly last: { readonly date: string; readonly leftCents: Cents } | undefined;
  },
): Result<never, OfficeRefusal> | undefined {
  const { branchCode, date, today, last, takenOutCents, countedCents, openingCents } = closing;
  if (!branches.has(branchCode)) return invalid("rental_location_code", createReason("not_known"));
  if (!canAccessBranch(staff, branchCode)) return err({ kind: "branchOfOthers" });
  if (date > today) return invalid("date", createReason("in_future"));
  if (takenOutCents > countedCents) return invalid("taken_out", createReason("above_counted"));
  if (last === undefined) return undefined;
  if (last.date >= date) return err({ kind: "cashClosed" });
  if (openingCents !== undefined && openingCents !== last.leftCents)
    return invalid("opening", createReason("counted_before"));
  return undefined;
}

function invalid(field: string, reason: Reason): Result<never, OfficeRefusal> {
  return err({ kind: "invalid", field, reason });
}
