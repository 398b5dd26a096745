import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { formatDay, getCompanyDateTime, isWeekend } from "../../account.ts";
import { t } from "../../texts.ts";
import { type Board, type BoardBar, type BoardRow, toBoardDate } from "./board.ts";
import type { BoardChange } from "./board-changes.ts";
import { handleBoardKey } from "./board-keys.ts";
import { BoardRows } from "./board-rows.tsx";
import { type BoardViewport, handleBoardPointer, heldBar, ROW_HEIGHT } from "./drag-gestures.ts";
import { formatWeekday } from "./format-weekday.ts";

const LABEL_WIDTH = 176;
const NARROW_LABEL_WIDTH = 116;
const NARROW = 700;
const MAX_PENDING_ROWS = 6;

interface BoardViewProps {
  readonly board: Board;
  readonly isWaitingShown: boolean;
  readonly onChange: (change: BoardChange) => void;
  readonly onOpen: (row: BoardRow, bar: BoardBar | undefined) => void;
}

/** Board of vehicles by day with unassigned contracts on top. Bars are moved by pointer or keyboard. */
export function BoardView({ board, isWaitingShown, onChange, onOpen }: BoardViewProps) {
  const root = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const pendingPane = useRef<HTMLDivElement>(null);
  const fleet = useRef<HTMLDivElement>(null);
  const width = useWidth(root, fleet);
  const labelWidth = width < NARROW ? NARROW_LABEL_WIDTH : LABEL_WIDTH;
  const dayWidth = Math.max(leastDayWidth(board.days), (width - labelWidth) / board.days);
  const stage: BoardViewport = {
    board,
    dayWidth,
    labelWidth,
    panes: () =>
      [
        { element: pendingPane.current, rows: board.waiting },
        { element: fleet.current, rows: board.fleet },
      ].flatMap(({ element, rows }) => (element ? [{ element, rows }] : [])),
  };
  // Scrolls the day header and both panes together.
  const alongX = (left: number) => {
    for (const hTMLDivElement of [head.current, pendingPane.current, fleet.current])
      if (hTMLDivElement && hTMLDivElement.scrollLeft !== left) hTMLDivElement.scrollLeft = left;
  };
  const onKeyDown = (event: KeyboardEvent) => handleBoardKey(event, stage, onChange);
  const isWide = labelWidth + board.days * dayWidth > width + 1;
  const views = { dayWidth, labelWidth, isWide, onOpen, onScrollX: alongX, days: board.days, from: board.from };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its parts have roles and keys of their own.
    <div
      class="board"
      ref={root}
      onPointerDown={(event) => handleBoardPointer(event, stage, onChange)}
      onKeyDown={onKeyDown}
      style={{ "--day": `${dayWidth}px`, "--label": `${labelWidth}px`, "--row": `${ROW_HEIGHT}px` }}
    >
      <Days board={board} dayWidth={dayWidth} of={head} />
      {board.waiting.length > 0 && isWaitingShown && (
        <BoardRows
          {...views}
          name={t("unassigned")}
          rows={board.waiting}
          of={pendingPane}
          height={Math.min(MAX_PENDING_ROWS, board.waiting.length) * ROW_HEIGHT}
        />
      )}
      <BoardRows {...views} name={t("vehicles")} rows={board.fleet} of={fleet} />
      <HeldBarText board={board} />
    </div>
  );
}

const LEAST: Readonly<Record<number, number>> = { 1: 640, 7: 92 };
const leastDayWidth = (days: number) => LEAST[days] ?? 28;

type Element = { readonly current: HTMLElement | null };

// Returns the width available for rows, without the scroll bar.
function useWidth(board: Element, pane: Element): number {
  const [width, setWidth] = useState(1000);
  useEffect(() => {
    const { current } = board;
    if (!current) return undefined;
    const observer = new ResizeObserver(() => {
      const scrolledBy = pane.current ? pane.current.offsetWidth - pane.current.clientWidth : 0;
      setWidth(current.clientWidth - scrolledBy);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return width;
}

interface DaysProps {
  readonly board: Board;
  readonly dayWidth: number;
  readonly of: { current: HTMLDivElement | null };
}

const HOURS = [0, 3, 6, 9, 12, 15, 18, 21];

function Days({ board, dayWidth, of }: DaysProps) {
  const today = getCompanyDateTime().date;
  const dates = useMemo(
    () => Array.from({ length: board.days }, (_, index) => toBoardDate(board.from, index)),
    [board.from, board.days],
  );
  return (
    <div class="days-head" ref={of} aria-hidden="true">
      <div style={{ width: `calc(var(--label) + ${board.days * dayWidth}px)` }}>
        <span class="corner">{board.waitingCount > 0 ? t("unassignedCount", { n: board.waitingCount }) : ""}</span>
        {board.days === 1
          ? HOURS.map((hour) => (
              <span key={hour} style={{ width: `${dayWidth / HOURS.length}px` }}>
                {String(hour).padStart(2, "0")}:00
              </span>
            ))
          : dates.map((date) => (
              <span
                key={date}
                class={[isWeekend(date) ? "weekend" : "", date === today ? "today" : ""].join(" ")}
                style={{ width: `${dayWidth}px` }}
              >
                {dayWidth < 60 ? (
                  <>
                    <small>{formatWeekday(date, dayWidth)}</small>
                    {Number(date.slice(8))}
                  </>
                ) : (
                  formatDay(date, "head")
                )}
              </span>
            ))}
      </div>
    </div>
  );
}

// Announces the held bar and its target to screen readers.
function HeldBarText({ board }: { readonly board: Board }) {
  const now = heldBar.value;
  if (!now?.bar) return <p class="unseen" role="status" />;
  const { contract, block } = now.bar;
  const barName = contract?.customer_fullname ?? t("blocked");
  const to = now.target.kind === "vehicle" ? now.target.vehicle.reference : t("unassigned");
  const until = formatDay(toBoardDate(board.from, Math.floor(now.end)));
  return (
    <p class="unseen" role="status">
      {t("held", { who: barName, to, until })} {!block && <span class="key-hint">{t("heldKeys")}</span>}
    </p>
  );
}
