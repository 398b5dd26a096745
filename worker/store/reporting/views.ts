import { parsed } from "./parsed.ts";

/**
 * Names for the values of lists, in their order: what is made of a list reads it by its members. Nothing is copied, for
 * an object of each of a hundred wide rows costs more than reading their text: nothing is there to be spread either.
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

/** What SQLite wrote as a list of lists, each of them named. */
export function createListReader<Row>(name: (values: readonly unknown[]) => Row): (json: unknown) => readonly Row[] {
  return (json) => parsed<readonly (readonly unknown[])[]>(json).map(name);
}
