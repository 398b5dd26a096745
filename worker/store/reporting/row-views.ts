import { parseStoredJson } from "#worker/store/parse-stored-json.ts";

/**
 * Creates a view that reads the values of a list by name, in order. Nothing is copied, because creating an object for
 * each of a hundred wide rows costs more than parsing them. The result therefore can't be spread.
 */
export function createRowView<Row extends object>(
  names: readonly (keyof Row & string)[],
): (values: readonly unknown[]) => Row {
  class View {
    readonly #values: readonly unknown[];
    constructor(values: readonly unknown[]) {
      this.#values = values;
    }
    static {
      for (const [index, name] of names.entries())
        Object.defineProperty(View.prototype, name, {
          get(this: View) {
            return this.#values[index];
          },
        });
    }
  }
  return (values) => new View(values) as unknown as Row;
}

/** Creates a reader for a JSON list of lists from SQLite, with a view per item. */
export function createJsonRowsReader<Row>(
  toRow: (values: readonly unknown[]) => Row,
): (json: unknown) => readonly Row[] {
  return (json) => parseStoredJson<readonly (readonly unknown[])[]>(json).map(toRow);
}
