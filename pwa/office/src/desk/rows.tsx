import type { ComponentChildren } from "preact";
import { Icon } from "../icons.tsx";
import { toggleSelectedItem } from "../pages/money/selection.ts";
import { goToPage, linkTo, replaceQueryValues, urlQuery } from "../route.ts";
import { t } from "../texts.ts";
import { getColumnKey, readHiddenColumns } from "./columns.tsx";

export interface TableColumn<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /**
   * Numbers, dates and flags have their heading in cards. Numbers and buttons are right-aligned. Names wrap between
   * words. A wide column gets its own line if there's no space for a table.
   */
  readonly is?: "number" | "name" | "wide" | "date" | "flag" | "press" | undefined;
  /** API name of the field to sort by. */
  readonly sort?: string;
  /** Secondary column: only in tables of at least this width, and in cards. */
  readonly from?: "laptop" | "desktop";
}

type ColumnLook = Pick<TableColumn<unknown>, "is" | "from">;

const toClass = ({ is, from }: ColumnLook): string => [is, from && `from-${from}`].filter(Boolean).join(" ");

interface RowsProps<Row> {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly columns: readonly TableColumn<Row>[];
  readonly keyOf: (row: Row) => string | number;
  /** Target of a row. Clicking anywhere on it or activating its first cell by keyboard opens it. */
  readonly to?: (row: Row) => readonly (string | number)[];
  /** List whose columns can be chosen. */
  readonly list?: string;
  readonly selection?: RowSelection;
}

/** Rows chosen by check boxes. */
export interface RowSelection {
  readonly chosen: ReadonlySet<string | number>;
  readonly onChange: (chosen: ReadonlySet<string | number>) => void;
}

/** Table of items, shown as cards if there's no space. */
export function RowsTable<Row>({ name, rows, columns, keyOf, to, list, selection }: RowsProps<Row>) {
  const hidden = list === undefined ? new Set() : readHiddenColumns(list);
  const visibleColumns = columns.filter((column, at) => at === 0 || !hidden.has(getColumnKey(column, at)));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than its place is scrolled by keys.
    <section class="table folds" aria-label={name} tabIndex={0}>
      <table aria-label={name}>
        <thead>
          <tr>
            {selection && (
              <td class="pick">
                <label>
                  <span class="unseen">{t("selectPage")}</span>
                  <input
                    type="checkbox"
                    name="all"
                    checked={rows.every((row) => selection.chosen.has(keyOf(row)))}
                    onChange={({ currentTarget: { checked } }) =>
                      selection.onChange(new Set(checked ? rows.map(keyOf) : []))
                    }
                  />
                </label>
              </td>
            )}
            {visibleColumns.map((column) => (
              <Heading key={column.head} head={column.head} look={toClass(column)} sort={column.sort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              class={to ? "open" : ""}
              onClick={(event) => {
                if (to && !(event.target instanceof Element && event.target.closest("a, button, input, label")))
                  goToPage(...to(row));
              }}
            >
              {selection && (
                <td class="pick">
                  <label>
                    <span class="unseen">{t("selectRow", { name: keyOf(row) })}</span>
                    <input
                      type="checkbox"
                      name={`row-${keyOf(row)}`}
                      checked={selection.chosen.has(keyOf(row))}
                      onChange={() => selection.onChange(toggleSelectedItem(selection.chosen, keyOf(row)))}
                    />
                  </label>
                </td>
              )}
              {visibleColumns.map((column, at) =>
                at === 0 ? (
                  <th key={column.head} scope="row" class={toClass(column)}>
                    {to ? <a href={linkTo(...to(row))}>{column.cell(row)}</a> : column.cell(row)}
                  </th>
                ) : (
                  <Cell key={column.head} head={column.head} is={column.is} look={toClass(column)}>
                    {column.cell(row)}
                  </Cell>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface CellProps extends Pick<TableColumn<unknown>, "head" | "is"> {
  readonly look: string;
  readonly children: ComponentChildren;
}

// Cards omit empty values.
function Cell({ head, is, look, children }: CellProps) {
  const isBlank = children === null || children === "" || children === t("nothing");
  return (
    <td class={isBlank ? `${look} blank` : look} data-label={is === "press" ? undefined : head}>
      {children}
    </td>
  );
}

const ORDERS = { ascending: "up", descending: "down" } as const;

interface HeadingProps extends Pick<TableColumn<unknown>, "head"> {
  readonly look: string;
  readonly sort: string | undefined;
}

// Sorts by the column: ascending, descending, then in the list's own order.
function Heading({ head, look, sort }: HeadingProps) {
  const chosen = urlQuery.value.get("sort");
  const order = chosen === sort ? "ascending" : chosen === `-${sort}` ? "descending" : undefined;
  if (sort === undefined)
    return (
      <th scope="col" class={look}>
        {head}
      </th>
    );
  const next = { ascending: `-${sort}`, descending: undefined, none: sort }[order ?? "none"];
  return (
    <th scope="col" class={look} aria-sort={order}>
      <button
        type="button"
        class="sort"
        title={t("sortBy", { name: head })}
        onClick={() => replaceQueryValues({ sort: next })}
      >
        {head}
        {order && <Icon name={ORDERS[order]} isSmall />}
      </button>
    </th>
  );
}
