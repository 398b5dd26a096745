import {
  countFreeExtras,
  countFreeUnits,
  getOccupancySpans,
  type RentalStock,
  type StockAllocation,
} from "#domain/bookings/availability.ts";
import type { SoldOut } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type Span, toSpan } from "#domain/dates.ts";
import type { AgreedContract } from "./change.ts";
import type { Contract } from "./contract.ts";

/** Stock that a contract already occupies. */
export interface ContractAllocation extends StockAllocation {
  readonly kind: "category" | "extra";
  readonly code: string;
  readonly branchGroupId: number;
  /**
   * Whether the allocation is of a vehicle that's out as a substitute for the agreed category
   * (docs/interfaces/rules.md#substitute-vehicles).
   */
  readonly isSubstitute: boolean;
}

/**
 * Returns the stock that a contract's new agreed state lacks, given the stock without its own units. Undefined if
 * nothing is missing. Returned units need none, and existing ones stay. Only the increase is checked
 * (docs/interfaces/rules.md#never-overbooked).
 */
export function findContractShortage(
  catalogue: Catalogue,
  { lines, extras, branchGroupId }: Pick<AgreedContract, "lines" | "extras" | "branchGroupId">,
  stock: RentalStock,
  contract: Pick<Contract, "lines" | "units">,
  allocations: readonly ContractAllocation[],
): SoldOut | undefined {
  const agreed = allocations.filter((held) => !held.isSubstitute && held.branchGroupId === branchGroupId);
  const toAdditionalUse = (kind: ContractAllocation["kind"], code: string, quantity: number, span: Span) =>
    findAdditionalSpan(
      agreed.filter((held) => held.kind === kind && held.code === code),
      quantity,
      span,
    );
  const requiredUnits = new Map<string, number>();
  for (const line of lines)
    requiredUnits.set(line.categoryCode, (requiredUnits.get(line.categoryCode) ?? 0) + line.quantity);
  for (const [code, units] of requiredUnits) {
    const quantity = units - countBack(contract, code);
    const span = toAdditionalUse("category", code, quantity, stock.spans.vehicles);
    if (span && quantity > countFreeInCategory(stock, code, span))
      return { kind: "soldOut", resource: "category", code };
  }
  for (const { code, quantity } of extras) {
    const extra = catalogue.extras.get(code);
    const span = toAdditionalUse("extra", code, quantity, stock.spans.extras);
    if (extra && span && quantity > countFreeExtras(stock, extra, branchGroupId, span))
      return { kind: "soldOut", resource: "extra", code };
  }
  return undefined;
}

// Returns the span in which a contract needs more units than it already has. Starts at the end of its allocations if
// they have enough units, otherwise at the start of the required span. Undefined if no more units are needed.
function findAdditionalSpan(
  has: readonly ContractAllocation[],
  quantity: number,
  requiredUnits: Span,
): Span | undefined {
  const had = has.filter(({ startsAt }) => startsAt <= requiredUnits.startsAt);
  const isAsMuch = had.length > 0 && had.reduce((sum, held) => sum + held.quantity, 0) >= quantity;
  const until = isAsMuch ? Math.min(...had.map(({ endsAt }) => endsAt)) : requiredUnits.startsAt;
  const startsAt = Math.max(requiredUnits.startsAt, until);
  return startsAt < requiredUnits.endsAt ? { startsAt, endsAt: requiredUnits.endsAt } : undefined;
}

function countFreeInCategory(stock: RentalStock, code: string, span: Span): number {
  return countFreeUnits(stock.categoryUnits.get(code) ?? 0, stock.categoryAllocations.get(code) ?? [], span);
}

function countBack({ lines, units }: Pick<Contract, "lines" | "units">, code: string): number {
  const ids = lines.filter(({ categoryCode }) => categoryCode === code).map(({ id }) => id);
  return units.filter(({ lineId, collectedAt }) => collectedAt !== undefined && ids.includes(lineId)).length;
}

/** Substitute vehicles that stay out longer. */
export interface ExtendedOccupancy {
  readonly code: string;
  readonly branchGroupId: number;
  readonly quantity: number;
  /** Time that they stay out beyond the agreed return. */
  readonly span: Span;
}

/** Returns the substitute vehicles that a contract's new agreed state occupies for longer. */
export function findExtendedSubstituteOccupancy(
  catalogue: Catalogue,
  { period, branchGroupId, returnBranchCode }: Pick<AgreedContract, "period" | "branchGroupId" | "returnBranchCode">,
  allocations: readonly ContractAllocation[],
): readonly ExtendedOccupancy[] {
  const returnGroupId = catalogue.branches.get(returnBranchCode)?.branchGroupId ?? branchGroupId;
  return allocations.flatMap(({ isSubstitute, code, branchGroupId: home, quantity, endsAt: startsAt }) => {
    const { endsAt } = getOccupancySpans(catalogue, toSpan(period), home, returnGroupId).vehicles;
    return isSubstitute && startsAt < endsAt
      ? [{ code, branchGroupId: home, quantity, span: { startsAt, endsAt } }]
      : [];
  });
}

/**
 * Returns the shortage for other bookings if substitute vehicles stay out longer. `stocks` are the branch
 * groups' stocks in that time, without the contract.
 */
export function findExtensionShortage(
  extensions: readonly ExtendedOccupancy[],
  stocks: readonly RentalStock[],
): SoldOut | undefined {
  const short = extensions.find(({ code, quantity, span }, index) => {
    const stock = stocks[index];
    return stock && quantity > countFreeInCategory(stock, code, span);
  });
  return short && { kind: "soldOut", resource: "category", code: short.code };
}
