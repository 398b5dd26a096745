import { NEVER, peakUsage, type Stock } from "#domain/bookings/availability.ts";
import { type Span, toSpan } from "#domain/dates.ts";
import type { AgreedContract } from "./change.ts";
import type { Contract } from "./contract.ts";

/** What a contract brings to another branch group for good, and from when on its units count there. */
export interface IncomingStock {
  readonly lines: readonly { readonly categoryCode: string; readonly quantity: number }[];
  /** Civil minute, preparation included. */
  readonly from: number;
}

/** What a rental as it is agreed brings to its return. */
export function incomingStock(
  { lines, period }: Pick<Contract, "period"> & Pick<IncomingStock, "lines">,
  preparationMinutes: number,
): IncomingStock {
  return { lines, from: toSpan(period).endsAt + preparationMinutes };
}

/**
 * The categories of which others rely on what a one-way rental brings: without it, or with what it would bring instead,
 * more would be sold at its return than is there (docs/interfaces/rules.md#one-way-rentals). The stock is that of the
 * return's branch group without the rental, over `spanOfReliance`.
 */
export function findDependentCategories(
  stock: Stock,
  before: IncomingStock,
  after: IncomingStock | undefined,
): readonly string[] {
  const span = stock.spans.vehicles;
  const codes = [...new Set(before.lines.map(({ categoryCode }) => categoryCode))];
  return codes.filter((code) => isShort(stock, code, span, after) && !isShort(stock, code, span, before));
}

/** When others may rely on what is brought: from its first moment on. */
export function dependencySpan(before: IncomingStock, after: IncomingStock | undefined): Span {
  return { startsAt: Math.min(before.from, after?.from ?? before.from), endsAt: NEVER };
}

function isShort(stock: Stock, code: string, span: Span, bringing: IncomingStock | undefined): boolean {
  const incomingAllocations = (bringing?.lines ?? [])
    .filter(({ categoryCode }) => categoryCode === code)
    .map(({ quantity }) => ({ startsAt: bringing?.from ?? 0, endsAt: NEVER, quantity: -quantity }));
  const allocations = [...(stock.categoryAllocations.get(code) ?? []), ...incomingAllocations];
  return peakUsage(allocations, span) > (stock.categoryUnits.get(code) ?? 0);
}

/** What a rental brings once a move is made: nothing where it is cancelled or returns elsewhere. */
export function incomingStockAfter(
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
): IncomingStock | undefined {
  if (isCancelled || !returnsThere) return undefined;
  return incomingStock(agreed ?? contract, preparationMinutes);
}
