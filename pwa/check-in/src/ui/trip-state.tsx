import type { TransferTrip } from "../api/messages.ts";
import { t } from "../i18n/texts.ts";
import { formatMoment } from "../state/format-time.ts";
import { getLastTripEvent, getTripEventTime, type TripEventKind } from "../state/trip-events.ts";
import { Chip } from "./parts.tsx";

const TONES = { picked_up: "held", dropped: "done", nobody_came: "refused" } as const satisfies Record<
  TripEventKind,
  string
>;

/** Progress or problem of a trip. Empty if it's only confirmed. */
export function TripStateChip({ trip }: { readonly trip: TransferTrip }) {
  if (trip.status === "cancelled") return <Chip tone="refused">{t("tripCancelled")}</Chip>;
  if (trip.status === "pending_confirmation") return <Chip tone="waiting">{t("tripPending")}</Chip>;
  const last = getLastTripEvent(trip);
  if (!last) return null;
  const time = formatMoment(getTripEventTime(trip, last) ?? 0);
  return <Chip tone={TONES[last]}>{t(`trip_${last}`, { time })}</Chip>;
}
