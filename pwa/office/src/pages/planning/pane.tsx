import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { CivilDate } from "#domain/dates.ts";
import { categoryName, dayText, isWeekend } from "../../account.ts";
import { stateOf } from "../../desk/state-badge.tsx";
import { t, tOr } from "../../texts.ts";
import { type Bar, cut, dateAt, type Row, rowsInSight } from "./board.ts";
import { held, ROW_HEIGHT } from "./gestures.ts";
import { nowOn } from "./now.ts";

interface PaneProps {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly of: { current: HTMLDivElement | null };
  readonly height?: number;
  readonly from: CivilDate;
  readonly days: number;
  readonly dayWidth: number;
  readonly labelWidth: number;
  readonly onOpen: (row: Row, bar: Bar | undefined) => void;
  readonly onScrollX: (left: number) => void;
}

/** Rows of the board, as many as are in sight. */
export function Pane({ name, rows, of, height, from, days, dayWidth, labelWidth, onOpen, onScrollX }: PaneProps) {
  const [sight, setSight] = useState({ first: 0, last: 30 });
  const look = () => {
    const { current } = of;
    if (!current) return;
    const next = rowsInSight(current.scrollTop, current.clientHeight, ROW_HEIGHT, rows.length);
    setSight((now) => (now.first === next.first && now.last === next.last ? now : next));
  };
  useLayoutEffect(look, [rows, height]);
  // Made once: a row that stays in sight is not looked at again while the others come and go.
  const made = useMemo(
    () =>
      rows.map((row, index) => (
        <RowView key={row.key} {...{ row, index, days, dayWidth, onOpen }} count={rows.length} />
      )),
    [rows, dayWidth, days],
  );
  return (
    <section
      class="pane"
      ref={of}
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: where the keys come in, and what scrolls is scrolled by keys.
      tabIndex={0}
      style={height === undefined ? {} : { height: `${height}px` }}
      onScroll={(event) => {
        look();
        onScrollX(event.currentTarget.scrollLeft);
      }}
    >
      <Backdrop from={from} days={days} dayWidth={dayWidth} height={rows.length * ROW_HEIGHT} />
      <ul class="rows" style={{ height: `${rows.length * ROW_HEIGHT}px`, width: `${labelWidth + days * dayWidth}px` }}>
        {made.slice(sight.first, sight.last)}
      </ul>
      <Ghost rows={rows} days={days} dayWidth={dayWidth} />
    </section>
  );
}

function Backdrop({
  from,
  days,
  dayWidth,
  height,
}: {
  readonly from: CivilDate;
  readonly days: number;
  readonly dayWidth: number;
  readonly height: number;
}) {
  const now = nowOn(from);
  const weekend = Array.from({ length: days }, (_, index) => index).filter((day) => isWeekend(dateAt(from, day)));
  return (
    <div class="backdrop" aria-hidden="true" style={{ height: `${height}px` }}>
      {days > 1 &&
        weekend.map((day) => (
          <i
            key={day}
            class="weekend"
            style={{ transform: `translateX(${day * dayWidth}px)`, width: `${dayWidth}px` }}
          />
        ))}
      {now >= 0 && now < days && <i class="now" style={{ transform: `translateX(${now * dayWidth}px)` }} />}
    </div>
  );
}

interface RowViewProps {
  readonly row: Row;
  readonly index: number;
  readonly count: number;
  readonly days: number;
  readonly dayWidth: number;
  readonly onOpen: PaneProps["onOpen"];
}

