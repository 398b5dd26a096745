import type { Context } from "hono";
import { createCustomerDiscount, type GrantedDiscount } from "#domain/bookings/discounts.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { setFreshTokenHeader } from "#worker/api/signed-in.ts";
import { findAuthenticatedUser } from "#worker/usecases/office/find-signed-in.ts";

/** Returns the own discount of a signed-in customer, whom it also sets. Visitors without a token need no read. */
export async function findSignedInCustomerDiscount(c: Context<AppEnvironment>): Promise<GrantedDiscount | undefined> {
  const session = await findAuthenticatedUser(c.get("tenant"), c.req.header("Authorization"), c.get("now"));
  setFreshTokenHeader(c, session?.freshToken);
  const customer = session?.signedIn.customer;
  c.set("customer", customer);
  return createCustomerDiscount(customer?.discountBasisPoints ?? 0);
}
