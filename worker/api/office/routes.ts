import { toErrorResponse } from "#worker/api/errors.ts";
import { closeInterface, newInterface } from "#worker/api/interface.ts";
import { describeInterface } from "#worker/api/openapi.ts";
import { registerAttentionRoutes } from "./attention-routes.ts";
import { registerCustomerRoutes } from "./customer-routes.ts";
import { registerHandOverRoutes } from "./hand-over-routes.ts";
import { registerMoneyRoutes } from "./money-routes.ts";
import { registerMoveRoutes } from "./move-routes.ts";
import { registerPrintRoutes } from "./print-routes.ts";
import { registerReservationRoutes } from "./reservation-routes.ts";
import { registerVehicleRoutes } from "./vehicle-routes.ts";

const office = newInterface(toErrorResponse);
registerReservationRoutes(office);
registerMoveRoutes(office);
registerVehicleRoutes(office);
registerAttentionRoutes(office);
registerHandOverRoutes(office);
registerPrintRoutes(office);
registerCustomerRoutes(office);
// Last: what is printed has addresses of its own among those of documents.
registerMoneyRoutes(office);

/** The OpenAPI document of the office. */
export const describeOffice = describeInterface(office, {
  title: "The office",
  description: "What the company's own people do: find, make, change and end reservations.",
  basePath: "/api/v1/office",
  tags: {
    Reservations: "Rentals and transfers, whoever made them.",
    Moves: "What becomes of a reservation, one step at a time: decided on a version, done once.",
    Fleet: "Vehicles, when they cannot be rented, and the board of vehicles by days.",
    Customers: "Who rents: found, kept once, merged.",
    Money: "Documents and charges, the register of the day, refunds.",
    Attention: "What waits for a person.",
    Printing: "Documents, contracts and receipts as PDF.",
  },
  schemes: ["token"],
});
closeInterface(office);

export const officeRoutes = office.routes;
