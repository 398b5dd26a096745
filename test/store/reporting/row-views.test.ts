import { expect, test } from "vitest";
import { createJsonRowsReader, createRowView } from "#worker/store/reporting/row-views.ts";

interface ViewedItem {
  readonly id: number;
  readonly name: string | null;
}

const toViewedItem = createRowView<ViewedItem>(["id", "name"]);

test("reads the values of a list that is stored as an array by their field names", () => {
  const [thing, other] = [toViewedItem([1, "A"]), toViewedItem([2, null])];
  expect([thing.id, thing.name, other.id, other.name]).toEqual([1, "A", 2, null]);
});

test("reads a JSON list from SQLite by field names, as text or already parsed", () => {
  const readItems = (json: unknown) => createJsonRowsReader(toViewedItem)(json).map(({ id, name }) => ({ id, name }));
  const items = [
    { id: 1, name: "A" },
    { id: 2, name: null },
  ];
  expect(readItems('[[1,"A"],[2,null]]')).toEqual(items);
  expect(
    readItems([
      [1, "A"],
      [2, null],
    ]),
  ).toEqual(items);
});
