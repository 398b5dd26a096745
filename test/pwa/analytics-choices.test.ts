import { describe, expect, test } from "vitest";
import { readChosen, withinBranches, writeChosen } from "../../pwa/analytics/src/choices.ts";

describe("analytics filters", () => {
  test("saves them in the address and restores them from it", () => {
    const filter = { year: 2025, branch: "PMI & co", customerType: "legal_entity" } as const;
    const chosen = { filter, view: "expenses", language: "de" } as const;
    expect(readChosen(writeChosen(chosen), 2026)).toEqual(chosen);
  });

  test("uses defaults if the address is empty or invalid", () => {
    const first = { filter: { year: 2026, branch: "", customerType: "all" }, view: "billing", language: undefined };
    expect(readChosen("", 2026)).toEqual(first);
    expect(readChosen("?year=2999&customers=x&view=y", 2026)).toEqual(first);
    // A year that isn't offered falls back to the default.
    expect(readChosen("?year=2021", 2026)).toEqual(first);
    expect(withinBranches(readChosen("?branch=GONE", 2026), ["PMI"])).toEqual(first);
  });
});
