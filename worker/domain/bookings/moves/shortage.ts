import { countFreeExtras, countFreeUnits, type Stock } from "#domain/bookings/availability.ts";
import type { SoldOut } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { AgreedContract } from "./change.ts";
import type { Contract } from "./contract.ts";

/**
 * What a contract as it will be agreed lacks of a stock that its own units are not counted in; undefined where nothing.
 * Its units that are back take none.
 */
export function findShortageOf(
  catalogue: Catalogue,
  { lines, extras, branchGroupId }: Pick<AgreedContract, "lines" | "extras" | "branchGroupId">,
  stock: Stock,
  contract: Pick<Contract, "lines" | "units">,
): SoldOut | undefined {
  const span = stock.spans.vehicles;
  const wanted = new Map<string, number>();
  for (const line of lines) wanted.set(line.categoryCode, (wanted.get(line.categoryCode) ?? 0) + line.quantity);
  for (const [code, units] of wanted) {
    const quantity = units - countBack(contract, code);
    const free = countFreeUnits(stock.categoryUnits.get(code) ?? 0, stock.categoryAllocations.get(code) ?? [], span);
    if (quantity > free) return { kind: "soldOut", resource: "category", code };
  }
  for (const { code, quantity } of extras) {
    const extra = catalogue.extras.get(code);
    if (extra && quantity > countFreeExtras(stock, extra, branchGroupId))
      return { kind: "soldOut", resource: "extra", code };
  }
  return undefined;
}

function countBack({ lines, units }: Pick<Contract, "lines" | "units">, code: string): number {
  const ids = lines.filter(({ categoryCode }) => categoryCode === code).map(({ id }) => id);
  return units.filter(({ lineId, collectedAt }) => collectedAt !== undefined && ids.includes(lineId)).length;
}
