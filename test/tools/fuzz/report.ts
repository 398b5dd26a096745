import type { Answer } from "#tools/platform/client.ts";
import { findAnswerFaults } from "./answer-faults.ts";
import type { Operation } from "./operations.ts";
import type { FuzzRequest } from "./requests.ts";

const MAX_PRINTED_FAULTS = 40;
const MAX_PRINTED_BODY_BYTES = 2 ** 20;

/** Statuses by operation, and faults. */
export interface FuzzReport {
  readonly statuses: Map<string, Map<number, number>>;
  /** Last rejection of each operation for requests without hostile values. */
  readonly refusals: Map<string, string>;
  readonly faults: string[];
}

/** Counts a response and prints its faults. */
export function recordFuzzAnswer(report: FuzzReport, operation: Operation, request: FuzzRequest, answer: Answer): void {
  const name = `${operation.method} ${operation.path}`;
  const counts = report.statuses.get(name) ?? new Map<number, number>();
  report.statuses.set(name, counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1));
  if (request.isValid && answer.status >= 400)
    report.refusals.set(name, `${answer.status} ${answer.bytes.toString().slice(0, 200)}`);
  if (answer.status === 0 && (request.body?.length ?? 0) > MAX_PRINTED_BODY_BYTES) return;
  const header = (headerName: string) => String(answer.headers[headerName] ?? "");
  const text = answer.bytes.toString();
  const answered = {
    status: answer.status,
    contentType: header("content-type"),
    requestId: header("x-request-id"),
    text,
  };
  for (const fault of findAnswerFaults(operation, request, answered)) {
    const requestText = `${request.method} ${request.path.slice(0, 300)} ${String(request.body ?? "").slice(0, 400)}`;
    report.faults.push(`${fault}: ${requestText} -> ${text.slice(0, 200)}`);
    if (report.faults.length <= MAX_PRINTED_FAULTS) console.log(report.faults.at(-1));
  }
}

/** Formats how often each operation returned each status. */
export function formatStatusTable({ statuses }: FuzzReport): string {
  const columns = [...new Set([...statuses.values()].flatMap((counts) => [...counts.keys()]))].sort((a, b) => a - b);
  const rows = [...statuses]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, counts]) => `| ${name} | ${columns.map((status) => counts.get(status) ?? "").join(" | ")} |`);
  return [`| operation | ${columns.join(" | ")} |`, `| --- |${" --- |".repeat(columns.length)}`, ...rows].join("\n");
}

/** Lists operations that never succeeded. */
export function listNeverSuccessful({ statuses }: FuzzReport, operations: readonly Operation[]): readonly string[] {
  const hasSucceeded = (name: string) =>
    [...(statuses.get(name) ?? [])].some(([status]) => status >= 200 && status < 400);
  return operations.map(({ method, path }) => `${method} ${path}`).filter((name) => !hasSucceeded(name));
}
