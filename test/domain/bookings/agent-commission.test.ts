import { expect, test } from "vitest";
import { calculateAgentSurplus, calculateCommission } from "#domain/contracts/agent-commission.ts";

const terms = { commissionFixedCents: 1500, commissionBasisPoints: 1050 };

test("calculates a commission by percentage, rounded half up, or as a fixed amount", () => {
  expect(calculateCommission({ ...terms, commissionCalculation: "percentage" }, 8000)).toBe(840);
  expect(calculateCommission({ ...terms, commissionCalculation: "percentage", commissionBasisPoints: 50 }, 100)).toBe(
    1,
  );
  expect(calculateCommission({ ...terms, commissionCalculation: "fixed_amount" }, 8000)).toBe(1500);
});

test.each([
  ["nothing within the commission", 840, 0, 0],
  ["all of an excess", 1340, 0, 500],
  ["nothing that was agreed before", 8000, 8000, 0],
  ["the whole excess if it rises", 8000, 1340, 7160],
])("calculates how much an agent newly retains beyond the commission: %s", (_, keptCents, beforeCents, expected) => {
  const commissionCents = 840;
  expect(calculateAgentSurplus({ keptCents, commissionCents }, { keptCents: beforeCents, commissionCents })).toBe(
    expected,
  );
});
