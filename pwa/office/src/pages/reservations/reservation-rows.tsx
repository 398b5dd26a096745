import { formatDay, formatMoney, getCategoryName, getPlaceName } from "../../account.ts";
import { formatAmountCell } from "../../desk/amount-cell.ts";
import type { ReservationListItem } from "../../desk/reservation.ts";
import { ReservationStateBadge } from "../../desk/reservation-state-badge.tsx";
import { type RowSelection, RowsTable, type TableColumn } from "../../desk/rows.tsx";
import { useTransferPointNames } from "../../desk/transfer-names.ts";
import { t } from "../../texts.ts";

/** Returns the columns of the reservation list. Points of transfers have no id, so they are translated by name. */
export const listReservationColumns = (
  translatePoint = (agreed: string) => agreed,
): readonly TableColumn<ReservationListItem>[] => [
  {
    head: t("reservation"),
    sort: "id",
    cell: ({ id, agency_reservation_id: agencyReference }) => (
      <>
        {id}
        {agencyReference && <small class="on-wide">{agencyReference}</small>}
      </>
    ),
  },
  { head: t("in.status"), sort: "status", cell: (listed) => <ReservationStateBadge of={listed} /> },
  {
    head: t("customer"),
    sort: "customer_fullname",
    cell: (listed) => (
      <>
        <span class="strong">{listed.customer_fullname}</span>
        <small class="until-laptop">{formatVehicles(listed)}</small>
      </>
    ),
    is: "wide",
  },
  {
    head: t("pickup"),
    sort: "date_from",
    cell: (listed) =>
      whenAndWhere(
        listed.date_from,
        listed.time_from,
        translatePoint(getPlaceName(listed.pickup_place_id, listed.pickup_place)),
      ),
    is: "date",
  },
  {
    head: t("return"),
    sort: "date_to",
    cell: (listed) =>
      whenAndWhere(
        listed.date_to,
        listed.time_to,
        isOneWay(listed) ? translatePoint(getPlaceName(listed.return_place_id, listed.return_place)) : "",
      ),
    is: "date",
  },
  { head: t("vehicles"), cell: formatVehicles, from: "laptop" },
  {
    head: t("total"),
    sort: "total_cost",
    cell: (listed) => formatMoney(listed.total_cost),
    is: "number",
    from: "laptop",
  },
  { head: t("pending"), sort: "total_pending", cell: (listed) => formatAmountCell(listed.total_pending), is: "number" },
];

// Whether the return place differs from the pickup place. Only then is it shown.
const isOneWay = (listed: ReservationListItem) =>
  listed.pickup_place_id !== listed.return_place_id || listed.pickup_place !== listed.return_place;

function whenAndWhere(date: string, time: string, place: string) {
  return (
    <>
      {formatDay(date)}, {time}
      {place && <small class="on-wide">{place}</small>}
    </>
  );
}

function formatVehicles(reservation: ReservationListItem): string {
  if (reservation.kind === "transfer") return t("kindTransfer");
  const vehicles = reservation.reservation_lines.flatMap((line) => {
    const plates = line.reservation_line_resources.flatMap(
      ({ stock_plate, reference }) => stock_plate ?? reference ?? [],
    );
    return plates.length > 0 ? plates : [getCategoryName(line.item_id, line.item_description)];
  });
  return vehicles.join(", ");
}

/** Reservations as a table, or as cards if there's no space. */
export function ReservationRows({
  rows,
  selection,
}: {
  readonly rows: readonly ReservationListItem[];
  readonly selection?: RowSelection;
}) {
  const translatePoint = useTransferPointNames(rows.some(({ kind }) => kind === "transfer"));
  return (
    <RowsTable
      name={t("reservations")}
      rows={rows}
      columns={listReservationColumns(translatePoint)}
      keyOf={({ id }) => id}
      list="reservations"
      to={({ id }) => ["reservations", id]}
      {...(selection && { selection })}
    />
  );
}
