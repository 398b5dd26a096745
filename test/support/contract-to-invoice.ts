import fc from "fast-check";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import type { ContractSums } from "#domain/documents/contract-items.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import type { ContractToInvoice, EarlierDocument } from "#domain/documents/invoicing.ts";
import { type Cents, sumCents } from "#domain/money.ts";

const ADDRESS = {
  street: "Carrer Major",
  number: "1",
  complement: undefined,
  city: "Palma",
  state: undefined,
  country: undefined,
  zip: undefined,
};

/** Creates a contract of one car for three days, with changes. */
export function createContractToInvoice(changes: Partial<ContractToInvoice> = {}): ContractToInvoice {
  const contract = {
    bookingId: 7,
    language: "en",
    currency: "EUR",
    companyId: 1,
    branchCode: "AIR",
    salesChannelCode: undefined,
    customer: {
      id: 1,
      type: "individual",
      fullName: "Ana Ruiz",
      documentId: "X1",
      originCountry: "FR",
      address: ADDRESS,
    },
    period: {
      dateFrom: "2030-05-03" as CivilDate,
      timeFrom: "10:00" as TimeText,
      dateTo: "2030-05-06" as CivilDate,
      timeTo: "10:00" as TimeText,
    },
    days: 3,
    agencyName: undefined,
    agentPrepaidCents: 0,
    simplifiedLimitCents: 40_000,
    lines: [
      {
        description: "Small car",
        quantity: 1,
        unitCents: 9000,
        supplementUnitCents: [0, 0, 0],
        vat: 2100,
        plates: ["1234ABC"],
      },
    ],
    extras: [],
    earlier: [],
  } as const satisfies Omit<ContractToInvoice, "sums">;
  const changed = { ...contract, ...changes };
  return { ...changed, sums: changes.sums ?? calculateContractSums(changed) };
}

/** Calculates the sums of lines and extras, with supplements. */
export function calculateContractSums(
  { lines, extras }: Pick<ContractToInvoice, "lines" | "extras">,
  supplements: Partial<ContractSums> = {},
): ContractSums {
  const sumSupplement = (index: number) =>
    sumCents(lines.map((line) => (line.supplementUnitCents[index] ?? 0) * line.quantity));
  const parts = {
    itemCents: sumCents(lines.map(toCost)),
    extrasCents: sumCents(extras.map(toCost)),
    timeFromCents: 0,
    timeToCents: 0,
    pickupPlaceCents: 0,
    returnPlaceCents: 0,
    driverAgeCents: 0,
    categorySupplementCents: [sumSupplement(0), sumSupplement(1), sumSupplement(2)] as const,
    supplementCents: [0, 0, 0] as const,
    ...supplements,
  };
  return { ...parts, totalCents: sumCents(Object.values(parts).flat()) };
}

type Discounted = Pick<ContractToInvoice["extras"][number], "unitCents" | "quantity" | "discountCents">;

const toCost = ({ unitCents, quantity, discountCents = 0 }: Discounted): Cents => unitCents * quantity - discountCents;

// A discount of some percent.
function withDiscountPercent<Line extends Discounted>({ percent, ...line }: Line & { readonly percent: number }) {
  return { ...line, discountCents: Math.floor((line.unitCents * line.quantity * percent) / 100) };
}

const percent = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100 }));
const cents = fc.integer({ min: 0, max: 500_000 });
const three = fc.tuple(cents, cents, cents);
const RATES = [0, 400, 1000, 2100, 885];

/** Arbitrary contracts with up to five tax rates. */
export const arbitraryContract: fc.Arbitrary<ContractToInvoice> = fc
  .record({
    lines: fc.array(
      fc
        .record({
          description: fc.constantFrom("Small car", "Van"),
          quantity: fc.integer({ min: 1, max: 3 }),
          unitCents: cents,
          supplementUnitCents: three,
          vat: fc.constantFrom(...RATES),
          plates: fc.constant([]),
          percent,
        })
        .map(withDiscountPercent),
      { minLength: 1, maxLength: 4 },
    ),
    extras: fc.array(
      fc
        .record({
          description: fc.constantFrom("Seat", "Navigator", "Chains"),
          quantity: fc.integer({ min: 1, max: 3 }),
          unitCents: cents,
          vat: fc.constantFrom(...RATES),
          percent,
        })
        .map(withDiscountPercent),
      { maxLength: 4 },
    ),
    supplements: fc.record({ timeFromCents: cents, returnPlaceCents: cents, supplementCents: three }),
  })
  .map(({ supplements, ...priced }) =>
    createContractToInvoice({ ...priced, sums: calculateContractSums(priced, supplements) }),
  );

/** Converts a draft to its issued form. */
export function toIssuedEarlierDocument(draft: DocumentDraft, id: number): EarlierDocument {
  return { ...draft, id, serie: "A", number: id, totalCents: draft.sums.totalCents, credited: [], isIssued: true };
}

/** Sums the totals of documents. */
export function sumDocumentTotals(drafts: readonly DocumentDraft[]): Cents {
  return sumCents(drafts.map(({ sums }) => sums.totalCents));
}
