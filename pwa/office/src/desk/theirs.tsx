import { momentText, money } from "../account.ts";
import { t, tOr } from "../texts.ts";
import { BesideTable } from "./beside-table.tsx";
import { peopleText } from "./people-text.ts";
import type { Reservation, TransferTrip } from "./reservation.ts";
import { stateOf } from "./state-badge.tsx";

const tripText = ({ date, time, origin, destination }: TransferTrip) =>
  `${momentText(`${date} ${time}`)} ${origin} – ${destination}`;

type Row = readonly [name: string, text: (of: Reservation) => string];

const ROWS: readonly Row[] = [
  ["state", (of) => tOr(`state.${stateOf(of)}`, of.status)],
  ["pickup", (of) => `${momentText(`${of.date_from} ${of.time_from}`)} · ${of.pickup_place}`],
  ["return", (of) => `${momentText(`${of.date_to} ${of.time_to}`)} · ${of.return_place}`],
  ["trips", ({ transfer }) => transfer?.trips.map(tripText).join(", ") ?? ""],
  ["transferVehicle", ({ transfer }) => (transfer ? `${transfer.vehicle} · ${peopleText(transfer)}` : "")],
  ["customer", (of) => of.customer_fullname],
  ["mail", (of) => of.customer_email ?? ""],
  ["phone", (of) => of.customer_phone ?? ""],
  ["category", (of) => of.reservation_lines.map((line) => `${line.quantity} × ${line.item_description}`).join(", ")],
  ["extras", (of) => of.reservation_extras.map((one) => `${one.quantity} × ${one.extra_description}`).join(", ")],
  ["vehicles", (of) => of.units.map(({ reference }) => reference ?? t("noVehicle")).join(", ")],
  ["total", (of) => money(of.total_cost)],
  ["paid", (of) => money(of.total_paid)],
  ["notes", (of) => of.notes ?? ""],
];

/** What of a reservation somebody else changed meanwhile, beside what one saw. */
export function Theirs({ seen, now }: { readonly seen: Reservation; readonly now: Reservation }) {
  const differences = ROWS.filter(([, text]) => text(seen) !== text(now)).map(([name, text]) => ({
    name,
    label: tOr(`row.${name}`, name),
    seen: text(seen) || t("nothing"),
    now: text(now) || t("nothing"),
  }));
  return <BesideTable lead={t("changedBeside")} differences={differences} otherwise={t("changedElsewhere")} />;
}
