import type { ComponentChildren } from "preact";
import { go, linkTo } from "../route.ts";

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /**
   * Numbers and what is pressed stand right; a name is of several words, which break as others do; a wide one takes a
   * line of its own where there is no room for a table.
   */
  readonly is?: "number" | "name" | "wide" | "date" | "press" | undefined;
}

interface RowsProps<Row> {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  /** Where a row leads: a click anywhere on it goes there, by keyboard its first cell does. */
  readonly to?: (row: Row) => readonly (string | number)[];
}

/** Things in a table, or as cards where there is no room for one. */
export function Rows<Row>({ name, rows, columns, keyOf, to }: RowsProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than its place is scrolled by keys.
    <section class="table folds" aria-label={name} tabIndex={0}>
      <table aria-label={name}>
        <thead>
          <tr>
            {columns.map(({ head, is }) => (
              <th key={head} scope="col" class={is}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              class={to ? "open" : ""}
              onClick={(event) => {
                if (to && !(event.target instanceof Element && event.target.closest("a, button"))) go(...to(row));
              }}
            >
              {columns.map(({ head, cell, is }, at) =>
                at === 0 ? (
                  <th key={head} scope="row">
                    {to ? <a href={linkTo(...to(row))}>{cell(row)}</a> : cell(row)}
                  </th>
                ) : (
                  <td key={head} class={is} data-label={is === "press" ? undefined : head}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
