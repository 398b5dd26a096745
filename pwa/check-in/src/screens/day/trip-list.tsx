import type { TransferTrip } from "../../api/messages.ts";
import { t } from "../../i18n/texts.ts";
import { toHref } from "../../state/route.ts";
import { TripStateChip } from "../../ui/trip-state.tsx";

/** Transfer trips of the day, by time. */
export function TripList({ trips }: { readonly trips: readonly TransferTrip[] }) {
  return (
    <ul class="entries">
      {trips.map((trip) => (
        <TripRow key={`${trip.booking_id}|${trip.position}`} trip={trip} />
      ))}
    </ul>
  );
}

function TripRow({ trip }: { readonly trip: TransferTrip }) {
  const { booking_id, position, time, origin, destination, vehicle, adults, children, infants } = trip;
  return (
    <li>
      <a class="entry" href={toHref("transfer", booking_id, position)}>
        <time>{time}</time>
        <span class="grow">
          <b class="who">{trip.customer.full_name}</b>
          <span class="where">
            {origin.name} → {destination.name}
          </span>
          <span class="what">
            <span class="category">{vehicle}</span>
            <span>{t("pax", { n: adults + children + infants })}</span>
            <TripStateChip trip={trip} />
          </span>
        </span>
      </a>
    </li>
  );
}
