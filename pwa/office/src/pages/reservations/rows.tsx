import { dayText, money, placeName } from "../../account.ts";
import { formatAmountCell } from "../../desk/amount-cell.ts";
import type { ReservationListItem } from "../../desk/reservation.ts";
import { type Column, Rows, type Selection } from "../../desk/rows.tsx";
import { ReservationStateBadge } from "../../desk/state-badge.tsx";
import { t } from "../../texts.ts";

/** Returns the columns of the reservation list. */
export const listReservationColumns = (): readonly Column<ReservationListItem>[] => [
  {
    head: t("reservation"),
    sort: "id",
    cell: ({ id, agency_reservation_id: agencyReference }) => (
      <>
        {id}
        {agencyReference && <small>{agencyReference}</small>}
      </>
    ),
  },
  { head: t("in.status"), sort: "status", cell: (listed) => <ReservationStateBadge of={listed} /> },
  {
    head: t("customer"),
    sort: "customer_fullname",
    cell: (listed) => <span class="strong">{listed.customer_fullname}</span>,
    is: "wide",
  },
  {
    head: t("pickup"),
    sort: "date_from",
    cell: (listed) =>
      whenAndWhere(listed.date_from, listed.time_from, placeName(listed.pickup_place_id, listed.pickup_place)),
    is: "date",
  },
  {
    head: t("return"),
    sort: "date_to",
    cell: (listed) =>
      whenAndWhere(listed.date_to, listed.time_to, placeName(listed.return_place_id, listed.return_place)),
    is: "date",
  },
  { head: t("vehicles"), cell: formatVehicles },
  { head: t("total"), sort: "total_cost", cell: (listed) => money(listed.total_cost), is: "number" },
  { head: t("pending"), sort: "total_pending", cell: (listed) => formatAmountCell(listed.total_pending), is: "number" },
];

function whenAndWhere(date: string, time: string, place: string) {
  return (
    <>
      {dayText(date)}, {time}
      <small class="on-wide">{place}</small>
    </>
  );
}

function formatVehicles(reservation: ReservationListItem): string {
  if (reservation.kind === "transfer") return t("kindTransfer");
  const vehicles = reservation.reservation_lines.flatMap((line) => {
    const plates = line.reservation_line_resources.flatMap(
      ({ stock_plate, reference }) => stock_plate ?? reference ?? [],
    );
    return plates.length > 0 ? plates : [line.item_description];
  });
  return vehicles.join(", ");
}

/** Reservations as a table, or as cards if there's no space. */
export function ReservationRows({
  rows,
  selection,
}: {
  readonly rows: readonly ReservationListItem[];
  readonly selection?: Selection;
}) {
  return (
    <Rows
      name={t("reservations")}
      rows={rows}
      columns={listReservationColumns()}
      keyOf={({ id }) => id}
      list="reservations"
      to={({ id }) => ["reservations", id]}
      {...(selection && { selection })}
    />
  );
}
