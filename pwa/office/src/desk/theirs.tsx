import { momentText, money } from "../account.ts";
import { t, tOr } from "../texts.ts";
import type { Reservation } from "./reservation.ts";
import { stateOf } from "./state-badge.tsx";

type Row = readonly [name: string, text: (of: Reservation) => string];

const ROWS: readonly Row[] = [
  ["state", (of) => tOr(`state.${stateOf(of)}`, of.status)],
  ["pickup", (of) => `${momentText(`${of.date_from} ${of.time_from}`)} · ${of.pickup_place}`],
  ["return", (of) => `${momentText(`${of.date_to} ${of.time_to}`)} · ${of.return_place}`],
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
  const changed = ROWS.filter(([, text]) => text(seen) !== text(now));
  return (
    <div class="notice waiting" role="alert">
      <p>{t("changedBeside")}</p>
      <table class="beside-table">
        <thead>
          <tr>
            <td />
            <th scope="col">{t("youSaw")}</th>
            <th scope="col">{t("isNow")}</th>
          </tr>
        </thead>
        <tbody>
          {changed.map(([name, text]) => (
            <tr key={name}>
              <th scope="row">{tOr(`row.${name}`, name)}</th>
              <td>{text(seen) || t("nothing")}</td>
              <td>
                <strong>{text(now) || t("nothing")}</strong>
              </td>
            </tr>
          ))}
          {changed.length === 0 && (
            <tr>
              <td colSpan={3}>{t("changedElsewhere")}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
