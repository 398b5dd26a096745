import { closeInterface } from "#worker/api/interface.ts";
import { describeInterface } from "#worker/api/openapi.ts";
import { newAccess } from "./access.ts";
import { registerOwnBookingRoutes } from "./own-booking-routes.ts";
import { registerOwnPaperRoutes } from "./own-paper-routes.ts";
import { registerPasskeyRoutes } from "./passkey-routes.ts";
import { registerSecondFactorRoutes } from "./second-factor-routes.ts";
import { registerSessionRoutes } from "./session-routes.ts";
import { registerSignInRoutes } from "./sign-in-routes.ts";
import { registerWebCustomerRoutes } from "./web-customer-routes.ts";

const access = newAccess();
registerSignInRoutes(access);
registerWebCustomerRoutes(access);
registerOwnBookingRoutes(access);
registerSessionRoutes(access);
registerSecondFactorRoutes(access);
registerPasskeyRoutes(access);
registerOwnPaperRoutes(access);

/** The OpenAPI document of customer access. */
export const describeCustomerAccess = describeInterface(access, {
  title: "Customer access and staff sign-in",
  description: "How customers and staff sign in and out, and what a customer does with an account on the website.",
  basePath: "/api/v1",
  tags: {
    Sessions: "Signing in, which answers a token, and out.",
    "Second factor": "Codes by time and passkeys for the staff.",
    Customers: "A customer's account: registration, a forgotten password, the bookings.",
  },
  schemes: ["token"],
});
closeInterface(access);

export const customerAccessRoutes = access.routes;
