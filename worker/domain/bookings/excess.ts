import type { Catalogue, ExcessReduction } from "#domain/catalogue/catalogue.ts";
import { applyRate, type Cents, sumCents } from "#domain/money.ts";

/** Deposit and guarantee of one unit, in minor units. */
export interface Excess {
  readonly depositCents: Cents;
  readonly guaranteeCents: Cents;
}

/** What is left of a unit's deposit and guarantee, and what chosen extras took off them. */
export interface ReducedExcess {
  readonly depositUnitCents: Cents;
  readonly guaranteeUnitCents: Cents;
  readonly depositReductionUnitCents: Cents;
  readonly guaranteeReductionUnitCents: Cents;
}

/** A unit's whole deposit and guarantee, divided into what these extras leave and what they take off. */
export function toReducedExcess(fullExcess: Excess, reductions: readonly ExcessReduction[]): ReducedExcess {
  const remainingExcess = reduceExcess(fullExcess, reductions);
  return {
    depositUnitCents: remainingExcess.depositCents,
    guaranteeUnitCents: remainingExcess.guaranteeCents,
    depositReductionUnitCents: fullExcess.depositCents - remainingExcess.depositCents,
    guaranteeReductionUnitCents: fullExcess.guaranteeCents - remainingExcess.guaranteeCents,
  };
}

/** Deposit and guarantee of one unit without any reduction. */
export function getFullExcess(line: ReducedExcess): Excess {
  return {
    depositCents: line.depositUnitCents + line.depositReductionUnitCents,
    guaranteeCents: line.guaranteeUnitCents + line.guaranteeReductionUnitCents,
  };
}

/** What the extras of these codes take off. */
export function reductionsBy(
  { extras }: Pick<Catalogue, "extras">,
  codes: readonly string[],
): readonly ExcessReduction[] {
  return codes.flatMap((code) => extras.get(code)?.excessReduction ?? []);
}

// What of a unit's deposit and guarantee is left where these extras are chosen: the lowest that any of them leaves.
function reduceExcess(excess: Excess, reductions: readonly ExcessReduction[]): Excess {
  return {
    depositCents: lowest(excess.depositCents, reductions, "depositValue"),
    guaranteeCents: lowest(excess.guaranteeCents, reductions, "guaranteeValue"),
  };
}

/** A line's units, with what is left of each one's deposit and guarantee. */
export interface LineExcess extends ReducedExcess {
  readonly lineId: number;
  readonly quantity: number;
}

/** The lines of which extras that are sold later take more off, as they are then; what was taken off stays. */
export function lowerLines(
  lines: readonly LineExcess[],
  reductions: readonly ExcessReduction[],
): readonly LineExcess[] {
  if (reductions.length === 0) return [];
  return lines.flatMap((line) => {
    const fullExcess = getFullExcess(line);
    const remainingExcess = reduceExcess(fullExcess, reductions);
    const depositUnitCents = Math.min(line.depositUnitCents, remainingExcess.depositCents);
    const guaranteeUnitCents = Math.min(line.guaranteeUnitCents, remainingExcess.guaranteeCents);
    if (depositUnitCents === line.depositUnitCents && guaranteeUnitCents === line.guaranteeUnitCents) return [];
    return {
      ...line,
      ...{ depositUnitCents, guaranteeUnitCents },
      depositReductionUnitCents: fullExcess.depositCents - depositUnitCents,
      guaranteeReductionUnitCents: fullExcess.guaranteeCents - guaranteeUnitCents,
    };
  });
}

/** By how much lines were lowered together, in minor units. */
export function loweredBy(lines: readonly LineExcess[], lowered: readonly LineExcess[]): Excess {
  const before = new Map(lines.map((line) => [line.lineId, line]));
  const sum = (cents: (line: LineExcess) => Cents) =>
    sumCents(
      lowered.map((line) => {
        const was = before.get(line.lineId);
        return was ? (cents(was) - cents(line)) * line.quantity : 0;
      }),
    );
  return { depositCents: sum((line) => line.depositUnitCents), guaranteeCents: sum((line) => line.guaranteeUnitCents) };
}

const FULL_RATE_BASIS_POINTS = 10_000;

function lowest(cents: Cents, reductions: readonly ExcessReduction[], name: "depositValue" | "guaranteeValue"): Cents {
  const remainingExcess = reductions.flatMap(({ type, [name]: value }) => {
    if (value === undefined) return [];
    return type === "amount" ? value : cents - applyRate(cents, Math.min(value, FULL_RATE_BASIS_POINTS));
  });
  return Math.min(cents, ...remainingExcess);
}
