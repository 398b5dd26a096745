import { type Choice, draftBooking } from "#domain/bookings/draft.ts";
import { type RentalRequest, resolveRentalTerms } from "#domain/bookings/rental-terms.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { ActionTime, Contract, ContractUnit } from "#domain/contracts/contract.ts";
import { type CivilDate, type Period, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { CATALOGUE_NOW, createCatalogue, createPeriod, createRentalRequest } from "#support/catalogue.ts";

const MINUTE_MS = 60_000;

/** Converts `2026-06-01 10:00` to the time of an action. The instant is the civil time in UTC. */
export function createActionTime(text: string): ActionTime {
  const [date = "", time = "10:00"] = text.split(" ");
  const civil = toCivilMinute(date as CivilDate, time as TimeText);
  return { civil, at: civil * MINUTE_MS };
}

/** Rental to build a contract from. */
export interface OrderedRental {
  readonly catalogue?: Catalogue;
  readonly period?: Period;
  readonly request?: Partial<RentalRequest>;
  readonly products?: readonly Choice[];
  readonly extras?: readonly Choice[];
}

export function createContractUnit(changes: Partial<ContractUnit> = {}): ContractUnit {
  return {
    id: 11,
    lineId: 1,
    reference: undefined,
    deliveredAt: undefined,
    collectedAt: undefined,
    deliveryKilometres: undefined,
    collectionKilometres: undefined,
    reopened: false,
    exchanged: [],
    ...changes,
  };
}

/**
 * Creates a confirmed, unpaid rental at the catalogue's prices: from 1 to 4 June 2026, one vehicle of category A. Lines
 * have ids 1, 2, …, units of line 1 have ids 11, 12, ….
 */
export function createContract(changes: Partial<Contract> = {}, ordered: OrderedRental = {}): Contract {
  const { catalogue = createCatalogue(), period = createPeriod("2026-06-01", "2026-06-04"), extras = [] } = ordered;
  const { products = [{ code: "A", quantity: 1 }] } = ordered;
  const terms = resolveRentalTerms(catalogue, createRentalRequest(period, ordered.request), CATALOGUE_NOW, {
    isStaff: true,
    keepsPickup: false,
  });
  if (!terms.ok) throw new Error(`${terms.error.field}: ${terms.error.reason}`);
  const draft = draftBooking(catalogue, terms.value, products, extras, { isStaff: true });
  if (!draft.ok) throw new Error(`${draft.error.field}: ${draft.error.reason}`);
  const { totals } = draft.value;
  const lines = draft.value.lines.map(({ category, offer, ...line }, index) => ({
    id: index + 1,
    categoryCode: category.code,
    description: category.name,
    quantity: line.quantity,
    unitBaseCents: line.unitBaseCents,
    unitCents: line.unitCents,
    discountCents: 0,
    itemCents: line.itemCents,
    supplementUnitCents: category.supplementCents,
    offerId: offer?.id,
    depositUnitCents: line.depositUnitCents,
    guaranteeUnitCents: line.guaranteeUnitCents,
    depositReductionUnitCents: line.depositReductionUnitCents,
    guaranteeReductionUnitCents: line.guaranteeReductionUnitCents,
  }));
  const agreedExtras = draft.value.extras.map(({ extra, quantity, unitCents, extraCents }, index) => ({
    ...{ id: index + 1, extraCode: extra.code, description: extra.name, quantity, unitCents, extraCents },
    discountCents: 0,
  }));
  return {
    id: 7,
    kind: "rental",
    freeAccessId: "free-access",
    status: "confirmed",
    version: 3,
    customerLanguage: "es",
    customer: { name: "Ana", surname: "Ruiz", email: undefined, phone: undefined, documentId: undefined },
    customerType: "individual",
    contractData: {},
    comments: undefined,
    period,
    days: terms.value.days,
    pickupPlaceId: terms.value.pickupPlace.id,
    pickupPlace: terms.value.pickupPlace.name,
    returnPlaceId: terms.value.returnPlace.id,
    returnPlace: terms.value.returnPlace.name,
    branchCode: terms.value.pickupBranch.code,
    branchGroupId: terms.value.pickupBranch.branchGroupId,
    returnBranchCode: terms.value.returnBranch.code,
    salesChannel: terms.value.salesChannel,
    promotionCode: terms.value.promotionCode,
    driverAge: terms.value.driverAge,
    driverAgeRuleId: terms.value.driverAgeRule?.id,
    agencyId: undefined,
    agencyReservationId: undefined,
    requestFingerprint: undefined,
    lines,
    extras: agreedExtras,
    vatByLine: new Map(draft.value.lines.map(({ category: { vat } }, index) => [index + 1, vat])),
    vatByExtra: new Map(draft.value.extras.map(({ extra: { vat } }, index) => [index + 1, vat])),
    units: lines.flatMap(({ id: lineId, quantity }) =>
      Array.from({ length: quantity }, (_, index) => createContractUnit({ id: 10 * lineId + index + 1, lineId })),
    ),
    totals,
    closingCents: [0, 0, 0],
    totalPaidCents: 0,
    notOwedCents: 0,
    pendingCents: totals.totalCents,
    paymentStatus: "none",
    expiresAt: undefined,
    paidAfterExpiry: false,
    isExpired: false,
    transfer: undefined,
    cancellationFeeCents: 0,
    priceDifferenceCents: 0,
    priceReason: undefined,
    reopenedAt: undefined,
    isTaxRecovered: false,
    ...changes,
  };
}
