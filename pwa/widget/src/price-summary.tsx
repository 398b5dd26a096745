import { Fragment } from "preact";
import { useEffect, useState } from "preact/hooks";
import { formatAmount, formatDay } from "./format.ts";
import { FLIGHT_FIELDS, type PricedTrip, type Settings } from "./model.ts";
import { appendRentalLength, fillPlaceholders } from "./texts.ts";
import type { BookingFlow } from "./use-booking-flow.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly settings: Settings;
  readonly trip: PricedTrip;
  /** Kilometres per day that the price includes. Undefined if unlimited or unknown. */
  readonly kilometres?: number | null | undefined;
}

/** Rented items with their price lines, which add up to the total. The security deposit isn't included. */
export function BookingPriceSummary({ shop: { texts, kind, locale }, settings, trip, kilometres }: Props) {
  const title = kind === "rentals" ? texts.yours : texts.yourTransfer;
  const announcedTotal = useChanged(`${texts.total}: ${formatAmount(trip.total, settings)}`);
  return (
    <section class="card sum" part="summary" aria-label={title}>
      <h3>{title}</h3>
      {trip.legs.map(({ place, date, time }, index) => (
        <p key={`${date} ${time}`}>
          {kind === "rentals" && (
            <>
              <small>{index === 0 ? texts.pickup : texts.return}</small>
              <br />
            </>
          )}
          <b>{place}</b>
          <br />
          {formatDay(date, locale, { weekday: "long", day: "numeric", month: "long", year: "numeric" })}, {time}
        </p>
      ))}
      <dl>
        {FLIGHT_FIELDS.map((name) => trip.flights?.[name] && line(texts[name], trip.flights[name]))}
        <dt>
          {appendRentalLength(trip.vehicle || texts.vehicle, trip, texts)}
          {kilometres && (
            <>
              <br />
              <small data-kilometres>{fillPlaceholders(texts.kilometres, { n: kilometres })}</small>
            </>
          )}
        </dt>
        <dd>{formatAmount(trip.vehicleCost, settings)}</dd>
        {(trip.extras.length > 0 || Number(trip.extrasCost) !== 0) &&
          line(
            [texts.extras, ...trip.extras.map(({ quantity, name }) => `${quantity} × ${name}`)].join(" · "),
            formatAmount(trip.extrasCost, settings),
          )}
        {Number(trip.discount ?? 0) !== 0 && line(texts.discount, formatAmount(`-${trip.discount}`, settings))}
        {trip.fees.map(({ text, amount }) => line(texts[text], formatAmount(amount, settings)))}
        {Number(trip.supplementsCost) !== 0 && line(texts.supplements, formatAmount(trip.supplementsCost, settings))}
        <dt class="total">
          {texts.total} <small>{texts.taxesIncluded}</small>
        </dt>
        <dd class="total" data-total>
          {formatAmount(trip.total, settings)}
        </dd>
      </dl>
      {Number(trip.securityDeposit) > 0 && (
        <p class="quiet">
          {fillPlaceholders(texts.securityDeposit, { amount: formatAmount(trip.securityDeposit, settings) })}
        </p>
      )}
      <p class="unseen" role="status">
        {announcedTotal}
      </p>
    </section>
  );
}

const line = (name: string, value: string) => (
  <Fragment key={name}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </Fragment>
);

// Returns a text for screen readers once it differs from the initial one, which is visible anyway.
function useChanged(now: string): string {
  const [first, setFirst] = useState<string | undefined>(now);
  useEffect(() => {
    if (now !== first) setFirst(undefined);
  }, [now]);
  return now === first ? "" : now;
}
