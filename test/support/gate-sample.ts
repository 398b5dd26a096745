import { inject } from "vitest";

/** Returns the first cases of a test for the gate, and all of them for a release. Put unlike cases first. */
export function chooseForGate<Case>(cases: readonly Case[], count: number): readonly Case[] {
  return inject("isThorough") ? cases : cases.slice(0, count);
}
