import { type Bar, type Board, nearestBar, type Row } from "./board.ts";
import { ghostOf, type Held } from "./gestures.ts";

/** Where the keys are on the board: at a bar, or at the name of a row. */
export interface Place {
  readonly row: Row;
  readonly bar: Bar | undefined;
}

const barsOf = (row: Row): readonly Bar[] => (row.kind === "category" ? [] : row.bars);

/** All rows from top to bottom. */
export const rowsOf = ({ waiting, fleet }: Board): readonly Row[] => [...waiting, ...fleet];

/** Where an arrow leads: along the bars of a row, or to the nearest bar of the next row. */
export function placeAfter(board: Board, { row, bar }: Place, key: string): Place | undefined {
  if (key === "ArrowDown" || key === "ArrowUp") {
    const next = nextRow(board, row, key === "ArrowDown" ? 1 : -1);
    return next && { row: next, bar: bar && nearestBar(barsOf(next), bar.start) };
  }
  const bars = barsOf(row);
  const at = bars.findIndex((one) => one.key === bar?.key);
  if (key === "ArrowRight" && bars[at + 1]) return { row, bar: bars[at + 1] };
  // Before the first bar is the name of the row.
  return key === "ArrowLeft" && at >= 0 ? { row, bar: bars[at - 1] } : undefined;
}

function nextRow(board: Board, row: Row, step: 1 | -1): Row | undefined {
  const rows = rowsOf(board).filter(({ kind }) => kind !== "category");
  return rows[rows.findIndex(({ key }) => key === row.key) + step];
}

/** What is held after an arrow: another day, or another vehicle. */
export function heldAfter(board: Board, now: Held, key: string): Held {
  const { row, bar, grip, days, target } = now;
  if (!bar) return now;
  switch (key) {
    case "ArrowRight":
      return ghostOf(row, bar, grip, days + 1, row);
    case "ArrowLeft":
      return ghostOf(row, bar, grip, days - 1, row);
    case "ArrowDown":
    case "ArrowUp": {
      if (grip === "end") return now;
      const next = nextRow(board, target, key === "ArrowDown" ? 1 : -1);
      return next ? ghostOf(row, bar, grip, 0, next) : now;
    }
    default:
      return now;
  }
}
