import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { type BasisPoints, type Cents, sumCents } from "#domain/money.ts";
import type { NewDocumentItem } from "./items.ts";
import { getDocumentTexts } from "./texts.ts";

/** Price data of a contract, from which the items of its invoice are created. */
export interface PricedContract {
  readonly language: PlatformLanguage;
  /** Language in which its documents are printed. Defaults to `language`. */
  readonly printLanguage?: PlatformLanguage | undefined;
  readonly days: number;
  readonly lines: readonly ContractLine[];
  readonly extras: readonly ContractExtra[];
  readonly sums: ContractSums;
  /** Trips of a transfer, which replace the lines of a rental. */
  readonly parts?: readonly NewDocumentItem[] | undefined;
  /** The same parts in the same order, in `printLanguage`. */
  readonly printedParts?: readonly NewDocumentItem[] | undefined;
  /** Retained part of the payments. Set if the contract is cancelled. */
  readonly retainedFeeCents?: Cents | undefined;
}

/** Products of one category in a contract, as its documents need them. */
export interface ContractLine {
  readonly description: string;
  /** Description in `printLanguage`. */
  readonly printedDescription?: string | undefined;
  readonly quantity: number;
  /** Price of one unit for all days. */
  readonly unitCents: Cents;
  readonly discountCents?: Cents | undefined;
  readonly supplementUnitCents: readonly [Cents, Cents, Cents];
  readonly vat: BasisPoints;
  readonly plates: readonly string[];
}

/** Extra of a contract, as its documents need it. */
export interface ContractExtra {
  readonly description: string;
  readonly printedDescription?: string | undefined;
  readonly quantity: number;
  readonly unitCents: Cents;
  readonly discountCents?: Cents | undefined;
  readonly vat: BasisPoints;
}

/** Sums of a contract as stored in the booking. `totalCents` is the sum of all others. */
export interface ContractSums {
  readonly itemCents: Cents;
  readonly extrasCents: Cents;
  readonly timeFromCents: Cents;
  readonly timeToCents: Cents;
  readonly pickupPlaceCents: Cents;
  readonly returnPlaceCents: Cents;
  readonly driverAgeCents: Cents;
  readonly categorySupplementCents: readonly [Cents, Cents, Cents];
  readonly supplementCents: readonly [Cents, Cents, Cents];
  readonly totalCents: Cents;
}

/**
 * Returns every part of the agreed price as an item. Vehicles use their category's tax rate, extras their own, and
 * everything else the first vehicle's rate (decision 0009). If a sum differs from its lines, the difference becomes a
 * separate item, so that the items always add up to the contract's total. For a cancelled contract, only the retained
 * fee.
 */
export function createContractItems(contract: PricedContract): NewDocumentItem[] {
  const { language, retainedFeeCents, parts } = contract;
  if (retainedFeeCents === undefined) return parts ? [...parts] : rentalItems(contract);
  const vat = parts?.[0]?.vat ?? contract.lines[0]?.vat ?? 0;
  const fee = { concept: getDocumentTexts(language).cancellationFee, quantity: 1, unitCents: retainedFeeCents, vat };
  return retainedFeeCents === 0 ? [] : [fee];
}

function rentalItems({ language, days, lines, extras, sums }: PricedContract): NewDocumentItem[] {
  const texts = getDocumentTexts(language);
  const vat = lines[0]?.vat ?? 0;
  const item = (concept: string, unitCents: Cents): NewDocumentItem => ({ concept, quantity: 1, unitCents, vat });
  const rest = (totalCents: Cents, some: readonly Cents[]) => totalCents - sumCents(some);
  const supplementItems = texts.categorySupplements.map((concept, index) => {
    const inLines = lines.map((line) => (line.supplementUnitCents[index] ?? 0) * line.quantity);
    return item(concept, rest(sums.categorySupplementCents[index] ?? 0, inLines));
  });
  const priced = (some: readonly Discountable[]) =>
    some.map(({ unitCents, quantity, discountCents = 0 }) => unitCents * quantity - discountCents);
  const vehicles = lines.map((line) => ({
    concept: getConcept(line, `${texts.rental} ${line.description}, ${texts.days(days)}`),
    quantity: line.quantity,
    unitCents: line.unitCents,
    vat: line.vat,
  }));
  const others = [
    ...lines.flatMap((line) =>
      line.supplementUnitCents.map((unitCents, index) => ({
        concept: texts.categorySupplements[index] ?? "",
        quantity: line.quantity,
        unitCents,
        vat: line.vat,
      })),
    ),
    ...extras.map(({ description, quantity, unitCents, vat }) => ({ concept: description, quantity, unitCents, vat })),
    item(texts.timeFrom, sums.timeFromCents),
    item(texts.timeTo, sums.timeToCents),
    item(texts.pickupPlace, sums.pickupPlaceCents),
    item(texts.returnPlace, sums.returnPlaceCents),
    item(texts.driverAge, sums.driverAgeCents),
    ...texts.supplements.map((concept, index) => item(concept, sums.supplementCents[index] ?? 0)),
    ...createDiscountItemsByRate(texts.discount, [...lines, ...extras]),
    item(texts.difference, rest(sums.itemCents, priced(lines))),
    item(texts.extras, rest(sums.extrasCents, priced(extras))),
    ...supplementItems,
  ];
  return [...vehicles, ...others.filter(({ unitCents }) => unitCents !== 0)];
}

type Discountable = Pick<ContractExtra, "quantity" | "unitCents" | "discountCents" | "vat">;

/** Returns a discount as one item for each tax rate, because the discount lowers the tax base of each rate. */
export function createDiscountItemsByRate(
  concept: string,
  discounted: readonly Pick<Discountable, "vat" | "discountCents">[],
): NewDocumentItem[] {
  return [...Map.groupBy(discounted, ({ vat }) => vat)].map(([vat, items]) => ({
    concept,
    quantity: 1,
    unitCents: 0 - sumCents(items.map(({ discountCents = 0 }) => discountCents)),
    vat,
  }));
}

function getConcept({ plates }: ContractLine, concept: string): string {
  return plates.length > 0 ? `${concept} (${plates.join(", ")})` : concept;
}
