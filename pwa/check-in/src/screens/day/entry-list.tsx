import { useEffect, useRef, useState } from "preact/hooks";
import type { Booking } from "../../api/messages.ts";
import { t } from "../../i18n/texts.ts";
import { shownDate } from "../../state/day.ts";
import { type HandOverSide, STATUS_TONES, type WorkStatus } from "../../state/day-entries.ts";
import { formatDay } from "../../state/format-time.ts";
import { localizeBooking } from "../../state/names.ts";
import { toHref } from "../../state/route.ts";
import { LatenessLabel } from "../../ui/lateness-label.tsx";
import { Chip, Plate } from "../../ui/parts.tsx";

/** Entries shown initially, loading more on scroll. 300 entries at once would block slow devices. */
const FIRST = 10;
const PAGE = 30;

type Entry = readonly [Booking, WorkStatus];

export function DayBookingList({ entries, side }: { readonly entries: readonly Entry[]; readonly side: HandOverSide }) {
  const [limit, setLimit] = useState(FIRST);
  const more = useRef<HTMLButtonElement>(null);
  const visibleEntries = entries.slice(0, limit);
  useEffect(() => setLimit(FIRST), [side]);
  useEffect(() => {
    if (!more.current) return;
    const observer = new IntersectionObserver(([seen]) => {
      if (seen?.isIntersecting) setLimit((before) => before + PAGE);
    });
    observer.observe(more.current);
    return () => observer.disconnect();
  }, [limit, entries.length]);
  return (
    <>
      <ul class="entries">
        {visibleEntries.map(([booking, standing]) => (
          <EntryRow key={booking.booking_id} booking={booking} workStatus={standing} side={side} />
        ))}
      </ul>
      {entries.length > limit && (
        <button ref={more} type="button" class="other" onClick={() => setLimit(limit + PAGE)}>
          {t("showMore", { n: entries.length - limit })}
        </button>
      )}
    </>
  );
}

interface RowProps {
  readonly booking: Booking;
  readonly workStatus: WorkStatus;
  readonly side: HandOverSide;
}

function EntryRow({ booking: stored, workStatus, side }: RowProps) {
  const booking = localizeBooking(stored);
  const day = side === "delivery" ? booking.date_from : booking.date_to;
  const visibleEntries = shownDate.value;
  const time = side === "delivery" ? booking.time_from : booking.time_to;
  const place = side === "delivery" ? booking.pickup_place : booking.return_place;
  const vehicles = booking.resources.map(({ vehicle, category_name }) => vehicle?.stock_plate ?? category_name);
  return (
    <li>
      <a class="entry" href={toHref("booking", booking.booking_id)}>
        <time>
          {time}
          {day !== visibleEntries && <small>{formatDay(day)}</small>}
        </time>
        <span class="grow">
          <b class="who">{booking.customer.full_name}</b>
          <span class="where">{place}</span>
          <span class="what">
            {vehicles.slice(0, 2).map((text, index) => (
              <VehicleMark key={text} text={text} isPlate={booking.resources[index]?.vehicle != null} />
            ))}
            {vehicles.length > 2 && <span>+{vehicles.length - 2}</span>}
            {workStatus !== "todo" && <Chip tone={STATUS_TONES[workStatus]}>{t(`standing_${workStatus}`)}</Chip>}
            <LatenessLabel booking={booking} workStatus={workStatus} side={side} />
          </span>
        </span>
      </a>
    </li>
  );
}

const VehicleMark = ({ text, isPlate }: { readonly text: string; readonly isPlate: boolean }) =>
  isPlate ? <Plate text={text} /> : <span class="category">{text}</span>;
