import { rejectUnsupportedMethods } from "#worker/api/interface.ts";
import { serveOpenApiDocument } from "#worker/api/openapi.ts";
import { createCheckInApi } from "./check-in-api.ts";
import { registerDayRoutes } from "./day-routes.ts";
import { registerDeviceRoutes } from "./device-routes.ts";
import { registerBookingFileRoutes } from "./file-routes.ts";
import { registerOperationRoutes } from "./operation-routes.ts";
import { registerTransferRoutes } from "./transfer-routes.ts";

const checkIn = createCheckInApi();
registerDayRoutes(checkIn);
registerOperationRoutes(checkIn);
registerBookingFileRoutes(checkIn);
registerTransferRoutes(checkIn);
registerDeviceRoutes(checkIn);

/** OpenAPI document of check-in. */
export const createCheckInOpenApi = serveOpenApiDocument(
  checkIn,
  {
    title: "Check-in: deliveries and collections",
    description: "API of the staff's check-in app and of the review of its records.",
    basePath: "/api",
    tags: {
      Day: "Data that a device needs for its day.",
      "Field work": "Operations of devices. Each is carried out once, also if it arrives twice.",
      Office: "Work that was refused, waits or is incomplete, and decisions of managers about it.",
      Files: "Photos and signatures, named by the SHA-256 of their content.",
      Transfers: "The trips of a day.",
    },
    schemes: ["token"],
  },
  "/v1/booking/check-in-openapi.json",
);
rejectUnsupportedMethods(checkIn);

export const checkInRoutes = checkIn.routes;
