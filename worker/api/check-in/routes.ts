import { closePaths } from "#worker/api/interface.ts";
import { describeInterface } from "#worker/api/openapi.ts";
import { checkIn } from "./room.ts";
import "./day-routes.ts";
import "./operation-routes.ts";
import "./file-routes.ts";
import "./transfer-routes.ts";

/** The OpenAPI document of check-in. */
export const describeCheckIn = describeInterface(
  checkIn,
  { title: "Check-in: deliveries and collections", basePath: "/api", signed: false },
  "/v1/booking/check-in-openapi.json",
);
closePaths(checkIn);

export const checkInRoutes = checkIn.routes;
