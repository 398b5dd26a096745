import { useState } from "preact/hooks";
import { formatMoment, formatMoney, getCategoryName, getExtraName, getPlaceName } from "../account.ts";
import { t, tOr } from "../texts.ts";
import { ConflictTable } from "./conflict-table.tsx";
import { formatTravellers } from "./format-travellers.ts";
import type { Reservation, TransferTrip } from "./reservation.ts";
import { getDisplayState } from "./reservation-state-badge.tsx";

const tripText = ({ date, time, origin, destination }: TransferTrip) =>
  `${formatMoment(`${date} ${time}`)} ${origin} – ${destination}`;

type Row = readonly [name: string, text: (source: Reservation) => string];

const ROWS: readonly Row[] = [
  ["state", (source) => tOr(`state.${getDisplayState(source)}`, source.status)],
  [
    "pickup",
    (source) =>
      `${formatMoment(`${source.date_from} ${source.time_from}`)} · ${getPlaceName(source.pickup_place_id, source.pickup_place)}`,
  ],
  [
    "return",
    (source) =>
      `${formatMoment(`${source.date_to} ${source.time_to}`)} · ${getPlaceName(source.return_place_id, source.return_place)}`,
  ],
  ["trips", ({ transfer }) => transfer?.trips.map(tripText).join(", ") ?? ""],
  ["transferVehicle", ({ transfer }) => (transfer ? `${transfer.vehicle} · ${formatTravellers(transfer)}` : "")],
  ["customer", (source) => source.customer_fullname],
  ["mail", (source) => source.customer_email ?? ""],
  ["phone", (source) => source.customer_phone ?? ""],
  [
    "category",
    (source) =>
      source.reservation_lines
        .map((line) => `${line.quantity} × ${getCategoryName(line.item_id, line.item_description)}`)
        .join(", "),
  ],
  [
    "extras",
    (source) =>
      source.reservation_extras
        .map(
          (bookedExtra) =>
            `${bookedExtra.quantity} × ${getExtraName(bookedExtra.extra_id, bookedExtra.extra_description)}`,
        )
        .join(", "),
  ],
  ["vehicles", (source) => source.units.map(({ reference }) => reference ?? t("noVehicle")).join(", ")],
  ["total", (source) => formatMoney(source.total_cost)],
  ["paid", (source) => formatMoney(source.total_paid)],
  ["notes", (source) => source.notes ?? ""],
];

/** Shows another user's changes of a reservation, compared with what the user saw. */
export function ReservationConflict({
  originalReservation,
  now,
}: {
  readonly originalReservation: Reservation;
  readonly now: Reservation;
}) {
  const differences = ROWS.filter(([, text]) => text(originalReservation) !== text(now)).map(([name, text]) => ({
    name,
    label: tOr(`row.${name}`, name),
    seen: text(originalReservation) || t("nothing"),
    now: text(now) || t("nothing"),
  }));
  return (
    <ConflictTable message={t("changedBeside")} differences={differences} noDifferencesText={t("changedElsewhere")} />
  );
}

/**
 * Returns the reservation as it is now, and the properties with which a form sheet shows another user's changes and
 * continues with them.
 */
export function useReservationConflict(of: Reservation) {
  const [now, setNow] = useState<Reservation>();
  return {
    now: now && now.version > of.version ? now : of,
    sheet: {
      originalValues: { version: of.version },
      thingOf: ({ reservation }: { readonly reservation?: Reservation | undefined }) => {
        setNow(reservation);
        return reservation && { version: reservation.version };
      },
      conflict: now && <ReservationConflict originalReservation={of} now={now} />,
    },
  };
}
