import { NEVER, peakAllocated, type Stock } from "#domain/bookings/availability.ts";
import { type Span, toSpan } from "#domain/dates.ts";
import type { AgreedContract } from "./change.ts";
import type { Contract } from "./contract.ts";

/** What a contract brings to another branch group for good, and from when on its units count there. */
export interface Bringing {
  readonly lines: readonly { readonly categoryCode: string; readonly quantity: number }[];
  /** Civil minute, preparation included. */
  readonly from: number;
}

/** What a rental as it is agreed brings to its return. */
export function bringingOf(
  { lines, period }: Pick<Contract, "period"> & Pick<Bringing, "lines">,
  preparationMinutes: number,
): Bringing {
  return { lines, from: toSpan(period).endsAt + preparationMinutes };
}

/**
 * The categories of which others rely on what a one-way rental brings: without it, or with what it would bring instead,
 * more would be sold at its return than is there (docs/interfaces/rules.md#one-way-rentals). The stock is that of the
 * return's branch group without the rental, over `spanOfReliance`.
 */
export function findRelied(stock: Stock, before: Bringing, after: Bringing | undefined): readonly string[] {
  const span = stock.spans.vehicles;
  const codes = [...new Set(before.lines.map(({ categoryCode }) => categoryCode))];
  return codes.filter((code) => isShort(stock, code, span, after) && !isShort(stock, code, span, before));
}

/** When others may rely on what is brought: from its first moment on. */
export function spanOfReliance(before: Bringing, after: Bringing | undefined): Span {
  return { startsAt: Math.min(before.from, after?.from ?? before.from), endsAt: NEVER };
}

function isShort(stock: Stock, code: string, span: Span, bringing: Bringing | undefined): boolean {
  const brought = (bringing?.lines ?? [])
    .filter(({ categoryCode }) => categoryCode === code)
    .map(({ quantity }) => ({ startsAt: bringing?.from ?? 0, endsAt: NEVER, quantity: -quantity }));
  const allocations = [...(stock.categoryAllocations.get(code) ?? []), ...brought];
  return peakAllocated(allocations, span) > (stock.categoryUnits.get(code) ?? 0);
}

/** What a rental brings once a move is made: nothing where it is cancelled or returns elsewhere. */
export function bringingAfter(
  contract: Contract,
  agreed: AgreedContract | undefined,
  {
    isCancelled,
    preparationMinutes,
    returnsThere,
  }: {
    readonly isCancelled: boolean;
    readonly preparationMinutes: number;
    readonly returnsThere: boolean;
  },
): Bringing | undefined {
  if (isCancelled || !returnsThere) return undefined;
  return bringingOf(agreed ?? contract, preparationMinutes);
}
