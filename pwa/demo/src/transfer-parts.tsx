import type { Settings } from "./api.ts";
import { decoded, money } from "./parts.tsx";
import type { Texts } from "./texts.ts";
import type { Transfer, TransferReservation, Vehicle } from "./transfer-api.ts";
import type { TransferTexts } from "./transfer-texts.ts";

interface ChooseProps {
  readonly texts: Texts;
  readonly settings: Settings;
  readonly vehicles: readonly Vehicle[];
  readonly onChoose: (id: number) => void;
}

/** The vehicles that drive there. */
export function ChooseVehicle({ texts, settings, vehicles, onChoose }: ChooseProps) {
  return (
    <ul class="products">
      {vehicles.map((vehicle) => (
        <li key={vehicle.id} class={vehicle.available ? "card" : "card gone"}>
          {vehicle.photo_url && <img src={vehicle.photo_url} alt="" width="360" height="240" loading="lazy" />}
          <div>
            <h2>{vehicle.name}</h2>
            <p class="quiet">{vehicle.short_description}</p>
          </div>
          <div class="price">
            <b>{money(vehicle.price, settings)}</b>
            <button type="button" class="main" disabled={!vehicle.available} onClick={() => onChoose(vehicle.id)}>
              {vehicle.available ? texts.choose : texts.unavailable}
            </button>
          </div>
        </li>
      ))}
    </ul>
  );
}

interface SumProps {
  readonly texts: Texts;
  readonly words: TransferTexts;
  readonly settings: Settings;
  readonly transfer: Transfer;
}

/** The trips of a transfer and what they cost. */
export function TransferSum({ texts, words, settings, transfer }: SumProps) {
  const line = (label: string, amount: string) => [<dt key={label}>{label}</dt>, <dd>{money(amount, settings)}</dd>];
  return (
    <section class="card sum" aria-label={words.yours}>
      <h2>{words.yours}</h2>
      <p>
        <b>
          {transfer.origin_point_name_customer_translation} → {transfer.destination_point_name_customer_translation}
        </b>
        <br />
        {transfer.date}, {transfer.time}
      </p>
      {transfer.return_date && (
        <p data-return>
          <b>{words.back}</b>
          <br />
          {transfer.return_date}, {transfer.return_time}
        </p>
      )}
      <dl>
        {line(transfer.item_name_customer_translation ?? texts.vehicle, transfer.item_cost)}
        {line(texts.extras, transfer.extras_cost)}
        {Number(transfer.supplements_cost) > 0 && line(texts.supplements, transfer.supplements_cost)}
        <dt class="total">{texts.total}</dt>
        <dd class="total" data-total>
          {money(transfer.total_cost, settings)}
        </dd>
      </dl>
    </section>
  );
}

interface ReservationProps extends Omit<SumProps, "transfer"> {
  readonly booking: TransferReservation["booking"];
  readonly onAgain: () => void;
}

/** A reservation, and what is paid of it. */
export function TransferReserved({ booking, onAgain, ...rest }: ReservationProps) {
  const { texts, settings } = rest;
  return (
    <div class="columns">
      <section class="card" data-status={booking.status} data-payment={booking.payment_status}>
        <p class="quiet">
          {texts.reservation} {booking.id}
        </p>
        <h1>{decoded(booking.summary_status)}</h1>
        <dl>
          <dt>{texts.paid}</dt>
          <dd data-paid>{money(booking.total_paid, settings)}</dd>
          <dt>{texts.pending}</dt>
          <dd>{money(booking.total_pending, settings)}</dd>
        </dl>
        <button type="button" class="other" onClick={onAgain}>
          {texts.again}
        </button>
      </section>
      <TransferSum {...rest} transfer={booking} />
    </div>
  );
}
