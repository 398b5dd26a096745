import { dayText, money } from "../../account.ts";
import { amountCell } from "../../desk/amount-cell.ts";
import type { Listed } from "../../desk/reservation.ts";
import { type Column, Rows } from "../../desk/rows.tsx";
import { StateBadge } from "../../desk/state-badge.tsx";
import { t } from "../../texts.ts";

const columns = (): readonly Column<Listed>[] => [
  {
    head: t("reservation"),
    cell: ({ id, agency_reservation_id: theirs }) => (
      <>
        {id}
        {theirs && <small>{theirs}</small>}
      </>
    ),
  },
  { head: t("in.status"), cell: (one) => <StateBadge of={one} /> },
  { head: t("customer"), cell: (one) => <span class="strong">{one.customer_fullname}</span>, is: "wide" },
  { head: t("pickup"), cell: (one) => whenAndWhere(one.date_from, one.time_from, one.pickup_place) },
  { head: t("return"), cell: (one) => whenAndWhere(one.date_to, one.time_to, one.return_place) },
  { head: t("vehicles"), cell: vehiclesOf },
  { head: t("total"), cell: (one) => money(one.total_cost), is: "number" },
  { head: t("pending"), cell: (one) => amountCell(one.total_pending), is: "number" },
];

function whenAndWhere(date: string, time: string, place: string | null) {
  return (
    <>
      {dayText(date)}, {time}
      <small>{place}</small>
    </>
  );
}

function vehiclesOf(of: Listed): string {
  if (of.kind === "transfer") return t("kindTransfer");
  const vehicles = of.reservation_lines.flatMap((line) => {
    const plates = line.reservation_line_resources.flatMap(
      ({ stock_plate, reference }) => stock_plate ?? reference ?? [],
    );
    return plates.length > 0 ? plates : [line.item_description];
  });
  return vehicles.join(", ");
}

/** Reservations in a table, or as cards where there is no room for one. */
export function ReservationRows({ rows }: { readonly rows: readonly Listed[] }) {
  return (
    <Rows
      name={t("reservations")}
      rows={rows}
      columns={columns()}
      keyOf={({ id }) => id}
      to={({ id }) => ["reservations", id]}
    />
  );
}
