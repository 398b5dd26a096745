import "./page.ts";
import { expect, test } from "vitest";
import { listFieldsToCopy, type MergeRow, pickMergeSide } from "../../pwa/office/src/pages/customers/merge-rows.ts";

const row = (name: MergeRow["name"], thisText: string, other: string): MergeRow => ({
  name,
  label: name,
  texts: { this: thisText, other },
  isSame: thisText === other,
});

test("proposes the value of the customer that remains after a merge, or the only filled value", () => {
  expect(pickMergeSide(row("email", "a@x.es", "b@x.es"), {}, "other")).toBe("other");
  expect(pickMergeSide(row("email", "a@x.es", "b@x.es"), {}, "this")).toBe("this");
  expect(pickMergeSide(row("email", "a@x.es", ""), {}, "other")).toBe("this");
  expect(pickMergeSide(row("email", "a@x.es", "b@x.es"), { email: "this" }, "other")).toBe("this");
});

test("takes chosen values and only filled ones from the merged customer, but no equal ones", () => {
  const rows = [
    row("name", "Ana", "Ana"),
    row("email", "a@x.es", "b@x.es"),
    row("phone_number", "600", "700"),
    row("language", "es", ""),
  ];
  expect(listFieldsToCopy(rows, { email: "this" }, "other")).toEqual(["email", "language"]);
  // If the user keeps this record instead, its chosen email stays and nothing is copied.
  expect(listFieldsToCopy(rows, { email: "this" }, "this")).toEqual([]);
});
