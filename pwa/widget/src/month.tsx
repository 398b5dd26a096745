import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { addMonths, getDateByPressedKey, listMonthWeeks } from "./calendar-days.ts";
import { addDays, formatDay } from "./format.ts";
import type { Texts } from "./texts.ts";
import { useLatestLoad } from "./use-latest.ts";

interface Props {
  readonly value: string;
  readonly least: string;
  readonly locale: string;
  readonly texts: Texts;
  readonly loadDays: (from: string, to: string) => Promise<readonly string[]>;
  readonly onChoose: (date: string) => void;
}

const MONDAY = "2024-01-01";

/** Calendar of a month, navigable with arrows, Home, End, Page Up and Page Down. */
export function Month({ value, least, locale, texts, loadDays, onChoose }: Props) {
  const [at, setAt] = useState(value < least ? least : value);
  const [known, setKnown] = useState<{ readonly month: string; readonly days: ReadonlySet<string> }>();
  const grid = useRef<HTMLTableElement>(null);
  const isMoved = useRef(true);
  const month = at.slice(0, 7);

  useLatestLoad([month], (isCurrent) => {
    // If open days can't be loaded, all are selectable. The search reports unavailable ones.
    void loadDays(`${month}-01`, addDays(`${addMonths(month, 1)}-01`, -1)).then(
      (days) => isCurrent() && setKnown({ month, days: new Set(days) }),
      () => undefined,
    );
  });
  // Before painting, because a removed month would lose the focus and key presses.
  useLayoutEffect(() => {
    if (isMoved.current) grid.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus();
    isMoved.current = false;
  }, [at]);

  const move = (date: string, isByKey: boolean) => {
    isMoved.current = isByKey;
    setAt(date < least ? least : date);
  };
  const turnPages = (months: number) => move(`${addMonths(month, months)}-01`, false);
  // Whether a day is closed. Open days that were loaded for the previous month don't apply to this one.
  const isClosed = (day: string) => day < least || (known?.month === month && !known.days.has(day));
  // Not `disabled`, because the button would lose the focus, and Escape wouldn't work.
  const isEarliest = month <= least.slice(0, 7);
  const weekdays = Array.from({ length: 7 }, (_, index) => addDays(MONDAY, index));

  const dayCell = (day: string) => (
    <button
      type="button"
      class="day"
      data-day={day}
      tabIndex={day === at ? 0 : -1}
      aria-disabled={isClosed(day)}
      aria-pressed={day === value}
      aria-label={`${formatDay(day, locale, { weekday: "long", day: "numeric", month: "long", year: "numeric" })}${isClosed(day) ? `, ${texts.closedDay}` : ""}`}
      onClick={() => !isClosed(day) && onChoose(day)}
    >
      {Number(day.slice(8))}
    </button>
  );

  return (
    <>
      <div class="months">
        <button
          type="button"
          aria-label={texts.previousMonth}
          aria-disabled={isEarliest}
          onClick={() => isEarliest || turnPages(-1)}
        >
          ‹
        </button>
        <b aria-live="polite">{formatDay(`${month}-01`, locale, { month: "long", year: "numeric" })}</b>
        <button type="button" aria-label={texts.nextMonth} onClick={() => turnPages(1)}>
          ›
        </button>
      </div>
      <table
        ref={grid}
        onKeyDown={(event) => {
          const next = getDateByPressedKey(event.key, at);
          if (!next) return;
          event.preventDefault();
          move(next, true);
        }}
      >
        <thead>
          <tr>
            {weekdays.map((day) => (
              <th key={day} scope="col" abbr={formatDay(day, locale, { weekday: "long" })}>
                {formatDay(day, locale, { weekday: "short" })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listMonthWeeks(month).map((week, index) => (
            <tr key={`${month} ${index}`}>
              {week.map((day, weekday) => (
                <td key={day ?? weekday}>{day && dayCell(day)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
