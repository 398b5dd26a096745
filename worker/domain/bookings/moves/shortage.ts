import {
  countFreeExtras,
  countFreeUnits,
  type Stock,
  type StockAllocation,
  takenSpans,
} from "#domain/bookings/availability.ts";
import type { SoldOut } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type Span, toSpan } from "#domain/dates.ts";
import type { AgreedContract } from "./change.ts";
import type { Contract } from "./contract.ts";

/** What a contract takes by now of a stock. */
export interface Held extends StockAllocation {
  readonly kind: "category" | "extra";
  readonly code: string;
  readonly branchGroupId: number;
  /** Out instead of what was agreed (docs/interfaces/rules.md#instead). */
  readonly isGiven: boolean;
}

/**
 * What a contract as it will be agreed lacks of a stock that its own units are not counted in; undefined where nothing.
 * Its units that are back take none, and what it has it keeps: the guard is asked for what is more
 * (docs/interfaces/rules.md#never-overbooked).
 */
export function findShortageOf(
  catalogue: Catalogue,
  { lines, extras, branchGroupId }: Pick<AgreedContract, "lines" | "extras" | "branchGroupId">,
  stock: Stock,
  contract: Pick<Contract, "lines" | "units">,
  held: readonly Held[],
): SoldOut | undefined {
  const agreed = held.filter((one) => !one.isGiven && one.branchGroupId === branchGroupId);
  const moreOf = (kind: Held["kind"], code: string, quantity: number, span: Span) =>
    spanOfMore(
      agreed.filter((one) => one.kind === kind && one.code === code),
      quantity,
      span,
    );
  const wanted = new Map<string, number>();
  for (const line of lines) wanted.set(line.categoryCode, (wanted.get(line.categoryCode) ?? 0) + line.quantity);
  for (const [code, units] of wanted) {
    const quantity = units - countBack(contract, code);
    const span = moreOf("category", code, quantity, stock.spans.vehicles);
    if (span && quantity > countFreeOf(stock, code, span)) return { kind: "soldOut", resource: "category", code };
  }
  for (const { code, quantity } of extras) {
    const extra = catalogue.extras.get(code);
    const span = moreOf("extra", code, quantity, stock.spans.extras);
    if (extra && span && quantity > countFreeExtras(stock, extra, branchGroupId, span))
      return { kind: "soldOut", resource: "extra", code };
  }
  return undefined;
}

// From the end of what it has of that, where that begins no later and is as much; undefined where it has all of it.
function spanOfMore(has: readonly Held[], quantity: number, wanted: Span): Span | undefined {
  const had = has.filter(({ startsAt }) => startsAt <= wanted.startsAt);
  const isAsMuch = had.length > 0 && had.reduce((sum, one) => sum + one.quantity, 0) >= quantity;
  const until = isAsMuch ? Math.min(...had.map(({ endsAt }) => endsAt)) : wanted.startsAt;
  const startsAt = Math.max(wanted.startsAt, until);
  return startsAt < wanted.endsAt ? { startsAt, endsAt: wanted.endsAt } : undefined;
}

function countFreeOf(stock: Stock, code: string, span: Span): number {
  return countFreeUnits(stock.categoryUnits.get(code) ?? 0, stock.categoryAllocations.get(code) ?? [], span);
}

function countBack({ lines, units }: Pick<Contract, "lines" | "units">, code: string): number {
  const ids = lines.filter(({ categoryCode }) => categoryCode === code).map(({ id }) => id);
  return units.filter(({ lineId, collectedAt }) => collectedAt !== undefined && ids.includes(lineId)).length;
}

/** What is out instead of what was agreed, and stays out longer. */
export interface KeptLonger {
  readonly code: string;
  readonly branchGroupId: number;
  readonly quantity: number;
  /** The time that is more. */
  readonly span: Span;
}

/** What a contract as it will be agreed takes longer of what is out with it instead. */
export function findKeptLonger(
  catalogue: Catalogue,
  { period, branchGroupId, returnBranchCode }: Pick<AgreedContract, "period" | "branchGroupId" | "returnBranchCode">,
  held: readonly Held[],
): readonly KeptLonger[] {
  const returnGroupId = catalogue.branches.get(returnBranchCode)?.branchGroupId ?? branchGroupId;
  return held.flatMap(({ isGiven, code, branchGroupId: home, quantity, endsAt: startsAt }) => {
    const { endsAt } = takenSpans(catalogue, toSpan(period), home, returnGroupId).vehicles;
    return isGiven && startsAt < endsAt ? [{ code, branchGroupId: home, quantity, span: { startsAt, endsAt } }] : [];
  });
}

/** What of it others rely on meanwhile, by the stock of each one's branch group in that time without the contract. */
export function findShortageOfKept(kept: readonly KeptLonger[], stocks: readonly Stock[]): SoldOut | undefined {
  const short = kept.find(({ code, quantity, span }, index) => {
    const stock = stocks[index];
    return stock && quantity > countFreeOf(stock, code, span);
  });
  return short && { kind: "soldOut", resource: "category", code: short.code };
}
