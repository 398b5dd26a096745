import { useId, useMemo, useState } from "preact/hooks";
import { DatePicker } from "./date-picker.tsx";
import { rentalListRequests } from "./engines/rentals.ts";
import { ExtraRow } from "./extras.tsx";
import { getErrorAttributes, joinFieldErrors, NO_FIELD_ERROR } from "./field.tsx";
import { formatAmount } from "./format.ts";
import type { OwnExtra, OwnReservationChange, Period, Settings } from "./model.ts";
import { OwnChangeQuoteForm } from "./own-change-quote-form.tsx";
import { TimePicker } from "./time-picker.tsx";
import type { BookingFlow } from "./use-booking-flow.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly settings: Settings;
  readonly period: Period;
  readonly offered: readonly OwnExtra[];
  readonly onAsk: (change: OwnReservationChange) => void;
}

const SIDES = [
  ["from", "pickup", "deliveries"],
  ["to", "return", "collections"],
] as const;

/** Form to change the dates and extras of one's own rental. */
export function OwnRentalChangeForm({ shop, settings, period, offered, onAsk }: Props) {
  const { texts, client, locale, problem } = shop;
  const [dates, setDates] = useState(() => {
    const { date_from, time_from, date_to, time_to } = period;
    return { date_from, time_from, date_to, time_to };
  });
  const [wanted, setWanted] = useState(() => new Map(offered.map(({ code, quantity }) => [code, quantity])));
  const [own, setOwn] = useState(NO_FIELD_ERROR);
  const wrongId = useId();
  const change = (part: Partial<typeof dates>) => {
    setOwn(NO_FIELD_ERROR);
    setDates((now) => ({ ...now, ...part }));
  };
  const submit = () => {
    const isWrong = `${dates.date_to} ${dates.time_to}` <= `${dates.date_from} ${dates.time_from}`;
    const at = dates.date_from === dates.date_to ? "time_to" : "date_to";
    setOwn(isWrong ? { at, text: texts.returnBefore } : NO_FIELD_ERROR);
    const chosen = [...wanted].filter(([, quantity]) => quantity > 0);
    if (!isWrong) onAsk({ ...dates, extras: chosen.map(([code, quantity]) => ({ code, quantity })) });
  };
  const refused = problem?.at === "quote" ? problem.wrong : undefined;
  const fieldError = useMemo(() => (own.text ? own : joinFieldErrors(refused)), [own, refused]);
  return (
    <OwnChangeQuoteForm {...{ shop, formError: fieldError, wrongId }} onAsk={submit}>
      {SIDES.map(([side, name, action]) => {
        const [day, place] = [dates[`date_${side}`], period[`${name}_place`]];
        return (
          <fieldset key={side}>
            <legend>{texts[name]}</legend>
            <div class="pair">
              <DatePicker
                label={texts[`date_${side}`]}
                name={`date_${side}`}
                value={day}
                least={settings.server_date}
                errorAttributes={getErrorAttributes(fieldError, `date_${side}`, wrongId)}
                {...{ locale, texts }}
                loadDays={(from, to) => rentalListRequests.days(client, action, place, from, to)}
                onChange={(date) => change({ [`date_${side}`]: date })}
              />
              <TimePicker
                label={texts.time}
                name={`time_${side}`}
                value={dates[`time_${side}`]}
                errorAttributes={getErrorAttributes(fieldError, `time_${side}`, wrongId)}
                loadKey={day}
                agreed={period[`date_${side}`] === day ? period[`time_${side}`] : undefined}
                load={() => rentalListRequests.times(client, action, place, day)}
                onChange={(time) => change({ [`time_${side}`]: time })}
              />
            </div>
          </fieldset>
        );
      })}
      {offered.length > 0 && (
        <fieldset>
          <legend>{texts.extras}</legend>
          <ul class="extras">
            {offered.map(({ code, name, unit_price: price, max_quantity: maxQuantity }) => (
              <ExtraRow
                key={code}
                extra={{ id: code, code, name, price, most: maxQuantity }}
                price={formatAmount(price, settings)}
                quantity={wanted.get(code) ?? 0}
                texts={texts}
                onChange={(quantity) => setWanted((now) => new Map(now).set(code, quantity))}
              />
            ))}
          </ul>
        </fieldset>
      )}
    </OwnChangeQuoteForm>
  );
}
