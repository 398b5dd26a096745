import { ok, type Result } from "#domain/result.ts";
import { readToken } from "#worker/auth/tokens.ts";
import { type ReservationSearch, reservationListQueries } from "#worker/store/bookings/moves/reservation-list.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { readAsStaff, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import type { ExtractedContract } from "#worker/usecases/reporting/read-models.ts";
import { type OfficeAnswer, type OfficeRefusal, refuseWithout } from "./office-context.ts";

export type ReservationFilter = Omit<ReservationSearch, "userId" | "at" | "civilNow">;

/** A page of reservations of the branches of who asks. */
export interface ReservationPage {
  readonly rows: readonly ExtractedContract[];
  readonly total: number;
  /** Of the next page; undefined where this is the last. */
  readonly next: number | undefined;
}

/** What the office finds among the reservations, the latest made first; one round trip. */
export async function listReservations(
  request: StaffRequest,
  filter: ReservationFilter,
): Promise<Result<OfficeAnswer<ReservationPage>, OfficeRefusal>> {
  const { tenant, authorization, now } = request;
  // Whether it is good comes with the rows.
  const token = await readToken(tenant, authorization, now);
  const read = await readAsStaff(request, ({ settings }) => {
    const { date, time } = civilNow(settings.timezone, now);
    const search = { ...filter, userId: token?.userId ?? -1, at: now, civilNow: `${date} ${time}` };
    return reservationListQueries(tenant.db, search);
  });
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = refuseWithout(staff, "see");
  if (missing) return missing;
  const [found, [counted]] = rows;
  const page = found.slice(0, filter.pageSize);
  const next = found.length > filter.pageSize ? page.at(-1)?.id : undefined;
  return ok({ value: { rows: page, total: counted?.total ?? 0, next }, freshToken });
}
