import { useState } from "preact/hooks";
import { toCsv } from "#domain/reporting/csv.ts";

export interface TableRow {
  readonly key: string;
  readonly head: string;
  readonly note?: string | undefined;
  /** Twelve monthly figures and their total, as returned by the API. */
  readonly figures: readonly (string | number)[];
}

export interface MonthTable {
  readonly title: string;
  readonly firstColumn: string;
  readonly months: readonly string[];
  readonly total: string;
  readonly rows: readonly TableRow[];
  readonly sum: readonly (string | number)[];
  readonly format: (figure: string | number) => string;
}

interface Order {
  /** Index of the figure column. -1 means the name column. */
  readonly column: number;
  readonly isUp: boolean;
}

/**
 * Sorts rows by a column: names alphabetically, figures numerically. The first click sorts figures in descending order.
 */
function inOrder(rows: readonly TableRow[], order: Order | undefined): readonly TableRow[] {
  if (!order) return rows;
  const { column, isUp } = order;
  const compare = (tableRow: TableRow, other: TableRow) =>
    column < 0
      ? tableRow.head.localeCompare(other.head, undefined, { numeric: true })
      : Number(tableRow.figures[column]) - Number(other.figures[column]);
  return rows.toSorted((row, other) => (isUp ? compare(row, other) : compare(other, row)));
}

/** Accessible, sortable table with the figures of a chart. */
export function FigureTable({ title, firstColumn, months, total, rows, sum, format }: MonthTable) {
  const [order, setOrder] = useState<Order>();
  const sortBy = (column: number) => setOrder({ column, isUp: order?.column === column ? !order.isUp : column < 0 });
  const sorted = (column: number) => {
    if (order?.column !== column) return undefined;
    return order.isUp ? "ascending" : "descending";
  };
  const heading = (text: string, column: number) => (
    <th scope="col" key={text} aria-sort={sorted(column)}>
      <button type="button" class="sort" onClick={() => sortBy(column)}>
        {text}
      </button>
    </th>
  );
  const cells = (figures: readonly (string | number)[]) =>
    figures.map((figure, index) => <td key={months[index] ?? total}>{Number(figure) === 0 ? "–" : format(figure)}</td>);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable without a mouse.
    <section class="scroll" aria-label={title} tabIndex={0}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            {heading(firstColumn, -1)}
            {months.map((month, index) => heading(month, index))}
            {heading(total, months.length)}
          </tr>
        </thead>
        <tbody>
          {inOrder(rows, order).map((row) => (
            <tr key={row.key}>
              <th scope="row">
                {row.head}
                {row.note && <small>{row.note}</small>}
              </th>
              {cells(row.figures)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{total}</th>
            {cells(sum)}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

/** Downloads the tables as one CSV file in the user's locale, with the exact figures of the API. */
export function downloadCsv(name: string, tables: readonly MonthTable[], decimalMark: "." | ","): void {
  const rows = tables.flatMap((table) => [
    [table.title, table.firstColumn, ...table.months, table.total],
    ...table.rows.map((row) => [row.key, row.note ? `${row.head} ${row.note}` : row.head, ...row.figures]),
    [table.total, "", ...table.sum],
    [],
  ]);
  // The BOM lets spreadsheets detect UTF-8.
  const file = new Blob(["\uFEFF", toCsv(rows, decimalMark)], { type: "text/csv;charset=utf-8" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${name}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
