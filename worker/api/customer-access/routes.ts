import { addFallbackRoutes } from "#worker/api/interface.ts";
import { serveOpenApiDocument } from "#worker/api/openapi.ts";
import { createCustomerAccessApi } from "./access-api.ts";
import { registerOwnCustomerRoutes } from "./own-routes.ts";
import { registerPasskeyRoutes } from "./passkey-routes.ts";
import { registerSecondFactorRoutes } from "./second-factor-routes.ts";
import { registerSignInRoutes } from "./sign-in-routes.ts";

const access = createCustomerAccessApi();
registerSignInRoutes(access);
registerOwnCustomerRoutes(access);
registerSecondFactorRoutes(access);
registerPasskeyRoutes(access);

/** OpenAPI document of customer access. */
export const createCustomerAccessOpenApi = serveOpenApiDocument(access, {
  title: "Customer access and staff sign-in",
  description: "How customers and staff sign in and out, and what a customer does with an account on the website.",
  basePath: "/api/v1",
  tags: {
    Sessions: "Sign-in, which returns a token, and sign-out.",
    "Second factor": "Authenticator apps and passkeys of staff.",
    Customers: "A customer's account: registration, a forgotten password, the bookings.",
  },
  schemes: ["token"],
});
addFallbackRoutes(access);

/** Complete customer access and staff sign-in. */
export const customerAccessRoutes = access.routes;
