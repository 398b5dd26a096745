import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { CivilDate } from "#domain/dates.ts";
import { isolateRightToLeft } from "#shared/locale.ts";
import { account, formatDay, getBranchName, getCategoryName, getCompanyDateTime, isWeekend } from "../../account.ts";
import { getDisplayState } from "../../desk/reservation-state-badge.tsx";
import { t, tOr } from "../../texts.ts";
import {
  addRowsAhead,
  type BoardBar,
  type BoardRow,
  chooseRowsToRender,
  clipBarToBoard,
  getSoldPercent,
  getVisibleRows,
  listVehicleNeeds,
  listVisibleBars,
  toBoardDate,
  type VisibleBar,
} from "./board.ts";
import { getCurrentBoardDay } from "./current-board-day.ts";
import { heldBar, ROW_HEIGHT, toDroppedBarChange } from "./drag-gestures.ts";

interface PaneProps {
  readonly name: string;
  readonly rows: readonly BoardRow[];
  readonly of: { current: HTMLDivElement | null };
  readonly height?: number;
  readonly from: CivilDate;
  readonly days: number;
  readonly dayWidth: number;
  readonly labelWidth: number;
  /** Whether the days are wider than the board. */
  readonly isWide: boolean;
  readonly onOpen: (row: BoardRow, bar: BoardBar | undefined) => void;
  readonly onScrollX: (left: number) => void;
}

// Some browsers lack `requestIdleCallback`.
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(work, 60);
    return () => clearTimeout(timer);
  }
  const idleCallback = requestIdleCallback(work);
  return () => cancelIdleCallback(idleCallback);
}

/** Rows painted together in one strip. Scrolling moves painted strips and adds new ones within a frame. */
const STRIP_ROWS = 8;

