import { formatCursor } from "#domain/reporting/page-cursor.ts";
import { ok, type Result } from "#domain/result.ts";
import {
  isSortedByPickup,
  type ReservationFilter,
  reservationListQueries,
} from "#worker/store/contracts/reservation-list.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import type { ContractForOffice } from "#worker/usecases/reporting/read-models.ts";
import { createSortedPageCursor, type Page, sortUniqueNewestFirst, toPage } from "#worker/usecases/shared/page.ts";

/** Page of reservations of the user's branches. */
export type ReservationPage = Page<ContractForOffice, string>;

/** Lists matching reservations, by pickup or newest first. One round trip. */
export async function listReservations(
  request: StaffRequest,
  filter: ReservationFilter,
): Promise<Result<StaffAnswer<ReservationPage>, OfficeRefusal>> {
  const { tenant, now } = request;
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(request, ({ settings }) => {
    const { date, time } = toCivilNow(settings.timezone, now);
    const { noShowMinutes } = settings;
    const search = { ...filter, userId, at: now, civilNow: `${date} ${time}`, noShowMinutes };
    return reservationListQueries(tenant.db, search);
  });
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [page, [counted]] = rows;
  const sortedRows = rows.length === 2 ? page : sortUniqueNewestFirst([...page, ...rows[2]]);
  const toCursor = ({ id, dateFrom, timeFrom }: ContractForOffice) =>
    isSortedByPickup(filter) ? formatCursor(`${dateFrom}T${timeFrom}`, id) : createSortedPageCursor(filter.sorted, id);
  return ok({ value: toPage(sortedRows, counted, filter.pageSize, toCursor), freshToken });
}
