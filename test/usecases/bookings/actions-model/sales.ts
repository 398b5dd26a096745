import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { openTestTenant } from "#support/databases.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { cancelAgencyBooking } from "#worker/usecases/bookings/agency-booking.ts";
import { bookForAgency } from "#worker/usecases/bookings/book-for-agency.ts";
import { bookRentalCart } from "#worker/usecases/bookings/book-rental-cart.ts";
import { createCartId } from "#worker/usecases/bookings/cart-ids.ts";
import { createRentalCart, rentalCartOperations } from "#worker/usecases/bookings/carts.ts";
import { expireUnpaidStockHolds } from "#worker/usecases/bookings/expire-holds.ts";
import { changeLiveCart } from "#worker/usecases/bookings/live-carts.ts";
import { createReservation } from "#worker/usecases/contracts/create-reservation.ts";
import { applyCustomerAction } from "#worker/usecases/contracts/customer-actions.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import {
  createOfficeWriteContext,
  getCalendarDay,
  type ModelActions,
  type ModelState,
  openFaultyTenant,
  pickExtras,
  pickProducts,
  pickRental,
  ZONE,
} from "./contract-life.ts";
import { handOverOrReturnAtDesk } from "./hand-overs.ts";

/** Optional values of a website visitor. */
const UNSPECIFIED_FIELDS = {
  familyId: undefined,
  categoryCode: undefined,
  numberOfAdults: undefined,
  numberOfChildren: undefined,
};
const AGENCY = { id: 1, name: "First Agency", salesChannel: undefined };

/** Bookings and changes by agencies, staff, websites and customers, and expired holds. */
export function createBookingActions(life: ModelState): ModelActions {
  return {
    agencyBooks: async () => {
      const request = {
        reference: crypto.randomUUID(),
        rental: pickRental(life),
        products: pickProducts(life),
        extras: pickExtras(life),
        customer: { name: "Ana", surname: "Ruiz", email: undefined, phone: undefined, documentId: undefined },
        language: undefined,
      };
      return (
        await bookForAgency(openFaultyTenant(life), AGENCY, request, {
          now: life.now,
          freeAccessId: createFreeAccessId(),
        })
      ).ok;
    },
    staffBooks: async () => {
      const rentalRequest = {
        rental: pickRental(life),
        products: pickProducts(life),
        extras: pickExtras(life),
        customer: { name: "Bea", surname: "Roig", email: undefined, phone: undefined, documentId: undefined },
        contractData: {},
        language: undefined,
        status: life.random.pick(["confirmed", "pending_confirmation"] as const),
        priceOverride: life.random.below(5) === 0 ? { totalCents: 12_345, reason: "model" } : undefined,
        ruleReason: undefined,
        comments: undefined,
      };
      return (await createReservation(createOfficeWriteContext(life), rentalRequest)).ok;
    },
    agencyCancels: async (booking) =>
      booking.agency_reservation_id !== null &&
      (await cancelAgencyBooking(openFaultyTenant(life), AGENCY, booking.agency_reservation_id, life.now)).ok,
    customerCancels: async (booking) =>
      (
        await applyCustomerAction(
          openFaultyTenant(life),
          booking.free_access_id,
          { action: "cancel", feeCents: undefined },
          { now: life.now, expectedVersion: undefined, actor: "visitor" },
        )
      ).ok,
    customerChanges: async (booking) =>
      (
        await applyCustomerAction(
          openFaultyTenant(life),
          booking.free_access_id,
          { action: "change", requestedChange: { extras: pickExtras(life) } },
          { now: life.now, expectedVersion: booking.version, actor: "visitor" },
        )
      ).ok,
    // A walk-in gets the vehicle immediately and pays.
    walksIn: async () => {
      const { date, time } = toCivilNow(ZONE, life.now);
      const period = {
        dateFrom: date,
        timeFrom: time,
        dateTo: getCalendarDay(life, 1 + life.random.below(3)),
        timeTo: time,
      };
      const createdReservation = await createReservation(createOfficeWriteContext(life), {
        rental: { period, pickupPlaceId: 1, returnPlaceId: 1 },
        products: [{ code: life.random.pick(["A", "B"]), quantity: 1 }],
        extras: [],
        customer: { name: "Rosa", surname: "Mir", email: undefined, phone: undefined, documentId: undefined },
        ...{ contractData: {}, language: undefined, status: "confirmed", priceOverride: undefined },
        ...{ ruleReason: undefined, comments: undefined },
      });
      if (!createdReservation.ok) return false;
      const { id, version, totals } = createdReservation.value.value.contract;
      return handOverOrReturnAtDesk(life, { id, version }, "deliver", totals.totalCents);
    },
    websiteBuys: async () => {
      const [tenant, [product]] = [openFaultyTenant(life), pickProducts(life)];
      const freeAccessId = await createCartId(tenant);
      const options = { now: life.now, withAvailability: false };
      const search = { rental: pickRental(life), visit: {}, ...UNSPECIFIED_FIELDS };
      if (!(await createRentalCart(tenant, search, { ...options, freeAccessId })).ok) return false;
      const change = {
        kind: "product" as const,
        choice: { code: product?.code ?? "A", quantity: product?.quantity ?? 1 },
      };
      if (!(await changeLiveCart(rentalCartOperations, tenant, freeAccessId, change, options)).ok) return false;
      const customer = {
        name: "Wim",
        surname: "Web",
        email: "wim@example.com",
        phone: undefined,
        documentId: undefined,
      };
      const checkoutData = { customer, contractData: {}, comments: undefined, language: "en" };
      const placement = { ...checkoutData, expectedTotalCents: undefined, paymentMethod: undefined };
      const context = { now: life.now, freeAccessId: createFreeAccessId() };
      const placed = await bookRentalCart(tenant, freeAccessId, placement, context);
      // A repeated checkout returns the same booking.
      const again = await bookRentalCart(openTestTenant(env), freeAccessId, placement, context);
      if (placed.ok)
        expect(again).toMatchObject({ ok: true, value: { bookingFreeAccessId: placed.value.bookingFreeAccessId } });
      return placed.ok;
    },
    holdsEnd: async () => (await expireUnpaidStockHolds(openFaultyTenant(life), life.now)) > 0,
  };
}
