import { signal } from "@preact/signals";
import type { Board, BoardBar, BoardRow } from "./board.ts";
import { type BoardChange, toBoardChange, toFreePeriodChange } from "./board-changes.ts";

/** Bar being moved, shown as a ghost until dropped. */
export interface HeldBar {
  readonly row: BoardRow;
  /** Undefined while a free period is selected. */
  readonly bar: BoardBar | undefined;
  readonly grip: "bar" | "end";
  readonly days: number;
  readonly target: BoardRow;
  readonly start: number;
  readonly end: number;
}

export const heldBar = signal<HeldBar | undefined>(undefined);

/**
 * Height of a row in pixels: dense for a mouse, larger for fingers. Less than 28 would make bars smaller than 24, the
 * smallest target that WCAG 2.2 allows (2.5.8), and cut category names of two lines.
 */
export const ROW_HEIGHT = matchMedia("(pointer: fine)").matches ? 28 : 40;
const EDGE = 10;
const STEP = 5;
const SCROLL_EDGE = 36;

/** Board with its layout on the screen: widths in pixels, and the scrolled panes with their rows. */
export interface BoardViewport {
  readonly board: Board;
  readonly dayWidth: number;
  readonly labelWidth: number;
  readonly panes: () => readonly { readonly element: HTMLElement; readonly rows: readonly BoardRow[] }[];
}

/** Returns the position of a moved bar. On another row it keeps its dates. */
export function toHeldBar(row: BoardRow, bar: BoardBar, grip: "bar" | "end", days: number, target: BoardRow): HeldBar {
  const isOtherVehicle = target.key !== row.key && target.kind !== "category";
  const shift = isOtherVehicle ? 0 : days;
  const end = Math.max(bar.end + shift, bar.start + 1 / 24);
  return {
    row,
    bar,
    grip,
    days: shift,
    target: isOtherVehicle && grip === "bar" ? target : row,
    start: grip === "bar" ? bar.start + shift : bar.start,
    end,
  };
}

/** Converts the dropped bar to a board change. */
export function toDroppedBarChange(
  { row, bar, grip, days, target, start, end }: HeldBar,
  board: Pick<Board, "from">,
): BoardChange | undefined {
  if (!bar) return toFreePeriodChange(row, board.from, start, end - 1 / 1440);
  return toBoardChange(bar, row, { grip, days, target });
}

interface Point {
  readonly clientX: number;
  readonly clientY: number;
}

function rowAt({ panes }: BoardViewport, { clientY }: Point): BoardRow | undefined {
  for (const { element, rows } of panes()) {
    const { top, bottom } = element.getBoundingClientRect();
    if (clientY >= top && clientY < bottom) return rows[Math.floor((clientY - top + element.scrollTop) / ROW_HEIGHT)];
  }
  return undefined;
}

function dayAt({ panes, labelWidth, dayWidth }: BoardViewport, { clientX }: Point): number {
  const [pane] = panes();
  if (!pane) return 0;
  const { left } = pane.element.getBoundingClientRect();
  return (clientX - left + pane.element.scrollLeft - labelWidth) / dayWidth;
}

interface Dragged {
  readonly row: BoardRow;
  readonly bar: BoardBar | undefined;
  readonly grip: "bar" | "end";
}

function findDragged(stage: BoardViewport, event: PointerEvent): Dragged | undefined {
  const target = event.target as HTMLElement;
  const row = rowAt(stage, event);
  if (!row || row.kind === "category" || target.closest(".label")) return undefined;
  const element = target.closest<HTMLElement>("[data-bar]");
  if (!element) return row.kind === "vehicle" ? { row, bar: undefined, grip: "bar" } : undefined;
  const bar = row.bars.find(({ key }) => key === element.dataset["bar"]);
  const isAtEnd = element.getBoundingClientRect().right - event.clientX < EDGE;
  return bar && { row, bar, grip: isAtEnd ? "end" : "bar" };
}

function getHeldBarAt(stage: BoardViewport, { row, bar, grip }: Dragged, from: Point, to: Point): HeldBar {
  const [first, last] = [dayAt(stage, from), dayAt(stage, to)];
  if (bar) return toHeldBar(row, bar, grip, Math.round(last - first), rowAt(stage, to) ?? row);
  const [start, end] = [Math.floor(Math.min(first, last)), Math.floor(Math.max(first, last)) + 1];
  return { row, bar, grip, days: 0, target: row, start: Math.max(0, start), end: Math.min(stage.board.days, end) };
}

// Returns the pane edge that a point is near: -1 above, 1 below, 0 none.
function getScrollEdge(element: HTMLElement, { clientY }: Point): -1 | 0 | 1 {
  const { top, bottom } = element.getBoundingClientRect();
  if (clientY < top || clientY > bottom) return 0;
  if (clientY > bottom - SCROLL_EDGE) return 1;
  return clientY < top + SCROLL_EDGE ? -1 : 0;
}

/** Handles dragging with a mouse or pen. Touch scrolls and opens tapped bars. */
export function handleBoardPointer(
  event: PointerEvent,
  viewport: BoardViewport,
  onChange: (change: BoardChange) => void,
): void {
  if (event.pointerType === "touch" || event.button !== 0) return;
  const dragged = findDragged(viewport, event);
  if (!dragged) return;
  let last: Point = event;
  let timer = 0;
  const move = (to: PointerEvent) => {
    last = to;
    const isMoved = Math.hypot(to.clientX - event.clientX, to.clientY - event.clientY) >= STEP;
    if (!isMoved && !heldBar.value) return;
    heldBar.value = getHeldBarAt(viewport, dragged, event, to);
    if (timer === 0) timer = requestAnimationFrame(scroll);
  };
  // Scrolls rows automatically near an edge.
  const scroll = () => {
    timer = heldBar.value ? requestAnimationFrame(scroll) : 0;
    for (const { element } of viewport.panes()) element.scrollTop += STEP * getScrollEdge(element, last);
  };
  const end = (isDone: boolean) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", cancel);
    removeEventListener("keydown", onKey, true);
    const dropped = heldBar.value;
    heldBar.value = undefined;
    if (!dropped) return;
    // The click event at the end of a drag must not open anything.
    const swallow = (click: Event) => click.stopPropagation();
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    const change = isDone ? toDroppedBarChange(dropped, viewport.board) : undefined;
    if (change) onChange(change);
  };
  const up = () => end(true);
  const cancel = () => end(false);
  const onKey = (key: KeyboardEvent) => {
    if (key.key === "Escape") cancel();
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", cancel);
  addEventListener("keydown", onKey, true);
}
