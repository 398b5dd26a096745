import { expect, test } from "vitest";
import {
  formatCompositeKeyCursor,
  formatCursor,
  joinCompositeKey,
  splitCursor,
} from "#domain/reporting/page-cursor.ts";

test.each([
  [["7"], "7"],
  [["2026-11-20", "7"], "2026-11-20~7"],
  [["-date", "A~1"], "-date~A%7E1"],
  [["50%", "%7E", "~"], "50%25~%257E~%7E"],
])("formats the cursor values %j as %s and splits them again", (values, cursor) => {
  expect(formatCursor(...values)).toBe(cursor);
  expect(splitCursor(cursor)).toEqual(values);
});

test.each(["7", "AIR~3~08:00", "a%7E~b"])("restores the key %s from its page cursor", (key) => {
  expect(joinCompositeKey(splitCursor(formatCompositeKeyCursor(key)))).toBe(key);
});
