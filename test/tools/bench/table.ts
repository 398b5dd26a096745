import type { CallCost, ResponseSpeed } from "./load.ts";
import { formatTable } from "./markdown-table.ts";
import type { Operation } from "./operations.ts";

/** All measurements of one operation. */
export interface MeasuredOperation {
  readonly operation: Operation;
  /** Cost at 10,000 and at 100,000 contracts. */
  readonly small: CallCost;
  readonly large: CallCost;
  readonly alone: ResponseSpeed;
  /** CPU time of a response in ms, if the system provides it. */
  readonly processor: number | undefined;
  readonly busy: ResponseSpeed;
  /** Throughput relative to the bare Worker's, if compared. */
  readonly ratio: number | undefined;
}

const HEAD = [
  ...["operation", "D1 calls", "rows read, 10,000 contracts", "rows read, 100,000", "first", "growth"],
  ...["p50 ms", "p99 ms", "CPU ms", "per second", "of bare", "verdict"],
];

/** Returns the table for docs/benchmarks.md. */
export function formatOperationTable(
  measured: readonly MeasuredOperation[],
  { batch, processor }: { readonly batch: ResponseSpeed } & Pick<MeasuredOperation, "processor">,
): string {
  const { p50, p99, perSecond } = batch;
  const bareName = "*bare Worker, one batch of five selects*";
  const bareSpeed = [p50, p99, processor?.toFixed(2) ?? "", Math.round(perSecond), "1.00", ""];
  return formatTable(HEAD, [...measured.map(createCells), [bareName, 1, 5, 5, "", "1.00", ...bareSpeed]]);
}

function createCells(measured: MeasuredOperation): readonly (string | number)[] {
  const { operation, small, large, alone, processor, busy, ratio } = measured;
  return [
    ...[operation.name, large.calls, small.rows, large.rows, large.first ?? "", calculateGrowth(measured).toFixed(2)],
    ...[alone.p50, alone.p99, processor?.toFixed(2) ?? "", Math.round(busy.perSecond), ratio?.toFixed(2) ?? ""],
    getVerdict(measured),
  ];
}

/** Returns the ratio of rows read with ten times the contracts, per part if responses have parts. */
export function calculateGrowth({ small, large }: Pick<MeasuredOperation, "small" | "large">): number {
  if (small.rows === 0) return 1;
  const each = ({ rows, total = rows, parts }: CallCost) => (parts ? total / parts : rows);
  return each(large) / each(small);
}

/** Rows that two accounts may differ by because of their contracts' data, without reading history. */
const ROWS_BY_CHANCE = 30;

/** Whether the larger account costs more than the budget's growth, beyond random differences. */
export function exceedsGrowthBudget(
  { small, large }: Pick<MeasuredOperation, "small" | "large">,
  growth: number,
): boolean {
  const more = (large.total ?? large.rows) - (small.total ?? small.rows);
  return calculateGrowth({ small, large }) > growth && more > ROWS_BY_CHANCE;
}

/** Returns the exceeded count budget, if any. Times are only displayed. */
export function getVerdict(measured: MeasuredOperation): string {
  const { budget } = measured.operation;
  const broken = [
    ...(measured.large.calls > budget.calls ? [`calls > ${budget.calls}`] : []),
    ...(measured.large.rows > budget.rows ? [`rows > ${budget.rows}`] : []),
    ...((measured.large.first ?? 0) > (budget.first ?? Number.POSITIVE_INFINITY) ? [`first > ${budget.first}`] : []),
    ...(exceedsGrowthBudget(measured, budget.growth) ? [`growth > ${budget.growth}`] : []),
    ...(measured.busy.failed > 0 ? [`${measured.busy.failed} failed`] : []),
  ];
  return broken.length === 0 ? "within" : `**broken: ${broken.join(", ")}**`;
}
