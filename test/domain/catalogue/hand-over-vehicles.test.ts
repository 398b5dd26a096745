import { expect, test } from "vitest";
import { canBeHandedOver, listHandOverStates } from "#domain/catalogue/hand-over-vehicles.ts";

const NONE = { isOut: false, isBlocked: false, isReserved: false, isElsewhere: false, needsCleaning: false };

test.each([
  [{}, ["free"], true],
  [{ needsCleaning: true }, ["dirty"], true],
  [{ isElsewhere: true, needsCleaning: true }, ["wrong_branch", "dirty"], true],
  [{ isReserved: true, needsCleaning: true }, ["reserved", "dirty"], false],
  [{ isBlocked: true, isReserved: true }, ["blocked", "reserved"], false],
  [{ isOut: true, isBlocked: true, isElsewhere: true }, ["out", "blocked", "wrong_branch"], false],
] as const)("lists the states of a vehicle with %j for a hand-over: %j", (facts, states, leaves) => {
  const listed = listHandOverStates({ ...NONE, ...facts });
  expect(listed).toEqual(states);
  expect(canBeHandedOver(listed)).toBe(leaves);
});
