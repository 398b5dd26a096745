import { type CivilDate, MINUTES_PER_DAY, toCivilDate, toDayNumber } from "#domain/dates.ts";
import type { Block, PlannedContract, PlannedVehicle, Planning, SoldDay } from "./planning.ts";

/** A contract or a block as it lies on the board: days from its first one, with fractions. */
export interface Bar {
  /** `c` and the unit, `x` and when it was exchanged before it, `b` and the block. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly contract?: PlannedContract;
  readonly block?: Block;
  readonly isOverdue: boolean;
  /** The vehicle came back, and another one went out for it: nothing is moved here. */
  readonly isExchanged?: boolean;
}

export type Row =
  | {
      readonly kind: "unassigned";
      readonly key: string;
      readonly category: string;
      /** Of its category's lines the first, which bears the name. */
      readonly isFirst: boolean;
      readonly bars: readonly Bar[];
    }
  | { readonly kind: "category"; readonly key: string; readonly category: string; readonly sold: readonly SoldDay[] }
  | {
      readonly kind: "vehicle";
      readonly key: string;
      readonly category: string;
      readonly vehicle: PlannedVehicle;
      readonly bars: readonly Bar[];
    };

export interface Board {
  readonly from: CivilDate;
  readonly days: number;
  /** Contracts that wait for a vehicle, as few lines of each category as hold them. */
  readonly waiting: readonly Row[];
  readonly waitingCount: number;
  /** The vehicles under their categories. */
  readonly fleet: readonly Row[];
}

/** How far a moment of the account's clock is from the first day of the board, in days. */
export function toBoardDay(from: CivilDate, date: string, time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return toDayNumber(date as CivilDate) - toDayNumber(from) + (hours * 60 + minutes) / MINUTES_PER_DAY;
}

/** The board of a planning; `now` in days from its first one. */
export function layOut(planning: Planning, now: number): Board {
  const from = planning.date_from as CivilDate;
  const createBar = (contract: PlannedContract) => contractBar(from, contract, now);
  const sold = Map.groupBy(planning.sold, ({ category_code }) => category_code);
  const vehicles = Map.groupBy(planning.vehicles, ({ category_code }) => category_code);
  const categories = [...new Set([...sold.keys(), ...vehicles.keys()])].sort();
  return {
    from,
    days: planning.days,
    waiting: planning.unassigned.flatMap(({ category_code: category, contracts }) =>
      packIntoLines(contracts.map(createBar)).map((bars, index) => ({
        kind: "unassigned" as const,
        key: `u-${category}-${index}`,
        category,
        isFirst: index === 0,
        bars,
      })),
    ),
    waitingCount: planning.unassigned.reduce((count, { contracts }) => count + contracts.length, 0),
    fleet: categories.flatMap((category): readonly Row[] => [
      { kind: "category", key: `k-${category}`, category, sold: sold.get(category) ?? [] },
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

function contractBar(from: CivilDate, contract: PlannedContract, now: number): Bar {
  const end = toBoardMinute(from, contract.to);
  const isOverdue = contract.status === "in_progress" && end < now;
  return {
    key: `c${contract.unit_id}`,
    start: toBoardMinute(from, contract.from),
    // What is not back yet lies there until now.
    end: isOverdue ? now : end,
    contract,
    isOverdue,
  };
}

function exchangedBar(from: CivilDate, contract: PlannedContract): Bar {
  const [start, end] = [toBoardMinute(from, contract.from), toBoardMinute(from, contract.to)];
  return { key: `x${contract.unit_id}-${contract.to}`, start, end, contract, isOverdue: false, isExchanged: true };
}

function blockBar(from: CivilDate, block: Block): Bar {
  const [start, end] = [toBoardMinute(from, block.from), toBoardMinute(from, block.to)];
  return { key: `b${block.id}`, start, end, block, isOverdue: false };
}

const toBoardMinute = (from: CivilDate, moment: string) => toBoardDay(from, moment.slice(0, 10), moment.slice(11, 16));

/** Bars in lines without an overlap, as few as the earliest start first needs. */
export function packIntoLines(bars: readonly Bar[]): readonly (readonly Bar[])[] {
  const lines: Bar[][] = [];
  for (const bar of [...bars].sort((bar, other) => bar.start - other.start || bar.end - other.end)) {
    const line = lines.find((line) => (line.at(-1)?.end ?? 0) <= bar.start);
    if (line) line.push(bar);
    else lines.push([bar]);
  }
  return lines;
}

/** Where a bar is drawn, in days: what lies outside the board is cut off; undefined where nothing of it is inside. */
export function cut(bar: Pick<Bar, "start" | "end">, days: number) {
  const start = Math.max(0, bar.start);
  const end = Math.min(days, bar.end);
  return end > start ? { start, end, isCutLeft: bar.start < 0, isCutRight: bar.end > days } : undefined;
}

/** A bar as a row shows it: so many days after the end of the one before, less than none where they overlap. */
export type VisibleBar = NonNullable<ReturnType<typeof cut>> & { readonly bar: Bar; readonly after: number };

/** What of a row's bars lies inside of its days, each after the one before. */
export function listVisibleBars(bars: readonly Bar[], days: number): readonly VisibleBar[] {
  let end = 0;
  return bars.flatMap((bar) => {
    const visiblePart = cut(bar, days);
    if (!visiblePart) return [];
    const after = visiblePart.start - end;
    end = visiblePart.end;
    return [{ ...visiblePart, bar, after }];
  });
}

/** The rows that a window of a list of equal rows shows, with some to spare on both sides. */
export function rowsInSight(top: number, height: number, rowHeight: number, count: number, spare = 6) {
  const first = Math.max(0, Math.floor(top / rowHeight) - spare);
  return { first, last: Math.min(count, Math.ceil((top + height) / rowHeight) + spare) };
}

/** Rows of a list, from one to before another. */
interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** So many rows are there at most: a larger fleet's come and go. */
const MAX_RENDERED_ROWS = 400;
/** What is made of rows in one idle moment, on either side. */
const ROW_BATCH_SIZE = 4;

/** The rows that are there once these are seen: those that were, too, unless they are far away or too many. */
export function getRenderedRows(rendered: Stretch, seen: Stretch, count: number): Stretch {
  if (rendered.first <= seen.first && seen.last <= rendered.last && rendered.last <= count) return rendered;
  const all = {
    first: Math.min(rendered.first, seen.first),
    last: Math.min(count, Math.max(rendered.last, seen.last)),
  };
  const isApart = seen.first > rendered.last || rendered.first > seen.last;
  return isApart || all.last - all.first > MAX_RENDERED_ROWS ? seen : all;
}

/** Some more on either side, which a scroll will want; the same ones where enough are there. */
export function moreRows(rendered: Stretch, count: number): Stretch {
  const { first, last } = rendered;
  if ((first === 0 && last >= count) || last - first > MAX_RENDERED_ROWS - 2 * ROW_BATCH_SIZE) return rendered;
  return { first: Math.max(0, first - ROW_BATCH_SIZE), last: Math.min(count, last + ROW_BATCH_SIZE) };
}

/** The date of a day of the board. */
export const dateAt = (from: CivilDate, day: number): CivilDate => toCivilDate(toDayNumber(from) + day);

/** The bar of a row that is nearest to a day. */
export function nearestBar(bars: readonly Bar[], day: number): Bar | undefined {
  const distance = (bar: Bar) => (day < bar.start ? bar.start - day : day > bar.end ? day - bar.end : 0);
  return [...bars].sort((bar, other) => distance(bar) - distance(other))[0];
}
