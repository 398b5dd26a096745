import { type Board, type BoardBar, type BoardRow, findNearestBar } from "./board.ts";
import { type HeldBar, toHeldBar } from "./drag-gestures.ts";

/** Keyboard position: a bar or a row's name. */
export interface BoardPosition {
  readonly row: BoardRow;
  readonly bar: BoardBar | undefined;
}

const getBars = (row: BoardRow): readonly BoardBar[] => (row.kind === "category" ? [] : row.bars);

/** Lists all rows from top to bottom. */
export const listRows = ({ waiting, fleet }: Board): readonly BoardRow[] => [...waiting, ...fleet];

/** Returns the position after an arrow key: along the bars of a row, or the nearest bar of the next row. */
export function getNextBoardPosition(
  board: Board,
  { row, bar }: BoardPosition,
  key: string,
): BoardPosition | undefined {
  if (key === "ArrowDown" || key === "ArrowUp") {
    const next = nextRow(board, row, key === "ArrowDown" ? 1 : -1);
    return next && { row: next, bar: bar && findNearestBar(getBars(next), bar.start) };
  }
  const bars = getBars(row);
  const at = bars.findIndex((item) => item.key === bar?.key);
  if (key === "ArrowRight" && bars[at + 1]) return { row, bar: bars[at + 1] };
  // The row's name comes before its first bar.
  return key === "ArrowLeft" && at >= 0 ? { row, bar: bars[at - 1] } : undefined;
}

function nextRow(board: Board, row: BoardRow, step: 1 | -1): BoardRow | undefined {
  const rows = listRows(board).filter(({ kind }) => kind !== "category");
  return rows[rows.findIndex(({ key }) => key === row.key) + step];
}

/** Moves the held bar by an arrow key to another day or vehicle. */
export function moveHeldBar(board: Board, now: HeldBar, key: string): HeldBar {
  const { row, bar, grip, days, target } = now;
  if (!bar) return now;
  switch (key) {
    case "ArrowRight":
      return toHeldBar(row, bar, grip, days + 1, row);
    case "ArrowLeft":
      return toHeldBar(row, bar, grip, days - 1, row);
    case "ArrowDown":
    case "ArrowUp": {
      if (grip === "end") return now;
      const next = nextRow(board, target, key === "ArrowDown" ? 1 : -1);
      return next ? toHeldBar(row, bar, grip, 0, next) : now;
    }
    default:
      return now;
  }
}
