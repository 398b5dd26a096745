import { type CivilDate, MINUTES_PER_DAY, toCivilDate, toDayNumber } from "#domain/dates.ts";
import type { PlannedBlock, PlannedContract, PlannedVehicle, Planning, SoldDay } from "./planning.ts";

/** A contract or block on the board, in days from its first day, with fractions. */
export interface BoardBar {
  /** Key of the bar: `c` with the unit, `x` with the time of an exchange, or `b` with the block. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly contract?: PlannedContract;
  readonly block?: PlannedBlock;
  readonly isOverdue: boolean;
  /** Whether the vehicle was returned in an exchange, so that the bar can't be moved. */
  readonly isExchanged?: boolean;
}

export type BoardRow =
  | {
      readonly kind: "unassigned";
      readonly key: string;
      readonly category: string;
      /** Whether this is the first row of its category, which shows the category's name. */
      readonly isFirst: boolean;
      readonly bars: readonly BoardBar[];
    }
  | {
      readonly kind: "category";
      readonly key: string;
      readonly category: string;
      readonly soldDays: readonly SoldDay[];
    }
  | {
      readonly kind: "vehicle";
      readonly key: string;
      readonly category: string;
      readonly vehicle: PlannedVehicle;
      readonly bars: readonly BoardBar[];
    };

/** Rows of the planning board for a number of days. */
export interface Board {
  readonly from: CivilDate;
  readonly days: number;
  /** Unassigned contracts, in as few rows per category as possible. */
  readonly waiting: readonly BoardRow[];
  readonly waitingCount: number;
  /** Vehicles grouped by category. */
  readonly fleet: readonly BoardRow[];
}

/** Converts a local time to days from the first day of the board. */
export function toBoardDay(boardStart: CivilDate, date: string, time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return toDayNumber(date as CivilDate) - toDayNumber(boardStart) + (hours * 60 + minutes) / MINUTES_PER_DAY;
}

/** Creates the board. `now` is in days from its first day. */
export function layOutBoard(planning: Planning, now: number): Board {
  const from = planning.date_from as CivilDate;
  const createBar = (contract: PlannedContract) => contractBar(from, contract, now);
  const soldByCategory = Map.groupBy(planning.sold, ({ category_code }) => category_code);
  const vehicles = Map.groupBy(planning.vehicles, ({ category_code }) => category_code);
  const categories = [...new Set([...soldByCategory.keys(), ...vehicles.keys()])].sort();
  return {
    from,
    days: planning.days,
    waiting: planning.unassigned.flatMap(({ category_code: category, contracts }) =>
      packBarsIntoLines(contracts.map(createBar)).map((bars, index) => ({
        kind: "unassigned" as const,
        key: `u-${category}-${index}`,
        category,
        isFirst: index === 0,
        bars,
      })),
    ),
    waitingCount: planning.unassigned.reduce((count, { contracts }) => count + contracts.length, 0),
    fleet: categories.flatMap((category): readonly BoardRow[] => [
      { kind: "category", key: `k-${category}`, category, soldDays: soldByCategory.get(category) ?? [] },
      ...(vehicles.get(category) ?? []).map((vehicle) => ({
        kind: "vehicle" as const,
        key: `v-${vehicle.reference}`,
        category,
        vehicle,
        bars: [
          ...vehicle.contracts.map(createBar),
          ...vehicle.exchanged.map((contract) => exchangedBar(from, contract)),
          ...vehicle.blocks.map((block) => blockBar(from, block)),
        ].sort((bar, other) => bar.start - other.start),
      })),
    ]),
  };
}

function contractBar(from: CivilDate, contract: PlannedContract, now: number): BoardBar {
  const end = toBoardMinute(from, contract.to);
  const isOverdue = contract.status === "in_progress" && end < now;
  return {
    key: `c${contract.unit_id}`,
    start: toBoardMinute(from, contract.from),
    // Overdue contracts extend to the current time.
    end: isOverdue ? now : end,
    contract,
    isOverdue,
  };
}

function exchangedBar(from: CivilDate, contract: PlannedContract): BoardBar {
  const [start, end] = [toBoardMinute(from, contract.from), toBoardMinute(from, contract.to)];
  return { key: `x${contract.unit_id}-${contract.to}`, start, end, contract, isOverdue: false, isExchanged: true };
}

function blockBar(from: CivilDate, block: PlannedBlock): BoardBar {
  const [start, end] = [toBoardMinute(from, block.from), toBoardMinute(from, block.to)];
  return { key: `b${block.id}`, start, end, block, isOverdue: false };
}

const toBoardMinute = (from: CivilDate, moment: string) => toBoardDay(from, moment.slice(0, 10), moment.slice(11, 16));

