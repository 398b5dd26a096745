import type { DiscountChange } from "#domain/bookings/sold-extras-discount.ts";
import type { CivilDate } from "#domain/dates.ts";
import type { BasisPoints, Cents } from "#domain/money.ts";
import type { LedgerContract, SupplementField } from "./ledger.ts";

/** Stored contract from which the ledger is calculated. Times in epoch ms. */
export interface LedgerSource {
  readonly bookingId: number;
  readonly isCounted: boolean;
  readonly dateFrom: CivilDate;
  readonly days: number;
  readonly branchCode: string;
  readonly customerType: string;
  readonly lines: readonly LedgerSourceLine[];
  readonly extras: LedgerContract["extras"];
  readonly supplementCents: Readonly<Record<SupplementField, Cents>>;
}

/** Products of one category in a contract, as stored, for the ledger. */
export interface LedgerSourceLine {
  readonly itemCents: Cents;
  readonly categorySupplementCents: readonly Cents[];
  readonly vat: BasisPoints;
  readonly units: readonly LedgerSourceUnit[];
}

/** Unit of a contract with its vehicle, times in epoch ms and readings, for the ledger. */
export interface LedgerSourceUnit {
  readonly unitId: number;
  readonly reference: string | null;
  readonly deliveredAt: number | null;
  readonly collectedAt: number | null;
  readonly deliveryKilometres: number | null;
  readonly collectionKilometres: number | null;
  /** Vehicles returned in exchange for this one. */
  readonly exchanged?: readonly {
    readonly reference: string;
    readonly returnedAt: number;
    readonly deliveryKilometres: number | null;
    readonly returnKilometres: number | null;
  }[];
}

/**
 * Converts a contract with its delivered vehicles. `toCivilDate` returns dates in the account's calendar. Undefined if
 * it doesn't count.
 */
export function toLedgerContract(
  source: LedgerSource,
  toCivilDate: (at: number) => CivilDate,
): LedgerContract | undefined {
  if (!source.isCounted) return undefined;
  return {
    ...source,
    lines: source.lines.map((line) => ({
      ...line,
      vehicles: line.units.flatMap((unit) => {
        const { reference, deliveredAt, exchanged = [] } = unit;
        if (reference === null || deliveredAt === null) return [];
        const exchangedOn = exchanged.map(({ returnedAt }) => toCivilDate(returnedAt));
        const before = exchanged.map((item, index) => ({
          reference: item.reference,
          from: exchangedOn[index - 1],
          until: exchangedOn[index],
          driven: drivenBetween(item.deliveryKilometres, item.returnKilometres, toCivilDate(item.returnedAt)),
        }));
        return [...before, { reference, from: exchangedOn.at(-1), driven: drivenBy(unit, toCivilDate) }];
      }),
    })),
  };
}

function drivenBy(unit: LedgerSourceUnit, toCivilDate: (at: number) => CivilDate) {
  const { collectedAt, deliveryKilometres, collectionKilometres } = unit;
  return collectedAt === null
    ? undefined
    : drivenBetween(deliveryKilometres, collectionKilometres, toCivilDate(collectedAt));
}

function drivenBetween(from: number | null, to: number | null, on: CivilDate) {
  return from === null || to === null ? undefined : { on, kilometres: Math.max(0, to - from) };
}

/** Contract changes that a batch will make. */
export interface LedgerSourceChange {
  readonly isCounted: boolean;
  readonly unit: LedgerSourceUnit | undefined;
  readonly extras: readonly {
    readonly code: string;
    readonly cents: Cents;
    readonly vat: BasisPoints;
    /** Day of a surcharge. Unset for an agreed extra. */
    readonly on?: CivilDate;
  }[];
  /** Discounts of lines and extras that change because extras are sold. */
  readonly discountChange: DiscountChange;
  /** Amounts added to supplements 1 to 3. */
  readonly supplementCents: readonly [Cents, Cents, Cents];
}

/** Returns the contract as it is after the batch. */
export function changeLedgerSource(source: LedgerSource, change: LedgerSourceChange): LedgerSource {
  const { unit, supplementCents } = change;
  const [first, second, third] = supplementCents;
  return {
    ...source,
    isCounted: change.isCounted,
    lines: source.lines.map((line) => ({
      ...line,
      itemCents: line.itemCents - getAddedLineDiscount(line, change.discountChange),
      units: line.units.map((sourceUnit) => (sourceUnit.unitId === unit?.unitId ? unit : sourceUnit)),
    })),
    extras: addedExtras(source.extras, change.extras).map((extra) => withAddedDiscount(extra, change.discountChange)),
    supplementCents: {
      ...source.supplementCents,
      supplement_1_cost: source.supplementCents.supplement_1_cost + first,
      supplement_2_cost: source.supplementCents.supplement_2_cost + second,
      supplement_3_cost: source.supplementCents.supplement_3_cost + third,
    },
  };
}

function getAddedLineDiscount({ units }: LedgerSourceLine, { lines }: DiscountChange): Cents {
  return lines.find(({ unitIds }) => units.some(({ unitId }) => unitIds.includes(unitId)))?.addedCents ?? 0;
}

function withAddedDiscount<Extra extends LedgerSource["extras"][number]>(extra: Extra, { extras }: DiscountChange) {
  const addedCents = extra.on ? undefined : extras.find(({ code }) => code === extra.code)?.addedCents;
  return addedCents === undefined ? extra : { ...extra, cents: extra.cents - addedCents };
}

function addedExtras(extras: LedgerSource["extras"], added: LedgerSource["extras"]): LedgerSource["extras"] {
  const more = (code: string) => added.find((extra) => !extra.on && extra.code === code)?.cents ?? 0;
  const known = new Set(extras.filter(({ on }) => !on).map(({ code }) => code));
  return [
    ...extras.map((extra) => (extra.on ? extra : { ...extra, cents: extra.cents + more(extra.code) })),
    ...added.filter(({ code, on }) => on || !known.has(code)),
  ];
}