function RowView({ row, index, count, days, dayWidth, onOpen }: RowViewProps) {
  return (
    <li
      class={`row ${row.kind}`}
      aria-posinset={index + 1}
      aria-setsize={count}
      data-row={row.key}
      style={{ transform: `translateY(${index * ROW_HEIGHT}px)` }}
    >
      <div class="label-cell">
        <Label row={row} onOpen={onOpen} />
      </div>
      {row.kind === "category"
        ? row.sold.map((day, at) => (
            <span
              key={day.date}
              class={`sold ${day.sold > day.stock ? "over" : day.sold === day.stock && day.stock > 0 ? "full" : ""}`}
              style={{ transform: `translateX(${at * dayWidth}px)`, width: `${dayWidth}px` }}
              title={t("soldOf", { sold: day.sold, stock: day.stock, date: dayText(day.date) })}
            >
              {dayWidth > 26 ? `${day.sold}/${day.stock}` : day.sold}
            </span>
          ))
        : row.bars.map((bar) => <BarView key={bar.key} {...{ row, bar, days, dayWidth, onOpen }} />)}
    </li>
  );
}

function Label({ row, onOpen }: { readonly row: Row; readonly onOpen: PaneProps["onOpen"] }) {
  if (row.kind === "category")
    return (
      <span class="label">
        <strong>{categoryName(row.category)}</strong>
      </span>
    );
  if (row.kind === "unassigned")
    return <span class="label">{row.isFirst && <strong>{categoryName(row.category)}</strong>}</span>;
  const { reference, stock_plate, name } = row.vehicle;
  return (
    <button type="button" class="label" tabIndex={-1} onClick={() => onOpen(row, undefined)}>
      <strong>{stock_plate ?? reference}</strong>
      <small>
        {reference} · {name}
      </small>
    </button>
  );
}

interface BarViewProps {
  readonly row: Row;
  readonly bar: Bar;
  readonly days: number;
  readonly dayWidth: number;
  readonly onOpen: PaneProps["onOpen"];
}

const WORDS_FROM = 150;

function BarView({ row, bar, days, dayWidth, onOpen }: BarViewProps) {
  const shown = cut(bar, days);
  if (!shown) return null;
  const { contract, block } = bar;
  const state = contract ? (bar.isOverdue ? "overdue" : stateOf(contract)) : "blocked";
  const word = contract ? tOr(`state.${state}`, state) : tOr(`block.${block?.reason}`, t("blocked"));
  const width = (shown.end - shown.start) * dayWidth;
  const name = contract?.customer_fullname ?? (block?.note || word);
  return (
    <div
      class="bar"
      style={{ transform: `translateX(${shown.start * dayWidth}px)`, width: `${Math.max(width - 2, 6)}px` }}
    >
      <button
        type="button"
        tabIndex={-1}
        data-bar={bar.key}
        data-state={state}
        class={`${shown.isCutLeft ? "cut-left" : ""} ${shown.isCutRight ? "cut-right" : ""}`}
        title={fullName(bar, word)}
        onClick={() => onOpen(row, bar)}
      >
        <span>{name}</span>
        {width > WORDS_FROM && name !== word && <small>{word}</small>}
      </button>
    </div>
  );
}

function fullName({ contract, block }: Bar, word: string): string {
  if (contract) {
    const { customer_fullname, date_from, time_from, date_to, time_to, id } = contract;
    return `${customer_fullname}, ${word}, ${dayText(date_from)}, ${time_from} – ${dayText(date_to)}, ${time_to} (${id})`;
  }
  if (!block) return word;
  const at = (moment: string) => `${dayText(moment)}, ${moment.slice(11, 16)}`;
  return `${word}, ${at(block.from)} – ${at(block.to)}${block.note ? `, ${block.note}` : ""}`;
}

function Ghost({
  rows,
  days,
  dayWidth,
}: {
  readonly rows: readonly Row[];
  readonly days: number;
  readonly dayWidth: number;
}) {
  const now = held.value;
  const index = now ? rows.findIndex(({ key }) => key === now.target.key) : -1;
  const shown = now && cut(now, days);
  if (index < 0 || !shown) return null;
  return (
    <div
      class="ghost"
      aria-hidden="true"
      style={{
        transform: `translate(calc(var(--label) + ${shown.start * dayWidth}px), ${index * ROW_HEIGHT}px)`,
        width: `${(shown.end - shown.start) * dayWidth}px`,
      }}
    />
  );
}
