import { signal } from "@preact/signals";
import { t } from "../texts.ts";

const storageKey = (list: string) => `office columns ${list}`;

/** Headings hidden on this page, by list. Tables are drawn again with each choice. */
const hiddenByList = signal<Readonly<Record<string, ReadonlySet<string>>>>({});

/** Returns the headings of hidden columns, as chosen on this device. */
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
  readonly columns: readonly { readonly head: string }[];
}

/** Choice of a table's columns. */
export function ColumnChoice({ list, columns }: ColumnChoiceProps) {
  const hidden = readHiddenColumns(list);
  return (
    <details class="column-choice">
      <summary class="button small">{t("columns")}</summary>
      <fieldset>
        <legend class="unseen">{t("showAs")}</legend>
        {columns.slice(1).map(({ head }) => (
          <label key={head} class="check">
            <input
              type="checkbox"
              checked={!hidden.has(head)}
              onChange={({ currentTarget: { checked } }) => {
                const others = [...hidden].filter((name) => name !== head);
                storeHiddenColumns(list, new Set(checked ? others : [...others, head]));
              }}
            />
            {head}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
