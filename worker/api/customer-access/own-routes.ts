import type { ApiRoutes } from "#worker/api/interface.ts";
import { registerOwnBookingRoutes } from "./own-booking-routes.ts";
import { registerOwnDocumentRoutes } from "./own-document-routes.ts";
import { registerSessionRoutes } from "./session-routes.ts";
import { registerSignUpRoutes } from "./sign-up-routes.ts";
import { registerWebCustomerRoutes } from "./web-customer-routes.ts";

/** Registers the routes of customers' accounts and bookings, and of sessions. */
export function registerOwnCustomerRoutes(access: ApiRoutes): void {
  registerSignUpRoutes(access);
  registerWebCustomerRoutes(access);
  registerOwnBookingRoutes(access);
  registerSessionRoutes(access);
  registerOwnDocumentRoutes(access);
}
