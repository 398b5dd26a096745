import { dayText, isNothing, money } from "../../account.ts";
import type { Listed } from "../../desk/reservation.ts";
import { StateBadge } from "../../desk/state-badge.tsx";
import { go, linkTo } from "../../route.ts";
import { t } from "../../texts.ts";

/** Reservations in a table, or as cards where there is no room for one. */
export function Rows({ rows }: { readonly rows: readonly Listed[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than its place is scrolled by keys.
    <section class="table stack" aria-label={t("reservations")} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("reservation")}</th>
            <th scope="col">{t("in.status")}</th>
            <th scope="col">{t("customer")}</th>
            <th scope="col">{t("pickup")}</th>
            <th scope="col">{t("return")}</th>
            <th scope="col">{t("vehicles")}</th>
            <th scope="col" class="number">
              {t("total")}
            </th>
            <th scope="col" class="number">
              {t("pending")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <Row key={one.id} of={one} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ of }: { readonly of: Listed }) {
  const vehicles = of.reservation_lines.flatMap((line) => {
    const plates = line.reservation_line_resources.flatMap(
      ({ stock_plate, reference }) => stock_plate ?? reference ?? [],
    );
    return plates.length > 0 ? plates : [line.item_description];
  });
  return (
    // A click anywhere goes there; by keyboard the link does.
    <tr
      class="open"
      onClick={(event) => {
        if (!(event.target instanceof HTMLAnchorElement)) go("reservations", of.id);
      }}
    >
      <th scope="row">
        <a href={linkTo("reservations", of.id)}>{of.id}</a>
        {of.agency_reservation_id && <small>{of.agency_reservation_id}</small>}
      </th>
      <td>
        <StateBadge of={of} />
      </td>
      <td>{of.customer_fullname}</td>
      <td class="moment">
        {dayText(of.date_from)}, {of.time_from}
        <small>{of.pickup_place}</small>
      </td>
      <td class="moment">
        {dayText(of.date_to)}, {of.time_to}
        <small>{of.return_place}</small>
      </td>
      <td>{of.kind === "transfer" ? t("kindTransfer") : vehicles.join(", ")}</td>
      <td class="number" data-label={t("total")}>
        {money(of.total_cost)}
      </td>
      <td class={isNothing(of.total_pending) ? "number soft" : "number"} data-label={t("pending")}>
        {money(of.total_pending)}
      </td>
    </tr>
  );
}
