import { expect, test } from "vitest";
import { listOf, viewOf } from "#worker/store/reporting/views.ts";

interface Thing {
  readonly id: number;
  readonly name: string | null;
}

const thingOf = viewOf<Thing>(["id", "name"]);

test("a list's values are read by their names", () => {
  const [one, other] = [thingOf([1, "A"]), thingOf([2, null])];
  expect([one.id, one.name, other.id, other.name]).toEqual([1, "A", 2, null]);
});

test("what SQLite wrote as lists is named, as text and as a part of a row that was read", () => {
  const named = (json: unknown) => listOf(thingOf)(json).map(({ id, name }) => ({ id, name }));
  const things = [
    { id: 1, name: "A" },
    { id: 2, name: null },
  ];
  expect(named('[[1,"A"],[2,null]]')).toEqual(things);
  expect(
    named([
      [1, "A"],
      [2, null],
    ]),
  ).toEqual(things);
});
