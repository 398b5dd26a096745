import type { Catalogue, ExcessReduction } from "#domain/catalogue/catalogue.ts";
import { applyRate, type Cents, sumCents } from "#domain/money.ts";

/** Deposit and guarantee of one unit, in minor units. */
export interface Excess {
  readonly depositCents: Cents;
  readonly guaranteeCents: Cents;
}

/** Remaining deposit and guarantee of a unit, and their reductions by chosen extras. */
export interface ReducedExcess {
  readonly depositUnitCents: Cents;
  readonly guaranteeUnitCents: Cents;
  readonly depositReductionUnitCents: Cents;
  readonly guaranteeReductionUnitCents: Cents;
}

/** Splits a unit's full deposit and guarantee into the remaining and the reduced part. */
export function toReducedExcess(fullExcess: Excess, reductions: readonly ExcessReduction[]): ReducedExcess {
  const remainingExcess = reduceExcess(fullExcess, reductions);
  return {
    depositUnitCents: remainingExcess.depositCents,
    guaranteeUnitCents: remainingExcess.guaranteeCents,
    depositReductionUnitCents: fullExcess.depositCents - remainingExcess.depositCents,
    guaranteeReductionUnitCents: fullExcess.guaranteeCents - remainingExcess.guaranteeCents,
  };
}

/** Returns the deposit and guarantee of one unit without reductions. */
export function getUnreducedExcess(line: ReducedExcess): Excess {
  return {
    depositCents: line.depositUnitCents + line.depositReductionUnitCents,
    guaranteeCents: line.guaranteeUnitCents + line.guaranteeReductionUnitCents,
  };
}

/** Returns the reductions of the extras with these codes. */
export function listExtraExcessReductions(
  { extras }: Pick<Catalogue, "extras">,
  codes: readonly string[],
): readonly ExcessReduction[] {
  return codes.flatMap((code) => extras.get(code)?.excessReduction ?? []);
}

// Returns a unit's deposit and guarantee with these extras. The lowest resulting amount applies.
function reduceExcess(excess: Excess, reductions: readonly ExcessReduction[]): Excess {
  return {
    depositCents: lowest(excess.depositCents, reductions, "depositValue"),
    guaranteeCents: lowest(excess.guaranteeCents, reductions, "guaranteeValue"),
  };
}

/** Returns the deposit and guarantee of all lines if only these reductions apply. */
export function sumExcess(
  lines: readonly (ReducedExcess & { readonly quantity: number })[],
  reductions: readonly ExcessReduction[],
): Excess {
  const units = lines.map((line) => ({
    ...reduceExcess(getUnreducedExcess(line), reductions),
    quantity: line.quantity,
  }));
  return {
    depositCents: sumCents(units.map(({ depositCents, quantity }) => depositCents * quantity)),
    guaranteeCents: sumCents(units.map(({ guaranteeCents, quantity }) => guaranteeCents * quantity)),
  };
}

/** Units of a line, with the remaining deposit and guarantee of each. */
export interface LineExcess extends ReducedExcess {
  readonly lineId: number;
  readonly quantity: number;
}

/** Returns the lines with lower amounts because of extras sold later. Earlier reductions stay. */
export function reduceLineExcess(
  lines: readonly LineExcess[],
  reductions: readonly ExcessReduction[],
): readonly LineExcess[] {
  if (reductions.length === 0) return [];
  return lines.flatMap((line) => {
    const fullExcess = getUnreducedExcess(line);
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

/** Returns the total reduction of the lines, in minor units. */
export function sumExcessReduction(lines: readonly LineExcess[], lowered: readonly LineExcess[]): Excess {
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
