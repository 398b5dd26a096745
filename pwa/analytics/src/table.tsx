import { toCsv } from "#domain/reporting/csv.ts";

export interface TableRow {
  readonly key: string;
  readonly head: string;
  readonly note?: string | undefined;
  /** Twelve figures and their sum, as the interface answers them. */
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

/** The figures that a chart draws, readable by everybody. */
export function FigureTable({ title, firstColumn, months, total, rows, sum, format }: MonthTable) {
  const cells = (figures: readonly (string | number)[]) =>
    figures.map((figure, index) => <td key={months[index] ?? total}>{Number(figure) === 0 ? "–" : format(figure)}</td>);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable without a mouse.
    <section class="scroll" aria-label={title} tabIndex={0}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{firstColumn}</th>
            {months.map((month) => (
              <th scope="col" key={month}>
                {month}
              </th>
            ))}
            <th scope="col">{total}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
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

/** The tables as one file for a spreadsheet, every figure as the interface answers it. */
export function downloadCsv(name: string, tables: readonly MonthTable[]): void {
  const rows = tables.flatMap((table) => [
    [table.title, table.firstColumn, ...table.months, table.total],
    ...table.rows.map((row) => [row.key, row.note ? `${row.head} ${row.note}` : row.head, ...row.figures]),
    [table.total, "", ...table.sum],
    [],
  ]);
  // The mark by which spreadsheets know UTF-8.
  const file = new Blob(["\uFEFF", toCsv(rows)], { type: "text/csv;charset=utf-8" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${name}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