/** Rows of the board. Visible ones render immediately, others while the browser is idle. */
export function BoardRows(props: PaneProps) {
  const { name, rows, of, height, from, days, dayWidth, labelWidth, isWide, onOpen, onScrollX } = props;
  const [sight, setSight] = useState({ first: 0, last: 30 });
  const updateVisibleRows = () => {
    const { current } = of;
    if (!current) return;
    const next = getVisibleRows(current.scrollTop, current.clientHeight, ROW_HEIGHT, rows.length);
    setSight((now) => chooseRowsToRender(now, next, rows.length));
  };
  useLayoutEffect(updateVisibleRows, [rows, height]);
  // Rendered while idle, so that scrolling finds finished rows.
  useEffect(() => {
    const more = addRowsAhead(sight, rows.length);
    return more === sight ? undefined : whenIdle(() => setSight((now) => (now === sight ? more : now)));
  }, [sight, rows]);
  // Memoized, so that visible rows don't re-render when others appear or disappear.
  const strips = useMemo(() => {
    const rowElements = rows.map((row, index) => (
      <RowView key={row.key} {...{ row, index, days, dayWidth, onOpen }} count={rows.length} />
    ));
    return Array.from({ length: Math.ceil(rows.length / STRIP_ROWS) }, (_, index) => {
      const views = rowElements.slice(index * STRIP_ROWS, (index + 1) * STRIP_ROWS);
      const [top, height] = [index * STRIP_ROWS * ROW_HEIGHT, views.length * ROW_HEIGHT];
      return (
        <div key={index} class="strip" style={{ top: `${top}px`, height: `${height}px` }}>
          <ul class={isWide ? "lanes wide" : "lanes"}>{views}</ul>
        </div>
      );
    });
  }, [rows, dayWidth, days, isWide]);
  return (
    <section
      class="pane"
      ref={of}
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: where the keys come in, and what scrolls is scrolled by keys.
      tabIndex={0}
      style={height === undefined ? {} : { height: `${height}px` }}
      onScroll={(event) => {
        updateVisibleRows();
        onScrollX(event.currentTarget.scrollLeft);
      }}
    >
      <Backdrop from={from} days={days} dayWidth={dayWidth} height={rows.length * ROW_HEIGHT} />
      <div
        class="strips"
        style={{ height: `${rows.length * ROW_HEIGHT}px`, width: `${labelWidth + days * dayWidth}px` }}
      >
        {strips.slice(Math.floor(sight.first / STRIP_ROWS), Math.ceil(sight.last / STRIP_ROWS))}
      </div>
      <GhostBar rows={rows} from={from} days={days} dayWidth={dayWidth} />
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
  const now = getCurrentBoardDay(from);
  return (
    <div class="backdrop" aria-hidden="true" style={{ height: `${height}px` }}>
      {Array.from({ length: days }, (_, day) => (
        <i key={day} class={days > 1 && isWeekend(toBoardDate(from, day)) ? "weekend" : ""} />
      ))}
      {now >= 0 && now < days && <b style={{ transform: `translateX(${now * dayWidth}px)` }} />}
    </div>
  );
}

interface RowViewProps {
  readonly row: BoardRow;
  readonly index: number;
  readonly count: number;
  readonly days: number;
  readonly dayWidth: number;
  readonly onOpen: PaneProps["onOpen"];
}

/** Width of a day in pixels from which a cell shows the stock next to the free vehicles. */
const WIDE_DAY = 60;

function RowView({ row, index, count, days, dayWidth, onOpen }: RowViewProps) {
  return (
    <li class={`row ${row.kind}`} aria-posinset={index + 1} aria-setsize={count} data-row={row.key}>
      <div class="label-cell">
        <Label row={row} onOpen={onOpen} />
      </div>
      {row.kind === "category"
        ? row.soldDays.map((day) => (
            <span
              key={day.date}
              class={`sold ${day.sold > day.stock ? "over" : day.sold === day.stock && day.stock > 0 ? "full" : ""}`}
              title={t("freeOn", { free: day.stock - day.sold, stock: day.stock, date: formatDay(day.date) })}
              style={{ "--heat": `${getSoldPercent(day)}%` }}
            >
              {dayWidth < WIDE_DAY ? day.stock - day.sold : `${day.stock - day.sold} / ${day.stock}`}
            </span>
          ))
        : listVisibleBars(row.bars, days).map(({ bar, ...shown }) => (
            <BarView key={bar.key} {...{ row, bar, placement: shown, dayWidth, onOpen }} />
          ))}
    </li>
  );
}

function Label({ row, onOpen }: { readonly row: BoardRow; readonly onOpen: PaneProps["onOpen"] }) {
  if (row.kind !== "vehicle")
    return (
      <span class="label category-name">
        {(row.kind === "category" || row.isFirst) && (
          <span>
            <strong>{getCategoryName(row.category)}</strong>
            {row.kind === "category" && <small> {t("freePerDay")}</small>}
          </span>
        )}
      </span>
    );
  const { reference, stock_plate, name, rental_location_code: branch } = row.vehicle;
  const place = account.value.rental_locations.length > 1 ? [getBranchName(branch)] : [];
  const states = listVehicleNeeds(row.vehicle, getCompanyDateTime().date).map((state) => t(`rowState.${state}`));
  return (
    <button
      type="button"
      class="label"
      tabIndex={-1}
      title={[reference, name, ...place, ...states].join(" · ")}
      onClick={() => onOpen(row, undefined)}
    >
      <strong>{stock_plate ?? reference}</strong>
      <small dir="auto">{[...states, ...place, reference, name].join(" · ")}</small>
    </button>
  );
}

interface BarViewProps {
  readonly row: BoardRow;
  readonly bar: BoardBar;
  readonly placement: Omit<VisibleBar, "bar">;
  readonly dayWidth: number;
  readonly onOpen: PaneProps["onOpen"];
}

const MIN_LABEL_WIDTH_PX = 150;
/** Approximate width of a letter and of the padding of a bar, in pixels. */
const LETTER = 8;
const EDGES = 30;

// Bars are in normal flow, because each absolutely positioned one would be a layer to check on scroll.
function BarView({ row, bar, placement, dayWidth, onOpen }: BarViewProps) {
  const { state, word, name } = getBarLabel(bar);
  const width = (placement.end - placement.start) * dayWidth;
  const secondaryLabel = width > MIN_LABEL_WIDTH_PX && name !== word ? word : "";
  const isTight = (name.length + secondaryLabel.length) * LETTER + EDGES > width;
  const classNames = [placement.isCutLeft && "cut-left", placement.isCutRight && "cut-right", isTight && "tight"];
  return (
    <div class="bar" style={{ width: `${width}px`, marginLeft: `${placement.gapDays * dayWidth}px` }}>
      <button
        type="button"
        tabIndex={-1}
        data-bar={bar.key}
        data-state={state}
        class={classNames.filter(Boolean).join(" ")}
        title={fullName(bar, word)}
        onClick={() => onOpen(row, bar)}
      >
        {/* Set by attribute, so that long text is cut at its end instead of its start. */}
        <span dir="auto">{name}</span>
        {secondaryLabel && <small>{secondaryLabel}</small>}
      </button>
    </div>
  );
}

/** Returns the status, its text and the name for a bar. */
function getBarLabel({ contract, block, isOverdue, isExchanged }: BoardBar) {
  if (contract) {
    const state = isOverdue ? "overdue" : isExchanged ? "done" : getDisplayState(contract);
    const statusLabel = isExchanged ? t("exchangedBack") : tOr(`state.${state}`, state);
    return { state, word: statusLabel, name: contract.customer_fullname };
  }
  const statusLabel = tOr(`block.${block?.reason}`, t("blocked"));
  return { state: "blocked", word: statusLabel, name: block?.note || statusLabel };
}

function fullName({ contract, block }: BoardBar, statusLabel: string): string {
  const at = (moment: string) => `${formatDay(moment)}, ${moment.slice(11, 16)}`;
  if (contract) {
    return `${isolateRightToLeft(contract.customer_fullname)}, ${statusLabel}, ${at(contract.from)} – ${at(contract.to)} (${contract.id})`;
  }
  if (!block) return statusLabel;
  return `${statusLabel}, ${at(block.from)} – ${at(block.to)}${block.note ? `, ${isolateRightToLeft(block.note)}` : ""}`;
}

function GhostBar({
  rows,
  from,
  days,
  dayWidth,
}: {
  readonly rows: readonly BoardRow[];
  readonly from: CivilDate;
  readonly days: number;
  readonly dayWidth: number;
}) {
  const now = heldBar.value;
  const index = now ? rows.findIndex(({ key }) => key === now.target.key) : -1;
  const visiblePart = now && clipBarToBoard(now, days);
  if (index < 0 || !visiblePart) return null;
  const change = toDroppedBarChange(now, { from });
  const refusal = change?.kind === "refused" ? change.why : undefined;
  return (
    <div
      class={refusal ? "ghost refused" : "ghost"}
      aria-hidden="true"
      style={{
        transform: `translate(calc(var(--label) + ${visiblePart.start * dayWidth}px), ${index * ROW_HEIGHT}px)`,
        width: `${(visiblePart.end - visiblePart.start) * dayWidth}px`,
      }}
    >
      {refusal && <span>{t(`whyNot.${refusal}`)}</span>}
    </div>
  );
}
