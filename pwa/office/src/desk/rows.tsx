import type { ComponentChildren } from "preact";
import { go, linkTo } from "../route.ts";

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /**
   * Numbers and buttons are right-aligned. Names wrap between words. A wide column gets its own line if there's no
   * space for a table.
   */
  readonly is?: "number" | "name" | "wide" | "date" | "press" | undefined;
}

interface RowsProps<Row> {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  /** Target of a row. Clicking anywhere on it or activating its first cell by keyboard opens it. */
  readonly to?: (row: Row) => readonly (string | number)[];
}

/** Table of items, shown as cards if there's no space. */
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
