import type { HandOverCheck, HandOverCheckModes } from "#domain/catalogue/hand-over-checks.ts";
import { listUnmetHandOverChecks } from "#domain/check-in/hand-over-checks.ts";
import { getPendingCents } from "#domain/payments/pending.ts";
import { formatCursor } from "#domain/reporting/page-cursor.ts";
import {
  isSortedByPickup,
  type ListedContractRow,
  type ReservationFilter,
  reservationListQueries,
} from "#worker/store/contracts/reservation-list.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { createListRead, type ListRead, readList } from "#worker/usecases/office/list-reads.ts";
import type { StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { createSortedPageCursor, type Page, sortUniqueNewestFirst, toPage } from "#worker/usecases/shared/page.ts";
import type { ListedContract } from "./read-models.ts";

/** Page of reservations of the user's branches. */
export type ReservationPage = Page<ListedContract, string>;

/** Returns the read of a page of matching reservations, by pickup or newest first. */
export const createReservationListRead = (
  { tenant, now }: StaffRequest,
  filter: ReservationFilter,
): ListRead<ReservationPage> =>
  createListRead(
    ({ settings }, userId) => {
      const { date, time } = toCivilNow(settings.timezone, now);
      const { noShowMinutes } = settings;
      const search = { ...filter, userId, at: now, civilNow: `${date} ${time}`, noShowMinutes };
      return reservationListQueries(tenant.db, search);
    },
    (rows, { settings: { handOverChecks } }) => {
      const [page, [counted]] = rows;
      const sortedRows = rows.length === 2 ? page : sortUniqueNewestFirst([...page, ...rows[2]]);
      const listedRows = sortedRows.map((row) => ({ ...row, missing: listMissing(row, handOverChecks) }));
      const toCursor = ({ id, dateFrom, timeFrom }: ListedContractRow) =>
        isSortedByPickup(filter)
          ? formatCursor(`${dateFrom}T${timeFrom}`, id)
          : createSortedPageCursor(filter.sorted, id);
      return toPage(listedRows, counted, filter.pageSize, toCursor);
    },
  );

/** Lists matching reservations, by pickup or newest first. One round trip. */
export const listReservations = (request: StaffRequest, filter: ReservationFilter) =>
  readList(request, createReservationListRead(request, filter));

function listMissing(row: ListedContractRow, checks: HandOverCheckModes): readonly HandOverCheck[] {
  const isToHandOver = row.kind === "rental" && (row.status === "confirmed" || row.status === "pending_confirmation");
  if (!isToHandOver) return [];
  return listUnmetHandOverChecks(checks, {
    ...row,
    dueCents: getPendingCents(row),
    depositHeldCents: row.depositHeldCents + row.authorisedCents,
    documentId: row.customerDocumentId,
  });
}
