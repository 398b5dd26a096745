import { closeInterface } from "#worker/api/interface.ts";
import { describeInterface } from "#worker/api/openapi.ts";
import { access } from "./access.ts";
import "./sign-in-routes.ts";
import "./web-customer-routes.ts";

/** The OpenAPI document of customer access. */
export const describeCustomerAccess = describeInterface(access, {
  title: "Customer access and staff sign-in",
  basePath: "/api/v1",
  signed: false,
});
closeInterface(access);

export const customerAccessRoutes = access.routes;
