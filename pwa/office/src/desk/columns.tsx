import { signal } from "@preact/signals";
import { t } from "../texts.ts";

const storageKey = (list: string) => `office columns ${list}`;

/** Changes with each choice, so that tables are drawn again. */
const turn = signal(0);

/** Returns the headings of hidden columns, as chosen on this device. */
export function readHiddenColumns(list: string): ReadonlySet<string> {
  if (turn.value < 0) return new Set();
  try {
    return new Set(JSON.parse(localStorage.getItem(storageKey(list)) ?? "[]") as readonly string[]);
  } catch {
    return new Set();
  }
}

function keepHiddenColumns(list: string, hidden: ReadonlySet<string>): void {
  try {
    localStorage.setItem(storageKey(list), JSON.stringify([...hidden]));
  } catch {
    // A browser that keeps nothing.
  }
  turn.value += 1;
}

interface ColumnChoiceProps {
  readonly list: string;
  /** Headings of the columns that can be hidden. */
  readonly heads: readonly string[];
}

/** Choice of a table's columns. */
export function ColumnChoice({ list, heads }: ColumnChoiceProps) {
  const hidden = readHiddenColumns(list);
  return (
    <details class="column-choice">
      <summary class="button small">{t("columns")}</summary>
      <fieldset>
        <legend class="unseen">{t("showAs")}</legend>
        {heads.map((head) => (
          <label key={head} class="check">
            <input
              type="checkbox"
              checked={!hidden.has(head)}
              onChange={({ currentTarget: { checked } }) => {
                const others = [...hidden].filter((name) => name !== head);
                keepHiddenColumns(list, new Set(checked ? others : [...others, head]));
              }}
            />
            {head}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
