import type { BoardBar, BoardRow } from "./board.ts";
import type { BoardChange } from "./board-changes.ts";
import { type BoardPosition, getNextBoardPosition, listRows, moveHeldBar } from "./board-navigation.ts";
import { type BoardViewport, type HeldBar, heldBar, ROW_HEIGHT, toDroppedBarChange } from "./drag-gestures.ts";

const SCROLLBAR = 18;

/** Handles a key on the board: navigates, or moves the held bar. */
export function handleBoardKey(
  event: KeyboardEvent,
  viewport: BoardViewport,
  onChange: (change: BoardChange) => void,
): void {
  const now = heldBar.value;
  const place = findPlace(viewport, event.target as HTMLElement);
  if (now) updateKeyboardDrag(event, viewport, { now, onChange });
  else if (place) followFree(event, viewport, place);
  else enter(event, viewport);
}

function followFree(event: KeyboardEvent, stage: BoardViewport, place: BoardPosition): void {
  const { row, bar } = place;
  if (bar && (event.key === "m" || event.key === "e")) {
    event.preventDefault();
    const grip = event.key === "m" ? "bar" : "end";
    heldBar.value = { row, bar, grip, days: 0, target: row, start: bar.start, end: bar.end };
    return;
  }
  const next = getNextBoardPosition(stage.board, place, event.key);
  if (!next) return;
  event.preventDefault();
  focusOn(stage, next.row, next.bar);
}

interface Holding {
  readonly now: HeldBar;
  readonly onChange: (change: BoardChange) => void;
}

function updateKeyboardDrag(event: KeyboardEvent, stage: BoardViewport, { now, onChange }: Holding): void {
  event.preventDefault();
  event.stopPropagation();
  const isDropped = event.key === "Enter" || event.key === " ";
  if (!isDropped && event.key !== "Escape" && event.key !== "Tab") {
    heldBar.value = moveHeldBar(stage.board, now, event.key);
    showRow(stage, heldBar.value.target);
    return;
  }
  heldBar.value = undefined;
  const change = isDropped ? toDroppedBarChange(now, stage.board) : undefined;
  focusOn(stage, now.row, now.bar);
  if (change) onChange(change);
}

// The first arrow key on the board selects its first row.
function enter(event: KeyboardEvent, stage: BoardViewport): void {
  if (!event.key.startsWith("Arrow")) return;
  const pane = stage.panes().find(({ element }) => element === event.target);
  const first = pane?.rows.find(({ kind }) => kind !== "category");
  if (!first || first.kind === "category") return;
  event.preventDefault();
  focusOn(stage, first, first.bars[0]);
}

function findPlace({ board }: BoardViewport, element: HTMLElement): BoardPosition | undefined {
  const key = element.closest<HTMLElement>("[data-row]")?.dataset["row"];
  const row = listRows(board).find((row) => row.key === key);
  const barKey = element.closest<HTMLElement>("[data-bar]")?.dataset["bar"];
  if (!row) return undefined;
  return { row, bar: row.kind === "category" ? undefined : row.bars.find((bar) => bar.key === barKey) };
}

// Scrolls a row into view and returns its pane.
function showRow({ panes }: BoardViewport, row: BoardRow): HTMLElement | undefined {
  for (const { element, rows } of panes()) {
    const index = rows.findIndex(({ key }) => key === row.key);
    if (index < 0) continue;
    const top = index * ROW_HEIGHT;
    const bottom = top + ROW_HEIGHT + SCROLLBAR;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
    return element;
  }
  return undefined;
}

function focusOn(stage: BoardViewport, row: BoardRow, bar: BoardBar | undefined): void {
  const pane = showRow(stage, row);
  // Rows outside the view are rendered in the next frame.
  requestAnimationFrame(() => {
    const rowElement = pane?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.key)}"]`);
    const barElement = bar && rowElement?.querySelector<HTMLElement>(`[data-bar="${bar.key}"]`);
    (barElement ?? rowElement?.querySelector<HTMLElement>(".label"))?.focus({ preventScroll: bar === undefined });
  });
}
