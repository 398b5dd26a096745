import { expect, test } from "vitest";
import { isDeepEqual } from "#domain/deep-equal.ts";

test.each([
  [1, 1, true],
  ["1", 1, false],
  [null, undefined, false],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: 1 }, { a: 1, b: null }, false],
  [{ b: [1, { c: 2 }], a: 1 }, { a: 1, b: [1, { c: 2 }] }, true],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [[], {}, false],
  [{}, null, false],
])("compares %j and %j: equal %s", (item, other, isExpected) => {
  expect(isDeepEqual(item, other)).toBe(isExpected);
  expect(isDeepEqual(other, item)).toBe(isExpected);
});
