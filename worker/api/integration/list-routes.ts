import { createRoute } from "@hono/zod-openapi";
import type { z } from "zod";
import type { Page, PageRequest } from "#domain/reporting/extraction.ts";
import { json } from "#worker/api/openapi.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import * as extract from "#worker/usecases/reporting/extract.ts";
import * as charges from "./charge-messages.ts";
import * as contracts from "./contract-messages.ts";
import * as documents from "./document-messages.ts";
import { listQuery, pageAnswer, type Writing } from "./messages.ts";
import * as organization from "./organization-messages.ts";
import { type DateKind, failed, integration, read, security, signedRead, toPageRequest, writingOf } from "./room.ts";
import * as fleet from "./vehicle-messages.ts";

interface ListRoute<Found extends Page<unknown>, Entity extends z.ZodType> {
  readonly path: string;
  readonly summary: string;
  readonly query: ReturnType<typeof listQuery>;
  readonly entity: Entity;
  readonly dates?: DateKind;
  readonly middleware?: typeof signedRead;
  readonly find: (tenant: Tenant, request: PageRequest) => Promise<Found>;
  readonly write: (row: Found["rows"][number], writing: Writing, found: Found) => z.input<Entity>;
}

function addList<Found extends Page<unknown>, Entity extends z.ZodType>(list: ListRoute<Found, Entity>): void {
  const route = createRoute({
    method: "get",
    path: list.path,
    summary: list.summary,
    security,
    middleware: list.middleware ?? signedRead,
    request: { query: list.query },
    responses: { 200: json(pageAnswer(list.entity), "The page, and how many there are in all"), ...failed },
  });
  integration.routes.openapi(route, async (c) => {
    const asked = await toPageRequest(c, c.req.valid("query"), list.dates ?? "dates");
    if ("refusal" in asked) return asked.refusal as never;
    const [found, writing] = [await list.find(c.var.tenant, asked.request), await writingOf(c)];
    const data = found.rows.map((row) => list.write(row as Found["rows"][number], writing, found));
    return c.json({ data, total: found.total }, 200) as never;
  });
}

const CONTRACT_FILTERS = [
  "updated_from",
  "date_from",
  "date_to",
  "status",
  "rental_location_code",
  "rental_storage_id",
] as const;
const DOCUMENT_FILTERS = [
  "updated_from",
  "date_from",
  "date_to",
  "accounting_processed",
  "rental_location_code",
] as const;
const FLEET_FILTERS = ["updated_from", "rental_location_code", "rental_storage_id"] as const;

addList({
  path: "/v1/integration/reservations",
  summary: "Bookings and contracts; date_from and date_to are of the pickup",
  query: listQuery(100, "number", CONTRACT_FILTERS),
  entity: contracts.contract,
  find: extract.extractContracts,
  write: contracts.fromContract,
});
addList({
  path: "/v1/integration/rental-storages",
  summary: "Branch groups",
  query: listQuery(100, "number", ["updated_from"]),
  entity: organization.rentalStorage,
  find: extract.extractBranchGroups,
  write: organization.fromStorage,
});
addList({
  path: "/v1/integration/rental-locations",
  summary: "Branches, in the order of their codes",
  query: listQuery(100, "text", FLEET_FILTERS),
  entity: organization.rentalLocation,
  find: extract.extractBranches,
  write: organization.fromLocation,
});
addList({
  path: "/v1/integration/pickup-places",
  summary: "Pickup and return places",
  query: listQuery(100, "number", ["updated_from", "rental_location_code"]),
  entity: organization.pickupPlace,
  find: extract.extractPlaces,
  write: organization.fromPlace,
});
addList({
  path: "/v1/integration/booking-categories",
  summary: "Categories, in the order of their codes",
  query: listQuery(100, "text", ["updated_from"]),
  entity: organization.bookingCategory,
  find: extract.extractCategories,
  write: organization.fromCategory,
});
addList({
  path: "/v1/integration/booking-items",
  summary: "The fleet, in the order in which it came",
  query: listQuery(100, "text", FLEET_FILTERS),
  entity: fleet.bookingItem,
  find: extract.extractVehicles,
  write: fleet.fromVehicle,
});
addList({
  path: "/v1/integration/customers",
  summary: "Customers",
  query: listQuery(100, "number", ["updated_from", "rental_location_code"]),
  entity: fleet.customer,
  find: extract.extractCustomers,
  write: fleet.fromCustomer,
});
addList({
  path: "/v1/integration/invoices",
  summary: "Invoices and their credit notes, drafts included; date_from and date_to are of the issue",
  query: listQuery(20, "number", DOCUMENT_FILTERS),
  entity: documents.invoice,
  middleware: read,
  find: extract.extractInvoices,
  write: (row, writing, { codes }) => documents.fromInvoice(row, codes, writing),
});
addList({
  path: "/v1/integration/internal-bonds",
  summary: "Internal bonds, drafts included; date_from and date_to are of the issue",
  query: listQuery(20, "number", DOCUMENT_FILTERS),
  entity: documents.internalBond,
  middleware: read,
  find: extract.extractInternalBonds,
  write: (row, writing, { codes }) => documents.fromInternalBond(row, codes, writing),
});
addList({
  path: "/v1/integration/charges",
  summary:
    "Charges of every kind; accounting_processed is their document's mark, charge_accounting_processed their own",
  query: listQuery(20, "number", [...DOCUMENT_FILTERS, "charge_accounting_processed"]),
  entity: charges.chargeDocument,
  dates: "moments",
  middleware: read,
  find: extract.extractCharges,
  write: charges.fromChargeDocument,
});
addList({
  path: "/booking/reservation-report",
  summary: "Contracts with the names that a screen shows, the latest first",
  query: listQuery(10, "number", [...CONTRACT_FILTERS, "from", "to"]),
  entity: contracts.reportedContract,
  find: extract.extractReport,
  write: contracts.fromReportedContract,
});
addList({
  path: "/booking-items",
  summary: "The fleet with the names that a screen shows",
  query: listQuery(10, "text", FLEET_FILTERS),
  entity: fleet.namedBookingItem,
  find: extract.extractNamedVehicles,
  write: fleet.fromNamedVehicle,
});
