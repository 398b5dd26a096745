import type { ExcessReduction } from "#domain/catalogue/catalogue.ts";
import { type Cents, partOf } from "#domain/money.ts";

/** Deposit and guarantee of one unit, in minor units. */
export interface Excess {
  readonly depositCents: Cents;
  readonly guaranteeCents: Cents;
}

/** What of a unit's deposit and guarantee is left where these extras are chosen: the lowest that any of them leaves. */
export function reduceExcess(excess: Excess, reductions: readonly ExcessReduction[]): Excess {
  return {
    depositCents: lowest(excess.depositCents, reductions, "depositValue"),
    guaranteeCents: lowest(excess.guaranteeCents, reductions, "guaranteeValue"),
  };
}

const WHOLE = 10_000;

function lowest(cents: Cents, reductions: readonly ExcessReduction[], name: "depositValue" | "guaranteeValue"): Cents {
  const left = reductions.flatMap(({ type, [name]: value }) => {
    if (value === undefined) return [];
    return type === "amount" ? value : cents - partOf(cents, Math.min(value, WHOLE));
  });
  return Math.min(cents, ...left);
}
