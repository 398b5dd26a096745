import type { ComponentChildren } from "preact";
import {
  formatMoment,
  formatMoney,
  getCategoryName,
  getCompanyDateTime,
  getExtraName,
  isZeroAmount,
} from "../../account.ts";
import { QuoteLine } from "../../desk/quote-line.tsx";
import { listCostParts, type Reservation, type Transfer } from "../../desk/reservation.ts";
import { useTransferPointNames, useTransferVehicleAndExtraNames } from "../../desk/transfer-names.ts";
import { t, tOr } from "../../texts.ts";

/** Price of a reservation with all parts and the total. */
export function ReservationPrice({
  of,
  children,
}: {
  readonly of: Reservation;
  readonly children?: ComponentChildren;
}) {
  const { transfer } = of;
  const translatePoint = useTransferPointNames(transfer !== null);
  const translateContent = useTransferVehicleAndExtraNames(transfer !== null);
  const trips = transfer && costsWhatItsTripsDo(of.item_cost, transfer) ? transfer.trips : [];
  const displayedParts = new Set([
    ...(of.reservation_lines.length > 0 ? ["item_cost"] : []),
    ...(of.reservation_extras.length > 0 ? ["extras_cost"] : []),
    ...(transfer ? ["extras_cost", "supplement_1_cost"] : []),
    ...(trips.length > 0 ? ["item_cost"] : []),
  ]);
  return (
    <section class="panel" aria-labelledby="price">
      <h2 id="price">{t("price")}</h2>
      <table class="sums">
        <tbody>
          {of.reservation_lines.map((line) => (
            <tr key={line.id}>
              <th scope="row">
                {line.quantity > 1 ? `${line.quantity} × ` : ""}
                {getCategoryName(line.item_id, line.item_description || line.item_id)}
              </th>
              <td class="number">{formatMoney(line.item_cost)}</td>
            </tr>
          ))}
          {of.reservation_extras.map((bookedExtra) => (
            <tr key={bookedExtra.id}>
              <th scope="row">
                {bookedExtra.quantity > 1 ? `${bookedExtra.quantity} × ` : ""}
                {getExtraName(bookedExtra.extra_id, bookedExtra.extra_description)}
              </th>
              <td class="number">{formatMoney(bookedExtra.extra_cost)}</td>
            </tr>
          ))}
          {trips.map((trip) => (
            <tr key={`${trip.date} ${trip.time}`}>
              <th scope="row">
                {translatePoint(trip.origin)} – {translatePoint(trip.destination)}
              </th>
              <td class="number">{formatMoney(trip.cost)}</td>
            </tr>
          ))}
          {transfer &&
            [...transfer.extras, ...transfer.supplements.map((supplement) => ({ ...supplement, quantity: 1 }))].map(
              (item) => (
                <QuoteLine key={item.description} line={{ ...item, description: translateContent(item.description) }} />
              ),
            )}
          {listCostParts(of)
            .filter(([name]) => !displayedParts.has(name))
            .map(([name, amount]) => (
              <tr key={name}>
                <th scope="row">{tOr(`part.${name}`, name)}</th>
                <td class="number">{formatMoney(amount)}</td>
              </tr>
            ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t("total")}</th>
            <td class="number">{formatMoney(of.total_cost)}</td>
          </tr>
        </tfoot>
      </table>
      {of.discount && (
        <p class="soft">
          {t("discountSummary", {
            list: formatMoney(of.list_total_cost),
            amount: formatMoney(of.discount.amount),
            reason: of.discount.reason ?? "",
          })}
        </p>
      )}
      {!of.discount && !isZeroAmount(of.price_difference) && (
        <p class="soft">
          {t("otherPrice", { amount: formatMoney(of.price_difference), reason: of.price_reason ?? "" })}
        </p>
      )}
      {of.promotion_code && <p class="soft">{t("withCode", { code: of.promotion_code })}</p>}
      {children}
    </section>
  );
}

// Whether the trips add up to the price. An imported transfer may have a separate price.
function costsWhatItsTripsDo(cost: string, { trips }: Transfer): boolean {
  const sum = trips.reduce((all, transferTrip) => all + Number(transferTrip.cost), 0);
  return isZeroAmount((sum - Number(cost)).toFixed(3));
}

/** Row of a sum, with the result of a reservation's money as the main one. */
type SumRow = readonly [name: string, amount: string, isResult?: true];

/** Lists the paid, pending, refundable and held amounts. A negative balance is only shown as the amount to refund. */
export function listMoneySums(of: Reservation, held: string): readonly SumRow[] {
  const isRefundDue = of.total_pending === `-${of.to_refund}`;
  const others: readonly SumRow[] = [
    [t("toRefund"), isRefundDue ? "0" : of.to_refund],
    [t("deposit"), of.total_deposit],
    [t("depositHeld"), of.deposit_held],
    [t("heldOnCard"), held],
  ];
  return [
    [t("total"), of.total_cost],
    [t("paid"), of.total_paid],
    ...(isZeroAmount(of.agent_comission_prepaid_amount)
      ? []
      : [[t("prepaidToAgent"), of.agent_comission_prepaid_amount] as const]),
    ...(of.status === "cancelled" ? [[t("fee"), of.cancellation_fee ?? "0"] as const] : []),
    isRefundDue ? [t("toRefund"), of.to_refund, true] : [t("pending"), of.total_pending, true],
    ...others.filter(([, amount]) => !isZeroAmount(amount)),
  ];
}

/** Sums of a reservation's money, with the balance or the amount to refund in bold. */
export function MoneySums({ of, held }: { readonly of: Reservation; readonly held: string }) {
  return (
    <>
      <dl>
        {listMoneySums(of, held).map(([name, amount, isResult]) => (
          <div key={name} class={isResult ? "sum strong" : "sum"}>
            <dt>{name}</dt>
            <dd class="number">{formatMoney(amount)}</dd>
          </div>
        ))}
      </dl>
      {of.hold_until && of.status === "pending_confirmation" && (
        <p class="notice waiting">
          {t(isPast(of.hold_until) ? "holdOver" : "holdUntil", { at: formatMoment(of.hold_until) })}
        </p>
      )}
    </>
  );
}

// Whether a local time is past.
function isPast(moment: string): boolean {
  const { date, time } = getCompanyDateTime();
  return moment.slice(0, 16) < `${date} ${time}`;
}
