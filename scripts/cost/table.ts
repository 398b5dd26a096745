import { calculateMonthlyBill, type RowsReadByOperation } from "./model.ts";

const COMPANIES = [1, 100, 1000, 10_000] as const;
const [BEGIN, END] = ["<!-- cost -->", "<!-- /cost -->"];

/** Names of the operations in the tables of docs/benchmarks.md. */
const OPERATIONS = {
  search: "availability",
  cartStep: "set-product",
  booking: "booking",
  checkout: "checkout",
  bookingRead: "booking read",
  day: "deliveries-collections of a day",
  fieldOperation: "synced check-in operation",
  extractionRow: "reservations, first page",
} as const satisfies Readonly<Record<keyof RowsReadByOperation, string>>;

/** Reads the rows that each operation reads in a large account. Throws if the tables have no such operation. */
export function parseRowsReadByOperation(benchmarks: string): RowsReadByOperation {
  const read = (operation: string): number => {
    const line = benchmarks.split("\n").find((text) => text.startsWith(`| ${operation} |`));
    const rows = Number(line?.split("|")[4]?.trim());
    if (!line || Number.isNaN(rows)) throw new Error(`docs/benchmarks.md has no measured rows of "${operation}"`);
    return rows;
  };
  const entries = Object.entries(OPERATIONS).map(([name, operation]) => [name, read(operation)]);
  return Object.fromEntries(entries) as unknown as RowsReadByOperation;
}

/** Writes the table of cost between the markers of a page. */
export function replaceCostTable(page: string, rows: RowsReadByOperation): string {
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start === -1 || end < start) throw new Error(`the page has no ${BEGIN} before ${END}`);
  return `${page.slice(0, start + BEGIN.length)}\n\n${formatCostTable(rows)}\n\n${page.slice(end)}`;
}

function formatCostTable(rows: RowsReadByOperation): string {
  const lines = calculateMonthlyBill(rows, COMPANIES);
  const sums = COMPANIES.map((_, index) => lines.reduce((sum, { amounts }) => sum + (amounts[index] ?? 0), 0));
  const toLine = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const numbers = COMPANIES.map((count) => `n = ${count.toLocaleString("en")}`);
  return [
    toLine(["item", "formula", ...numbers]),
    toLine(["---", "---", ...numbers.map(() => "---:")]),
    ...lines.map(({ item, formula, amounts }) => toLine([item, formula, ...amounts.map(formatAmount)])),
    toLine(["**sum**", "", ...sums.map((sum) => `**${formatAmount(sum)}**`)]),
  ].join("\n");
}

function formatAmount(amount: number): string {
  return amount >= 100 ? Math.round(amount).toLocaleString("en") : amount.toFixed(2);
}
