import { ok, type Result } from "#domain/result.ts";
import {
  isByPickup,
  type ReservationFilter,
  reservationListQueries,
} from "#worker/store/contracts/reservation-list.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { type OfficeAnswer, type OfficeRefusal, refuseWithout } from "#worker/usecases/office/office-context.ts";
import { getTokenUserId, readAsStaff, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import type { ExtractedContract } from "#worker/usecases/reporting/read-models.ts";
import { newestFirst, type Page, toPage, toSortedCursor } from "#worker/usecases/shared/page.ts";

/** Page of reservations of the user's branches. */
export type ReservationPage = Page<ExtractedContract, string>;

/** Lists matching reservations, by pickup or newest first. One round trip. */
export async function listReservations(
  request: StaffRequest,
  filter: ReservationFilter,
): Promise<Result<OfficeAnswer<ReservationPage>, OfficeRefusal>> {
  const { tenant, now } = request;
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(request, ({ settings }) => {
    const { date, time } = civilNow(settings.timezone, now);
    const { noShowMinutes } = settings;
    const search = { ...filter, userId, at: now, civilNow: `${date} ${time}`, noShowMinutes };
    return reservationListQueries(tenant.db, search);
  });
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = refuseWithout(staff, "see");
  if (missing) return missing;
  const [page, [counted]] = rows;
  const sortedRows = rows.length === 2 ? page : newestFirst([...page, ...rows[2]]);
  const toCursor = ({ id, dateFrom, timeFrom }: ExtractedContract) =>
    isByPickup(filter) ? `${dateFrom}T${timeFrom}.${id}` : toSortedCursor(filter.sorted, id);
  return ok({ value: toPage(sortedRows, counted, filter.pageSize, toCursor), freshToken });
}
