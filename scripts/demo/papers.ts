import type { CivilMinute } from "#domain/dates.ts";
import { type BasisPoints, type Cents, partOf, sumOf, withoutTaxes } from "#domain/money.ts";
import type { Company } from "./company.ts";
import type { Contract } from "./contracts.ts";
import type { Customer } from "./people.ts";

/** An invoice, credit note or internal bond before it has a number. */
export interface Paper {
  readonly kind: "invoice" | "internal_bond";
  readonly type: "invoice" | "payment";
  readonly mode: "default" | "reservation_retainer" | "reservation_breakdown" | "reservation_extra";
  readonly serie: string;
  readonly branchCode: string;
  readonly salesChannel: string | undefined;
  readonly createdAt: CivilMinute;
  /** A draft is not issued and has no number. */
  readonly isDraft: boolean;
  readonly concept: string;
  readonly customer: Customer;
  readonly contract: Contract | undefined;
  readonly corrects: Paper | undefined;
  readonly discount: BasisPoints;
  readonly agentPrepaidCents: Cents;
  /** The activities contract that it is about. */
  readonly orderReference?: string | undefined;
  readonly items: readonly PaperItem[];
}

/** Amounts with taxes; `subtotal` is what remains of `totalWithoutTaxes` after the discount. */
export interface PaperItem {
  readonly concept: string;
  readonly quantity: number;
  readonly vat: BasisPoints;
  readonly unitCents: Cents;
  readonly unitWithoutTaxesCents: Cents;
  readonly totalWithoutTaxesCents: Cents;
  readonly subtotalCents: Cents;
  readonly taxesCents: Cents;
  readonly totalCents: Cents;
  readonly externalCode: string | undefined;
}

export interface ItemTerms {
  readonly concept: string;
  readonly quantity: number;
  readonly unitCents: Cents;
  readonly vat: BasisPoints;
  readonly discount?: BasisPoints;
  readonly externalCode?: string;
}

/** Taxes are taken out of the total once per item, so that the total is exactly what the customer agreed to. */
export function itemOf({ concept, quantity, unitCents, vat, discount = 0, externalCode }: ItemTerms): PaperItem {
  const unitWithoutTaxesCents = withoutTaxes(unitCents, vat);
  const fullCents = unitCents * quantity;
  const totalCents = fullCents - partOf(fullCents, discount);
  const subtotalCents = withoutTaxes(totalCents, vat);
  const totalWithoutTaxesCents = discount === 0 ? subtotalCents : withoutTaxes(fullCents, vat);
  return {
    concept,
    quantity,
    vat,
    unitCents,
    unitWithoutTaxesCents,
    totalWithoutTaxesCents,
    subtotalCents,
    totalCents,
    taxesCents: totalCents - subtotalCents,
    externalCode,
  };
}

export function totalOf(paper: Paper): Cents {
  return sumOf(paper.items.map(({ totalCents }) => totalCents));
}

/** The same amounts with the other sign, as a credit note has them. */
export function negated(item: PaperItem): PaperItem {
  return {
    ...item,
    unitCents: -item.unitCents,
    unitWithoutTaxesCents: -item.unitWithoutTaxesCents,
    totalWithoutTaxesCents: -item.totalWithoutTaxesCents,
    subtotalCents: -item.subtotalCents,
    taxesCents: -item.taxesCents,
    totalCents: -item.totalCents,
  };
}

/** Every part of the agreed price as an item; an internal bond's items carry no tax. */
export function itemsOfDraft(company: Company, { draft, units, customer }: Contract): PaperItem[] {
  const { terms, totals } = draft;
  const { words, settings } = company;
  const isBond = customer.type === "internal_department";
  const item = (concept: string, quantity: number, unitCents: Cents, vat: BasisPoints) =>
    itemOf({ concept, quantity, unitCents, vat: isBond ? 0 : vat });
  const lines = draft.lines.flatMap((line, index) => {
    const plates = units.filter((unit) => unit.line === index).flatMap(({ vehicle }) => vehicle?.plate ?? []);
    const [fuel, second, third] = line.category.supplementCents;
    return [
      item(
        `${words.rental} ${line.category.name}, ${terms.days} ${words.days}${plates.length > 0 ? ` (${plates.join(", ")})` : ""}`,
        line.quantity,
        line.unitCents,
        line.category.vat,
      ),
      item(words.supplements.category1, line.quantity, fuel, settings.vat),
      item(words.supplements.category2, line.quantity, second, settings.vat),
      item(words.supplements.category3, line.quantity, third, settings.vat),
    ];
  });
  const extras = draft.extras.map((extra) => item(extra.extra.name, extra.quantity, extra.unitCents, extra.extra.vat));
  const supplements = [
    item(words.supplements.timeFrom, 1, totals.timeFromCents, settings.vat),
    item(words.supplements.timeTo, 1, totals.timeToCents, settings.vat),
    item(words.supplements.pickupPlace, 1, totals.pickupPlaceCents, settings.vat),
    item(words.supplements.returnPlace, 1, totals.returnPlaceCents, settings.vat),
    item(words.supplements.driverAge, 1, totals.driverAgeCents, settings.vat),
  ];
  return [...lines, ...extras, ...supplements].filter(({ totalCents }) => totalCents !== 0);
}
