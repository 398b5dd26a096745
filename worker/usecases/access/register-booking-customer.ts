import type { RentalBooking } from "#domain/bookings/bookings.ts";
import type { CartCheckoutAnswer } from "#domain/payments/checkout.ts";
import { linkBookingToRegisteredCustomer } from "#worker/store/bookings/contract.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { signUp } from "./sign-up.ts";

/**
 * Registers the customer of a new booking and links the booking. The booking stays valid in any case. If the e-mail is
 * already used, nothing is registered or linked, and the answer doesn't reveal it. Returns the sending of the
 * verification mail.
 */
export async function registerBookingCustomer(
  tenant: Tenant,
  {
    bookingFreeAccessId,
    customer,
  }: Pick<CartCheckoutAnswer, "bookingFreeAccessId"> & { readonly customer: RentalBooking["customer"] },
  account: { readonly password: string; readonly language: string },
  context: { readonly now: number; readonly address: string | undefined },
): Promise<(() => Promise<void>) | undefined> {
  const { name, surname, email = "", phone = "", phonePrefix = "", documentId = "" } = customer;
  const registration = { username: email, email, name, surname, phone, phonePrefix, documentId, ...account };
  const registered = await signUp(tenant, registration, context);
  if (!registered.ok) return undefined;
  await linkBookingToRegisteredCustomer(tenant.db, bookingFreeAccessId, email);
  return registered.value;
}
