import { useState } from "preact/hooks";
import { rentalListRequests } from "./engines/rentals.ts";
import { addDays, formatDay, isDateText } from "./format.ts";
import { type DatePeriod, findNearestPeriod, MAX_SHIFT_DAYS } from "./free-period.ts";
import type { ListedProduct, Settings } from "./model.ts";
import { fillPlaceholders } from "./texts.ts";
import type { BookingFlow } from "./use-booking-flow.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly settings: Settings;
  readonly offer: ListedProduct;
}

const SHORT = { day: "numeric", month: "short" } as const;

/** Finds the nearest dates on which a sold-out category is free, when the visitor asks for them. */
export function NearestFreeDates({ shop, settings, offer }: Props) {
  const { texts, client, locale } = shop;
  const { search } = shop.place;
  const { date_from: from, date_to: to, pickup_place: pickup = "" } = search;
  // False if no dates were found.
  const [period, setPeriod] = useState<DatePeriod | false>();
  if (!isDateText(from) || !isDateText(to)) return null;
  const find = () =>
    shop.ask(async () => {
      const start = [addDays(from, -MAX_SHIFT_DAYS), settings.server_date].sort().at(-1) ?? from;
      const end = addDays(to, MAX_SHIFT_DAYS);
      const [{ occupation }, returnDays] = await Promise.all([
        rentalListRequests.occupation(client, offer.id, pickup, start, end),
        rentalListRequests.days(client, "collections", search.return_place ?? pickup, start, end),
      ]);
      setPeriod(findNearestPeriod({ from, to }, { occupation, returnDays }) ?? false);
    });
  const day = (date: string) => formatDay(date, locale, SHORT).replaceAll(" ", "\u00a0");
  const searchAgain = ({ from, to }: DatePeriod) => shop.find({ ...search, date_from: from, date_to: to });
  return (
    <div role="status" data-free-dates>
      {period === false && <p class="quiet">{texts.noFreeDates}</p>}
      {period !== false && (
        <button
          type="button"
          class="other"
          onClick={() => (period ? searchAgain(period) : find())}
          aria-label={period ? undefined : `${texts.freeDates}: ${offer.name}`}
        >
          {period
            ? fillPlaceholders(texts.searchDates, { from: day(period.from), to: day(period.to) })
            : texts.freeDates}
        </button>
      )}
    </div>
  );
}
