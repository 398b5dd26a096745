import { signal } from "@preact/signals";
import { t } from "../texts.ts";
import { CheckBox } from "./inputs.tsx";

const storageKey = (list: string) => `office columns ${list}`;

/** Columns hidden on this page, by list. Tables are drawn again with each choice. */
const hiddenByList = signal<Readonly<Record<string, ReadonlySet<string>>>>({});

/** Column of a table whose columns can be chosen. */
interface HideableColumn {
  readonly head: string;
  readonly sort?: string | undefined;
}

/** Returns the key of a column in every language: its field, or its place. */
export const getColumnKey = ({ sort }: HideableColumn, at: number): string => sort ?? String(at);

/** Returns the keys of hidden columns, as chosen on this device. */
export const readHiddenColumns = (list: string): ReadonlySet<string> =>
  hiddenByList.value[list] ?? readStoredColumns(list);

function readStoredColumns(list: string): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(storageKey(list)) ?? "[]") as readonly string[]);
  } catch {
    return new Set();
  }
}

function storeHiddenColumns(list: string, hidden: ReadonlySet<string>): void {
  try {
    localStorage.setItem(storageKey(list), JSON.stringify([...hidden]));
  } catch {
    // The browser blocks storage.
  }
  hiddenByList.value = { ...hiddenByList.value, [list]: hidden };
}

interface ColumnChoiceProps {
  readonly list: string;
  /** Columns of the table. The first one can't be hidden. */
  readonly columns: readonly HideableColumn[];
}

/** Choice of a table's columns. */
export function ColumnChoice({ list, columns }: ColumnChoiceProps) {
  const hidden = readHiddenColumns(list);
  return (
    <details class="column-choice">
      <summary class="button small">{t("columns")}</summary>
      <fieldset>
        <legend class="unseen">{t("showAs")}</legend>
        {columns
          .map((column, at) => [getColumnKey(column, at), column.head] as const)
          .slice(1)
          .map(([key, head]) => (
            <CheckBox
              key={key}
              label={head}
              checked={!hidden.has(key)}
              onChange={(isChecked) => {
                const others = [...hidden].filter((name) => name !== key);
                storeHiddenColumns(list, new Set(isChecked ? others : [...others, key]));
              }}
            />
          ))}
      </fieldset>
    </details>
  );
}
