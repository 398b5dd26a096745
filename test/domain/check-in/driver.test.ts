import { describe, expect, test } from "vitest";
import { findDriverWarnings, getAgeOn } from "#domain/check-in/driver.ts";

const RENTAL = { dateFrom: "2030-05-03", dateTo: "2030-05-10" };
const RULES = [
  { ageFrom: 0, ageTo: 20, allowed: false },
  { ageFrom: 21, ageTo: 24, allowed: true },
];

describe("a driver's age is counted in whole years", () => {
  test.each([
    ["2009-05-03", 21],
    ["2009-05-04", 20],
    ["2008-12-31", 21],
  ])("counts the age in whole years of a driver born on %s", (born, age) => {
    expect(getAgeOn(born, "2030-05-03")).toBe(age);
  });
});

describe("driver document warnings", () => {
  // Proves "check-in.md: day, vehicles and extras": An age that no rule allows is odd, one that no rule names is not
  test.each([
    ["expired licence if it ends the day before the return", { licenceExpires: "2030-05-09" }, ["licence_expired"]],
    ["none if the licence ends on the day of the return", { licenceExpires: "2030-05-10" }, []],
    ["age if it isn't accepted on the day of the pickup", { dateOfBirth: "2009-05-04" }, ["driver_age"]],
    ["none if the age is accepted at a price", { dateOfBirth: "2009-05-03" }, []],
    ["none if no rule concerns the age", { dateOfBirth: "1950-01-01" }, []],
    ["none for missing data", {}, []],
  ])("lists the warnings about a driver's documents: %s", (_what, documents, warnings) => {
    expect(findDriverWarnings(documents, RENTAL, RULES)).toEqual(warnings);
  });
});
