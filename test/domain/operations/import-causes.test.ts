import { expect, test } from "vitest";
import { groupProblemsByCause } from "#domain/operations/import-causes.ts";

const problem = (line: number, value: string, code: string) => ({ file: "a.csv", line, field: "status", value, code });

test("groups invalid values of a column by reason, and unknown words by value", () => {
  const problems = [
    ...[problem(2, "x", "date_invalid"), problem(3, "y", "date_invalid")],
    ...[problem(4, "frei", "value_unknown"), problem(5, "weg", "value_unknown"), problem(6, "frei", "value_unknown")],
  ];
  expect(groupProblemsByCause(problems).map(({ first, lines }) => [first.value, lines])).toEqual([
    ["x", [2, 3]],
    ["frei", [4, 6]],
    ["weg", [5]],
  ]);
});
