import {
  countFreeExtras,
  countFreeUnits,
  occupancySpans,
  type Stock,
  type StockAllocation,
} from "#domain/bookings/availability.ts";
import type { SoldOut } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type Span, toSpan } from "#domain/dates.ts";
import type { AgreedContract } from "./change.ts";
import type { Contract } from "./contract.ts";

/** What a contract takes by now of a stock. */
export interface ContractAllocation extends StockAllocation {
  readonly kind: "category" | "extra";
  readonly code: string;
  readonly branchGroupId: number;
  /** Out instead of what was agreed (docs/interfaces/rules.md#instead). */
  readonly isSubstitute: boolean;
}

/**
 * What a contract as it will be agreed lacks of a stock that its own units are not counted in; undefined where nothing.
 * Its units that are back take none, and what it has it keeps: the guard is asked for what is more
 * (docs/interfaces/rules.md#never-overbooked).
 */
export function findContractShortage(
  catalogue: Catalogue,
  { lines, extras, branchGroupId }: Pick<AgreedContract, "lines" | "extras" | "branchGroupId">,
  stock: Stock,
  contract: Pick<Contract, "lines" | "units">,
  held: readonly ContractAllocation[],
): SoldOut | undefined {
  const agreed = held.filter((held) => !held.isSubstitute && held.branchGroupId === branchGroupId);
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

// From the end of what it has of that, where that begins no later and is as much; undefined where it has all of it.
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

function countFreeInCategory(stock: Stock, code: string, span: Span): number {
  return countFreeUnits(stock.categoryUnits.get(code) ?? 0, stock.categoryAllocations.get(code) ?? [], span);
}

function countBack({ lines, units }: Pick<Contract, "lines" | "units">, code: string): number {
  const ids = lines.filter(({ categoryCode }) => categoryCode === code).map(({ id }) => id);
  return units.filter(({ lineId, collectedAt }) => collectedAt !== undefined && ids.includes(lineId)).length;
}

/** What is out instead of what was agreed, and stays out longer. */
export interface ExtendedOccupancy {
  readonly code: string;
  readonly branchGroupId: number;
  readonly quantity: number;
  /** The time that is more. */
  readonly span: Span;
}

/** What a contract as it will be agreed takes longer of what is out with it instead. */
export function findExtendedOccupancy(
  catalogue: Catalogue,
  { period, branchGroupId, returnBranchCode }: Pick<AgreedContract, "period" | "branchGroupId" | "returnBranchCode">,
  held: readonly ContractAllocation[],
): readonly ExtendedOccupancy[] {
  const returnGroupId = catalogue.branches.get(returnBranchCode)?.branchGroupId ?? branchGroupId;
  return held.flatMap(({ isSubstitute, code, branchGroupId: home, quantity, endsAt: startsAt }) => {
    const { endsAt } = occupancySpans(catalogue, toSpan(period), home, returnGroupId).vehicles;
    return isSubstitute && startsAt < endsAt
      ? [{ code, branchGroupId: home, quantity, span: { startsAt, endsAt } }]
      : [];
  });
}

/** What of it others rely on meanwhile, by the stock of each one's branch group in that time without the contract. */
export function findExtensionShortage(
  extensions: readonly ExtendedOccupancy[],
  stocks: readonly Stock[],
): SoldOut | undefined {
  const short = extensions.find(({ code, quantity, span }, index) => {
    const stock = stocks[index];
    return stock && quantity > countFreeInCategory(stock, code, span);
  });
  return short && { kind: "soldOut", resource: "category", code: short.code };
}