/** Distributes bars over as few rows as possible without overlaps, earliest start first. */
export function packBarsIntoLines(bars: readonly BoardBar[]): readonly (readonly BoardBar[])[] {
  const lines: BoardBar[][] = [];
  for (const bar of [...bars].sort((bar, other) => bar.start - other.start || bar.end - other.end)) {
    const line = lines.find((line) => (line.at(-1)?.end ?? 0) <= bar.start);
    if (line) line.push(bar);
    else lines.push([bar]);
  }
  return lines;
}

/** Returns the visible part of a bar in days. Undefined if it's outside the board. */
export function clipBarToBoard(bar: Pick<BoardBar, "start" | "end">, boardDays: number) {
  const start = Math.max(0, bar.start);
  const end = Math.min(boardDays, bar.end);
  return end > start ? { start, end, isCutLeft: bar.start < 0, isCutRight: bar.end > boardDays } : undefined;
}

/** A bar with its distance in days from the end of the previous one, negative if they overlap. */
export type VisibleBar = NonNullable<ReturnType<typeof clipBarToBoard>> & {
  readonly bar: BoardBar;
  readonly gapDays: number;
};

/** Lists the visible bars of a row, in order. */
export function listVisibleBars(bars: readonly BoardBar[], days: number): readonly VisibleBar[] {
  let end = 0;
  return bars.flatMap((bar) => {
    const visiblePart = clipBarToBoard(bar, days);
    if (!visiblePart) return [];
    const gapDays = visiblePart.start - end;
    end = visiblePart.end;
    return [{ ...visiblePart, bar, gapDays }];
  });
}

/** Returns the rows visible in a scrolled list, with spare rows on both sides. */
export function getVisibleRows(top: number, height: number, rowHeight: number, count: number, spare = 6) {
  const first = Math.max(0, Math.floor(top / rowHeight) - spare);
  return { first, last: Math.min(count, Math.ceil((top + height) / rowHeight) + spare) };
}

/** A range of rows, exclusive of the last one. */
interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** Maximum number of rendered rows. Larger fleets render on scroll. */
const MAX_RENDERED_ROWS = 400;
/** Number of rows rendered per idle period, on each side. */
const ROW_BATCH_SIZE = 4;

/** Returns the rows to render: visible ones, and earlier ones unless too far away or too many. */
export function chooseRowsToRender(rendered: Stretch, visibleRows: Stretch, count: number): Stretch {
  if (rendered.first <= visibleRows.first && visibleRows.last <= rendered.last && rendered.last <= count)
    return rendered;
  const all = {
    first: Math.min(rendered.first, visibleRows.first),
    last: Math.min(count, Math.max(rendered.last, visibleRows.last)),
  };
  const isApart = visibleRows.first > rendered.last || rendered.first > visibleRows.last;
  return isApart || all.last - all.first > MAX_RENDERED_ROWS ? visibleRows : all;
}

/** Adds rows on both sides in advance of scrolling. Returns the same range if there are enough. */
export function addRowsAhead(rendered: Stretch, count: number): Stretch {
  const { first, last } = rendered;
  if ((first === 0 && last >= count) || last - first > MAX_RENDERED_ROWS - 2 * ROW_BATCH_SIZE) return rendered;
  return { first: Math.max(0, first - ROW_BATCH_SIZE), last: Math.min(count, last + ROW_BATCH_SIZE) };
}

/** Returns the date of a board day. */
export const toBoardDate = (boardStart: CivilDate, day: number): CivilDate =>
  toCivilDate(toDayNumber(boardStart) + day);

/** Returns the bar nearest to a day. */
export function findNearestBar(bars: readonly BoardBar[], day: number): BoardBar | undefined {
  const distance = (bar: BoardBar) => (day < bar.start ? bar.start - day : day > bar.end ? day - bar.end : 0);
  return [...bars].sort((bar, other) => distance(bar) - distance(other))[0];
}

/** Returns the sold part of a category's stock in percent, at most 100. */
export const getSoldPercent = ({ sold, stock }: Pick<SoldDay, "sold" | "stock">): number =>
  stock > 0 ? Math.min(100, Math.round((sold / stock) * 100)) : 0;

/** Lists what a vehicle needs before the next rental. */
export function listVehicleNeeds(
  { needs_cleaning, needs_fuel, inspection_due, insured_until }: PlannedVehicle,
  today: string,
) {
  return [
    ...(needs_cleaning ? (["cleaning"] as const) : []),
    ...(needs_fuel ? (["fuel"] as const) : []),
    ...(inspection_due !== null && inspection_due < today ? (["inspection"] as const) : []),
    ...(insured_until !== null && insured_until < today ? (["insurance"] as const) : []),
  ];
}
