import { canAccessBranch, type SignedIn } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { addDays, type CivilDate } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  type ClosingRow,
  closeCashStatement,
  closingQuery,
  closingsQuery,
  drawerQuery,
  lastClosingQuery,
  nextClosingQuery,
  type RegisterRow,
  registerQuery,
} from "#worker/store/payments/register.ts";
import { civilNow, getDayStart } from "#worker/tenancy/clock.ts";
import { getTokenUserId, readAsStaff, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import {
  type OfficeAnswer,
  type OfficeRefusal,
  type OfficeWrite,
  refuseWithout,
} from "#worker/usecases/bookings/moves/office-context.ts";
import { writeOfficeOnce } from "#worker/usecases/operations/office-write.ts";

/** What came and went in a day, and the cash that was counted. */
export interface DayRegister {
  readonly date: CivilDate;
  readonly branchCode: string | undefined;
  readonly rows: readonly RegisterRow[];
  readonly closings: readonly ClosingRow[];
  /** Of one branch: what should be in its drawer now, since it was counted last. */
  readonly drawer: { readonly openingCents: Cents; readonly movedCents: Cents } | undefined;
}

/** The register of a day; today's where none is named. One round trip. */
export async function readRegister(
  request: StaffRequest,
  query: { readonly date: CivilDate | undefined; readonly branchCode: string | undefined },
): Promise<Result<OfficeAnswer<DayRegister>, OfficeRefusal>> {
  const { tenant, now } = request;
  const { branchCode } = query;
  const userId = await getTokenUserId(request);
  const dayIn = (timezone: string) => query.date ?? civilNow(timezone, now).date;
  const read = await readAsStaff(request, ({ settings: { timezone } }) => {
    const date = dayIn(timezone);
    const from = getDayStart(timezone, date);
    const day = { branchCode, from, until: getDayStart(timezone, addDays(date, 1)), userId };
    return [
      registerQuery(tenant.db, day),
      closingsQuery(tenant.db, day, date),
      drawerQuery(tenant.db, branchCode ?? "", from),
    ] as const;
  });
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = refuseWithout(staff, "see");
  if (missing) return missing;
  if (branchCode !== undefined && !catalogue.branches.has(branchCode))
    return err({ kind: "invalid", field: "rental_location_code", reason: "is not known" });
  if (branchCode !== undefined && !canAccessBranch(staff, branchCode)) return err({ kind: "branchOfOthers" });
  const [sums, closings, [drawer]] = rows;
  const value = {
    date: dayIn(catalogue.settings.timezone),
    branchCode,
    rows: sums,
    closings,
    drawer:
      branchCode === undefined || !drawer
        ? undefined
        : { openingCents: drawer.openingCents ?? 0, movedCents: drawer.movedCents },
  };
  return ok({ value, freshToken });
}

/** The cash of a branch as a person counted it. */
export interface RequestedClosing {
  readonly branchCode: string;
  readonly date: CivilDate | undefined;
  readonly countedCents: Cents;
  readonly takenOutCents: Cents;
  /** With what the drawer was opened, where it was never counted before. */
  readonly openingCents: Cents;
  readonly note: string | undefined;
}

/** Closes the cash of a branch's day with what was counted, once: its difference stays, whatever comes later. */
export function closeCash(
  write: OfficeWrite,
  requestedClosing: RequestedClosing,
): Promise<Result<OfficeAnswer<ClosingRow>, OfficeRefusal>> {
  const { db } = write.tenant;
  const { branchCode } = requestedClosing;
  return writeOfficeOnce(write, {
    right: "sell",
    content: { closeCash: requestedClosing },
    read: () => [lastClosingQuery(db, branchCode), nextClosingQuery(db)] as const,
    readBack: (id) => [closingQuery(db, Number(id))] as const,
    answer: ([[closing]], { staff }) =>
      closing && canAccessBranch(staff, closing.closing.branchCode) ? ok(closing) : err({ kind: "closingNotFound" }),
    decide: ({ rows: [[last], [next]], staff, catalogue, actor }) => {
      const { timezone } = catalogue.settings;
      const today = civilNow(timezone, write.now).date;
      const date = requestedClosing.date ?? today;
      const refused = refuseClosing(catalogue, staff, { ...requestedClosing, date, today, lastDate: last?.date });
      if (refused) return refused;
      const id = next?.id ?? 1;
      const counted = { ...requestedClosing, id, date, from: getDayStart(timezone, date), actor, at: write.now };
      return ok({ resource: String(id), statements: [closeCashStatement(db, counted)] });
    },
  });
}

function refuseClosing(
  { branches }: Catalogue,
  staff: SignedIn,
  closing: RequestedClosing & { readonly date: string; readonly today: string; readonly lastDate: string | undefined },
): Result<never, OfficeRefusal> | undefined {
  const { branchCode, date, today, lastDate, takenOutCents, countedCents } = closing;
  if (!branches.has(branchCode)) return invalid("rental_location_code", "is not known");
  if (!canAccessBranch(staff, branchCode)) return err({ kind: "branchOfOthers" });
  if (date > today) return invalid("date", "is still to come");
  if (takenOutCents > countedCents) return invalid("taken_out", "is more than was counted");
  return lastDate !== undefined && lastDate >= date ? err({ kind: "cashClosed" }) : undefined;
}

function invalid(field: string, reason: string): Result<never, OfficeRefusal> {
  return err({ kind: "invalid", field, reason });
}
