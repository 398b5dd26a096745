import { getTableColumns } from "drizzle-orm";
import type { ContractData, NewBooking, NewReservation, ReservationBase } from "#domain/bookings/bookings.ts";
import type { AppliedDiscount, GrantedDiscount } from "#domain/bookings/discounts.ts";
import { getPendingCents } from "#domain/payments/pending.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { isEmailUnconfirmedSql } from "./unconfirmed-email.ts";

/** Returns the columns of a new booking. */
export function createBookingRow(booking: NewBooking): typeof bookings.$inferInsert {
  const { terms, totals, lines, discount } = booking.draft;
  const { categorySupplementCents: supplements, ...sums } = totals;
  return {
    ...createReservationRow(booking),
    ...sums,
    ...toDiscountColumns(discount),
    ...terms.period,
    categorySupplement1Cents: supplements[0],
    categorySupplement2Cents: supplements[1],
    categorySupplement3Cents: supplements[2],
    days: terms.days,
    pickupPlaceId: terms.pickupPlace.id,
    returnPlaceId: terms.returnPlace.id,
    pickupPlace: terms.pickupPlace.name,
    returnPlace: terms.returnPlace.name,
    branchCode: terms.pickupBranch.code,
    returnBranchCode: terms.returnBranch.code,
    branchGroupId: terms.pickupBranch.branchGroupId,
    salesChannelCode: terms.salesChannel,
    // Only stored if the code lowered a price.
    promotionCode: lines.some((line) => line.promotionCode) ? terms.promotionCode : undefined,
    driverAge: terms.driverAge,
    driverAgeRuleId: terms.driverAgeRule?.id,
  };
}

/** Returns the columns of a booking's discount. */
export function toDiscountColumns(discount: AppliedDiscount | undefined) {
  if (!discount) return { discount: null, discountCents: 0 };
  const { amountCents, ...terms } = discount;
  return { discount: JSON.stringify(terms), discountCents: amountCents };
}

/** Parses a booking's discount. */
export function parseDiscount({
  discount,
  discountCents,
}: Pick<typeof bookings.$inferSelect, "discount" | "discountCents">): AppliedDiscount | undefined {
  return discount === null ? undefined : { ...(JSON.parse(discount) as GrantedDiscount), amountCents: discountCents };
}

/** Returns the columns that every new rental and transfer has. */
export function createReservationRow<Draft>(booking: NewReservation<Draft>) {
  const { customer, at } = booking;
  return {
    freeAccessId: booking.freeAccessId,
    status: booking.status,
    createdBy: booking.createdBy,
    requestFingerprint: booking.requestFingerprint,
    agencyId: booking.agency?.id,
    agencyReservationId: booking.agency?.reference,
    ...(booking.agentId !== undefined && { agentId: booking.agentId }),
    customerType: customer.type ?? "individual",
    customerName: customer.name,
    customerSurname: customer.surname,
    customerEmail: customer.email,
    customerPhone: customer.phone,
    customerDocumentId: customer.documentId,
    customerLanguage: booking.customerLanguage,
    customerId: customer.id,
    madeByCustomerId: booking.createdBy === "engine" ? customer.id : undefined,
    customerPhonePrefix: customer.phonePrefix,
    contractData: JSON.stringify(booking.contractData ?? {}),
    comments: booking.comments,
    cartId: booking.cartId,
    visitorNetwork: booking.visitorNetwork,
    expiresAt: booking.expiresAt,
    ...(booking.priceOverride && {
      priceDifferenceCents: booking.priceOverride.differenceCents,
      priceReason: booking.priceOverride.reason,
    }),
    createdAt: at,
    lastUpdate: at,
  };
}

/** Columns of a reservation for its customer. */
export const reservationColumns = {
  ...getTableColumns(bookings),
  isEmailUnconfirmed: isEmailUnconfirmedSql("bookings").as("is_email_unconfirmed"),
};

/** Stored reservation. Whether its address is unconfirmed is unknown for a new one. */
export type ReservationRow = Omit<typeof bookings.$inferSelect, "visitorNetwork"> & {
  readonly isEmailUnconfirmed?: 0 | 1;
};

/** Converts the columns that every reservation has. */
export function fromReservationRow(row: ReservationRow): Omit<ReservationBase, "totals"> {
  return {
    id: row.id,
    freeAccessId: row.freeAccessId,
    status: row.status,
    version: row.version,
    customerLanguage: row.customerLanguage,
    customer: {
      id: row.customerId ?? undefined,
      name: row.customerName,
      surname: row.customerSurname,
      email: row.customerEmail ?? undefined,
      phonePrefix: row.customerPhonePrefix ?? undefined,
      phone: row.customerPhone ?? undefined,
      documentId: row.customerDocumentId ?? undefined,
    },
    contractData: JSON.parse(row.contractData) as ContractData,
    comments: row.comments ?? undefined,
    totalPaidCents: row.totalPaidCents,
    notOwedCents: row.creditedCents + row.agentCommissionPrepaidCents,
    pendingCents: getPendingCents(row),
    paymentStatus: row.paymentStatus,
    expiresAt: row.expiresAt ?? undefined,
    paidAfterExpiry: row.paidAfterExpiry,
    isExpired: row.status === "cancelled" && row.cancellationReason === "expired",
    isEmailUnconfirmed: row.isEmailUnconfirmed === 1,
  };
}

/** Returns the columns of a new line, without its booking. */
export function createLineRow(line: NewBooking["draft"]["lines"][number]) {
  const { category } = line;
  return {
    itemId: category.code,
    itemDescription: category.name,
    quantity: line.quantity,
    itemUnitBaseCents: line.unitBaseCents,
    itemUnitCents: line.unitCents,
    discountCents: line.discountCents ?? 0,
    itemCents: line.itemCents,
    vatBasisPoints: category.vat,
    categorySupplement1UnitCents: category.supplementCents[0],
    categorySupplement2UnitCents: category.supplementCents[1],
    categorySupplement3UnitCents: category.supplementCents[2],
    productDepositUnitCents: line.depositUnitCents,
    productGuaranteeUnitCents: line.guaranteeUnitCents,
    depositReductionUnitCents: line.depositReductionUnitCents,
    guaranteeReductionUnitCents: line.guaranteeReductionUnitCents,
    offerId: line.offer?.id,
  };
}

/** Returns the columns of a booked extra, without its booking. */
export function createExtraRow(extra: NewBooking["draft"]["extras"][number]) {
  return {
    extraId: extra.extra.code,
    extraDescription: extra.extra.name,
    quantity: extra.quantity,
    extraUnitCents: extra.unitCents,
    discountCents: extra.discountCents ?? 0,
    extraCents: extra.extraCents,
    vatBasisPoints: extra.extra.vat,
  };
}
