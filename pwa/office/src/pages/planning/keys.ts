import { type Bar, type Board, nearestBar, type Row } from "./board.ts";
import { type HeldBar, toHeldBar } from "./gestures.ts";

/** Where the keys are on the board: at a bar, or at the name of a row. */
export interface Place {
  readonly row: Row;
  readonly bar: Bar | undefined;
}

const getBars = (row: Row): readonly Bar[] => (row.kind === "category" ? [] : row.bars);

/** All rows from top to bottom. */
export const listRows = ({ waiting, fleet }: Board): readonly Row[] => [...waiting, ...fleet];

/** Where an arrow leads: along the bars of a row, or to the nearest bar of the next row. */
export function placeAfter(board: Board, { row, bar }: Place, key: string): Place | undefined {
  if (key === "ArrowDown" || key === "ArrowUp") {
    const next = nextRow(board, row, key === "ArrowDown" ? 1 : -1);
    return next && { row: next, bar: bar && nearestBar(getBars(next), bar.start) };
  }
  const bars = getBars(row);
  const at = bars.findIndex((item) => item.key === bar?.key);
  if (key === "ArrowRight" && bars[at + 1]) return { row, bar: bars[at + 1] };
  // Before the first bar is the name of the row.
  return key === "ArrowLeft" && at >= 0 ? { row, bar: bars[at - 1] } : undefined;
}

function nextRow(board: Board, row: Row, step: 1 | -1): Row | undefined {
  const rows = listRows(board).filter(({ kind }) => kind !== "category");
  return rows[rows.findIndex(({ key }) => key === row.key) + step];
}

/** What is held after an arrow: another day, or another vehicle. */
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
