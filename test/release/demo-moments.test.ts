import { describe, expect, it } from "vitest";
import { filledDemo } from "#support/demo-data.ts";
import { brokenLaws } from "#support/demo-laws.ts";
import { wronglyPriced } from "#support/demo-prices.ts";

// A night of summer, the last minutes of a leap day, and the hour in which the clocks go forward.
const moments = [new Date("2027-08-15T22:30:00Z"), new Date("2028-02-29T23:55:00Z"), new Date("2027-03-28T00:30:00Z")];

describe.each(moments)("the accounts as of %s", (now) => {
  it.each(["acme", "globex"] as const)("keep every law: %s", async (account) => {
    const database = await filledDemo(account, now);
    expect(brokenLaws(database, now)).toEqual([]);
    expect(await wronglyPriced(database)).toEqual([]);
  });
});
