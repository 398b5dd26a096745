import type { NewBooking } from "#domain/bookings.ts";
import type { bookings } from "./schema/bookings.ts";

/** The columns of a new booking. */
export function newBookingRow(booking: NewBooking): typeof bookings.$inferInsert {
  const { draft, customer, at } = booking;
  const { terms, totals } = draft;
  const { categorySupplementCents: supplements, ...sums } = totals;
  return {
    ...sums,
    ...terms.period,
    categorySupplement1Cents: supplements[0],
    categorySupplement2Cents: supplements[1],
    categorySupplement3Cents: supplements[2],
    freeAccessId: booking.freeAccessId,
    status: booking.status,
    createdBy: booking.createdBy,
    requestFingerprint: booking.requestFingerprint,
    days: terms.days,
    pickupPlaceId: terms.pickupPlace.id,
    returnPlaceId: terms.returnPlace.id,
    pickupPlace: terms.pickupPlace.name,
    returnPlace: terms.returnPlace.name,
    rentalLocationCode: terms.pickupBranch.code,
    returnRentalLocationCode: terms.returnBranch.code,
    rentalStorageId: terms.pickupBranch.rentalStorageId,
    salesChannelCode: terms.salesChannel,
    agencyId: booking.agency?.id,
    agencyReservationId: booking.agency?.reference,
    customerName: customer.name,
    customerSurname: customer.surname,
    customerEmail: customer.email,
    customerPhone: customer.phone,
    customerDocumentId: customer.documentId,
    customerLanguage: booking.customerLanguage,
    customerId: customer.id,
    customerPhonePrefix: customer.phonePrefix,
    contractData: JSON.stringify(booking.contractData ?? {}),
    comments: booking.comments,
    promotionCode: terms.promotionCode,
    cartId: booking.cartId,
    expiresAt: booking.expiresAt,
    driverAge: terms.driverAge,
    driverAgeRuleId: terms.driverAgeRule?.id,
    createdAt: at,
    lastUpdate: at,
  };
}

/** The columns of a new line, beside its booking. */
export function newLineRow(line: NewBooking["draft"]["lines"][number]) {
  const { category } = line;
  return {
    itemId: category.code,
    itemDescription: category.name,
    quantity: line.quantity,
    itemUnitBaseCents: line.unitBaseCents,
    itemUnitCents: line.unitCents,
    itemCents: line.itemCents,
    vatBasisPoints: category.vat,
    categorySupplement1UnitCents: category.supplementCents[0],
    categorySupplement2UnitCents: category.supplementCents[1],
    categorySupplement3UnitCents: category.supplementCents[2],
    productDepositUnitCents: category.depositCents,
    productGuaranteeUnitCents: category.guaranteeCents,
    offerId: line.offer?.id,
  };
}

/** The columns of a booked extra, beside its booking. */
export function newExtraRow(extra: NewBooking["draft"]["extras"][number]) {
  return {
    extraId: extra.extra.code,
    extraDescription: extra.extra.name,
    quantity: extra.quantity,
    extraUnitCents: extra.unitCents,
    extraCents: extra.extraCents,
    vatBasisPoints: extra.extra.vat,
  };
}
