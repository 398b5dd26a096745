import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { TimeText } from "#domain/dates.ts";
import type { TransferChangeRequest } from "#domain/transfers/change.ts";
import type { TransferSearch } from "#domain/transfers/terms.ts";
import { openTestTenant } from "#support/databases.ts";
import { createCartId } from "#worker/usecases/bookings/cart-ids.ts";
import { changeLiveCart } from "#worker/usecases/bookings/live-carts.ts";
import { cancelTransfer } from "#worker/usecases/check-in/transfer-trips.ts";
import { createTransfer, quoteTransfer } from "#worker/usecases/contracts/create-transfer.ts";
import { applyCustomerAction, quoteCustomerAction } from "#worker/usecases/contracts/customer-actions.ts";
import { quoteBookingAction } from "#worker/usecases/contracts/quote-action.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import { bookTransferCart } from "#worker/usecases/transfers/book-transfer-cart.ts";
import { createTransferCart, transferCartOperations } from "#worker/usecases/transfers/carts.ts";
import {
  applyAction,
  createOfficeWriteContext,
  getCalendarDay,
  type ModelActions,
  type ModelState,
  openFaultyTenant,
} from "./contract-life.ts";

/** Creates trips between airport and hotel within two mornings, so that vehicles become scarce. */
export function pickTrips(life: ModelState): TransferSearch {
  const { random } = life;
  const [originId, destinationId] = random.pick([
    [1, 2],
    [2, 1],
    [1, 5],
  ] as const);
  const time = () => random.pick(["09:00", "09:30", "10:00", "11:30"]) as TimeText;
  const from = 1 + random.below(2);
  const back = { date: getCalendarDay(life, from + 1), time: time(), originId: destinationId, destinationId: originId };
  return {
    outward: { date: getCalendarDay(life, from), time: time(), originId, destinationId },
    back: random.below(3) === 0 ? back : undefined,
    people: { adults: 1 + random.below(2), children: 0, infants: 0 },
    visit: {},
  };
}

export const pickTransferVehicle = ({ random }: ModelState) => random.pick([1, 1, 2]);

/** Creates a random change of a transfer: times, route, travellers, vehicle or return. */
function buildTransferRequest(life: ModelState): TransferChangeRequest {
  const { random } = life;
  const { outward, back, people } = pickTrips(life);
  const vehicleId = random.pick([undefined, pickTransferVehicle(life)]);
  const { time } = outward;
  return random.pick([
    { outward: { time } },
    { outward, vehicleId },
    { outward, back, people, vehicleId, extras: [{ code: "SIGN", quantity: 1 }] },
    { back: null },
    { back: { date: getCalendarDay(life, 4), time } },
  ]);
}

/** Bookings, changes and cancellations of transfers. */
export function createTransferActions(life: ModelState): ModelActions {
  return {
    bookTransfer: async () => {
      const tenant = openFaultyTenant(life);
      const freeAccessId = await createCartId(tenant);
      const options = { now: life.now, withAvailability: false };
      if (!(await createTransferCart(tenant, pickTrips(life), { ...options, freeAccessId })).ok) return false;
      const changes = [
        { kind: "vehicle" as const, vehicleId: pickTransferVehicle(life) },
        { kind: "extra" as const, choice: { code: "BABY", quantity: life.random.below(2) } },
      ];
      for (const change of changes)
        if (!(await changeLiveCart(transferCartOperations, tenant, freeAccessId, change, options)).ok) return false;
      const customer = {
        name: "Tom",
        surname: "Taxi",
        email: "tom@example.com",
        phone: undefined,
        documentId: undefined,
      };
      const checkoutData = { customer, contractData: {}, comments: undefined, language: "en" };
      const placement = { ...checkoutData, expectedTotalCents: undefined, paymentMethod: undefined };
      const context = { now: life.now, freeAccessId: createFreeAccessId() };
      const placed = await bookTransferCart(tenant, freeAccessId, placement, context);
      const again = await bookTransferCart(openTestTenant(env), freeAccessId, placement, context);
      if (placed.ok)
        expect(again).toMatchObject({ ok: true, value: { bookingFreeAccessId: placed.value.bookingFreeAccessId } });
      return placed.ok;
    },
    // Books a transfer at the desk, which must be accepted if and only if its quote allows the transfer.
    deskTransfer: async () => {
      const transferRequest = {
        search: pickTrips(life),
        vehicleId: pickTransferVehicle(life),
        extras: [{ code: "SIGN", quantity: life.random.below(2) }].filter(({ quantity }) => quantity > 0),
        ...{ contractData: {}, language: undefined, comments: undefined },
        status: life.random.pick(["confirmed", "pending_confirmation"] as const),
        priceOverride: life.random.below(5) === 0 ? { totalCents: 5_500, reason: "model" } : undefined,
        customer: { name: "Tea", surname: "Taxi", email: undefined, phone: undefined, documentId: undefined },
      };
      const quoted = await quoteTransfer(
        { tenant: openTestTenant(env), authorization: life.authorization, now: life.now },
        transferRequest,
      );
      const isAllowed = quoted.ok && quoted.value.value.refusal === undefined;
      const { ok: isMoved } = await createTransfer(createOfficeWriteContext(life), transferRequest);
      expect({ wanted: transferRequest, isMade: isMoved }).toEqual({ wanted: transferRequest, isMade: isAllowed });
      return isMoved;
    },
    // Other trips, another vehicle, an added or removed return: accepted if and only if its quote allows it.
    changeTransfer: async (booking) => {
      if (booking.kind !== "transfer") return false;
      const others = { period: { dateFrom: getCalendarDay(life, 3) } };
      expect(await applyAction(life, booking, { action: "change", requestedChange: others })).toBe(false);
      const request = { action: "change" as const, requestedChange: {}, transfer: buildTransferRequest(life) };
      const checkoutData = { tenant: openTestTenant(env), authorization: life.authorization, now: life.now };
      const quoted = await quoteBookingAction(checkoutData, booking.id, { request });
      const isAllowed = quoted.ok && quoted.value.value.refusal === undefined;
      const isMoved = await applyAction(life, booking, request, { details: { comments: "model" } });
      expect({ request, isMade: isMoved }).toEqual({ request, isMade: isAllowed });
      return isMoved;
    },
    // The customer changes the trips but not the vehicle.
    customerChangesTransfer: async (booking) => {
      if (booking.kind !== "transfer") return false;
      const { vehicleId: _, extras: __, ...transfer } = buildTransferRequest(life);
      const request = { action: "change" as const, requestedChange: {}, transfer };
      const quoted = await quoteCustomerAction(openTestTenant(env), booking.free_access_id, request, life.now);
      const context = { now: life.now, expectedVersion: booking.version, actor: "visitor" };
      const { ok: isMoved } = await applyCustomerAction(
        openFaultyTenant(life),
        booking.free_access_id,
        request,
        context,
      );
      expect({ request, isMade: isMoved }).toEqual({ request, isMade: quoted.ok });
      return isMoved;
    },
    cancelTransfer: async (booking) => {
      if (booking.kind !== "transfer") return false;
      const request = { tenant: openFaultyTenant(life), authorization: life.authorization, now: life.now };
      return (await cancelTransfer(request, booking.id, "model")).ok;
    },
  };
}
