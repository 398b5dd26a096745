import { createRoute } from "@hono/zod-openapi";
import type { z } from "zod";
import { createProblem } from "#domain/problems.ts";
import type { ExtractionPage, ExtractionPageRequest } from "#domain/reporting/extraction.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createInvalidFieldsFailure } from "#worker/api/failure.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import * as extract from "#worker/usecases/reporting/extract.ts";
import * as charges from "./charge-messages.ts";
import * as contracts from "./contract-messages.ts";
import * as documents from "./document-messages.ts";
import * as expenses from "./expense-messages.ts";
import {
  type DateFilterKind,
  integrationFailureResponses,
  integrationSecurity,
  loadMessageFormat,
  optionallySignedReadMiddlewares,
  signedReadMiddlewares,
  toPageRequest,
} from "./integration-api.ts";
import {
  createListQuery,
  createNextPageUrl,
  createPageAnswerSchema,
  linkHeader,
  type MessageFormat,
} from "./messages.ts";
import * as organization from "./organization-messages.ts";
import type { integrationTagDescriptions } from "./tags.ts";
import * as fleet from "./vehicle-messages.ts";

interface ListRoute<Found extends ExtractionPage<unknown>, Entity extends z.ZodType> {
  readonly path: string;
  readonly operationId: string;
  readonly tag: keyof typeof integrationTagDescriptions;
  readonly summary: string;
  readonly query: ReturnType<typeof createListQuery>;
  readonly entity: Entity;
  readonly dates?: DateFilterKind;
  readonly middleware?: typeof signedReadMiddlewares;
  /** Returns whether the entity exists whose code or reference is the cursor. */
  readonly knows?: (tenant: Tenant, after: string) => Promise<boolean>;
  readonly find: (tenant: Tenant, request: ExtractionPageRequest) => Promise<Found>;
  readonly write: (row: Found["rows"][number], messageFormat: MessageFormat, item: Found) => z.output<Entity>;
}

function registerList<Found extends ExtractionPage<unknown>, Entity extends z.ZodType>(
  { routes }: ApiRoutes,
  list: ListRoute<Found, Entity>,
): void {
  const route = createRoute({
    method: "get",
    path: list.path,
    operationId: list.operationId,
    tags: [list.tag],
    summary: list.summary,
    security: integrationSecurity,
    middleware: list.middleware ?? signedReadMiddlewares,
    request: { query: list.query },
    responses: {
      200: {
        ...jsonContent(createPageAnswerSchema(list.entity), "A page of the list and the total number"),
        headers: linkHeader,
      },
      ...integrationFailureResponses.reading(),
    },
  });
  routes.openapi(route, async (c) => {
    const pageRequest = await toPageRequest(c, c.req.valid("query"), list.dates ?? "dates");
    if ("refusal" in pageRequest) return pageRequest.refusal;
    const [item, writing] = [await list.find(c.get("tenant"), pageRequest.request), await loadMessageFormat(c)];
    const { after } = pageRequest.request;
    // Checks the cursor only if the page is empty, so that other pages need no additional query.
    if (
      item.rows.length === 0 &&
      after !== undefined &&
      list.knows &&
      !(await list.knows(c.get("tenant"), String(after)))
    )
      return toErrorResponse(c, createInvalidFieldsFailure([createProblem("after", "not_in_list")]));
    const data = item.rows.map((row) => list.write(row as Found["rows"][number], writing, item));
    const isFull = data.length === pageRequest.request.pageSize;
    if (isFull) c.header("Link", createNextPageUrl(c.req.url, encodeCursor(data.at(-1), list.knows !== undefined)));
    return c.json({ data, total: item.total }, 200);
  });
}

// Returns the cursor after the last entity of a page: its code or reference in lists sorted by text, otherwise its id.
function encodeCursor(entity: unknown, isText: boolean): string {
  const { id, code, reference } = entity as Readonly<Record<"id" | "code" | "reference", unknown>>;
  return String(isText ? (reference ?? code) : id);
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

/** Registers the list routes of all extracted data. */
export function registerExtractionRoutes(api: ApiRoutes): void {
  registerList(api, {
    path: "/v1/integration/reservations",
    operationId: "listContracts",
    tag: "Contracts",
    summary: "List bookings and contracts by pickup date",
    query: createListQuery(100, "number", CONTRACT_FILTERS),
    entity: contracts.integrationContractSchema,
    find: extract.readContractsPage,
    write: contracts.toIntegrationContractMessage,
  });
  registerList(api, {
    path: "/v1/integration/rental-storages",
    operationId: "listRentalStorages",
    tag: "Organization",
    summary: "List branch groups",
    query: createListQuery(100, "number", ["updated_from"]),
    entity: organization.integrationBranchGroupSchema,
    find: extract.readBranchGroupsPage,
    write: organization.toIntegrationBranchGroupMessage,
  });
  registerList(api, {
    path: "/v1/integration/rental-locations",
    operationId: "listRentalLocations",
    tag: "Organization",
    summary: "List branches by code",
    query: createListQuery(100, "text", FLEET_FILTERS),
    entity: organization.integrationBranchSchema,
    knows: extract.isKnownBranch,
    find: extract.readBranchesPage,
    write: organization.toIntegrationBranchMessage,
  });
  registerList(api, {
    path: "/v1/integration/pickup-places",
    operationId: "listPickupPlaces",
    tag: "Organization",
    summary: "List pickup and return places",
    query: createListQuery(100, "number", ["updated_from", "rental_location_code"]),
    entity: organization.integrationPlaceSchema,
    find: extract.readPickupPlacesPage,
    write: organization.toIntegrationPlaceMessage,
  });
  registerList(api, {
    path: "/v1/integration/booking-categories",
    operationId: "listBookingCategories",
    tag: "Fleet",
    summary: "List categories by code",
    query: createListQuery(100, "text", ["updated_from"]),
    entity: organization.integrationCategorySchema,
    knows: extract.isKnownCategory,
    find: extract.readCategoriesPage,
    write: organization.toIntegrationCategoryMessage,
  });
  registerList(api, {
    path: "/v1/integration/booking-items",
    operationId: "listBookingItems",
    tag: "Fleet",
    summary: "List vehicles",
    query: createListQuery(100, "text", FLEET_FILTERS),
    entity: fleet.integrationVehicleSchema,
    knows: extract.isKnownVehicle,
    find: extract.readVehiclesPage,
    write: fleet.toIntegrationVehicleMessage,
  });
  registerList(api, {
    path: "/v1/integration/customers",
    operationId: "listCustomers",
    tag: "Customers",
    summary: "Customers",
    query: createListQuery(100, "number", ["updated_from", "rental_location_code"]),
    entity: fleet.integrationCustomerSchema,
    find: extract.readCustomersPage,
    write: fleet.toIntegrationCustomerMessage,
  });
  registerList(api, {
    path: "/v1/integration/invoices",
    operationId: "listInvoices",
    tag: "Documents",
    summary: "List invoices and credit notes by issue date",
    query: createListQuery(20, "number", DOCUMENT_FILTERS),
    entity: documents.integrationInvoiceSchema,
    middleware: optionallySignedReadMiddlewares,
    find: extract.readInvoicesPage,
    write: (row, messageFormat, { codes }) => documents.toInvoiceMessage(row, codes, messageFormat),
  });
  registerList(api, {
    path: "/v1/integration/internal-bonds",
    operationId: "listInternalBonds",
    tag: "Documents",
    summary: "List internal bonds by issue date",
    query: createListQuery(20, "number", DOCUMENT_FILTERS),
    entity: documents.integrationInternalBondSchema,
    middleware: optionallySignedReadMiddlewares,
    find: extract.readInternalBondsPage,
    write: (row, messageFormat, { codes }) => documents.toInternalBondMessage(row, codes, messageFormat),
  });
  registerList(api, {
    path: "/v1/integration/charges",
    operationId: "listCharges",
    tag: "Documents",
    summary: "List charges",
    query: createListQuery(20, "number", [...DOCUMENT_FILTERS, "charge_accounting_processed"]),
    entity: charges.integrationChargeDocumentSchema,
    dates: "moments",
    middleware: optionallySignedReadMiddlewares,
    find: extract.readChargesPage,
    write: charges.toChargeDocumentMessage,
  });
  registerList(api, {
    path: "/v1/integration/expenses",
    operationId: "listExtractedExpenses",
    tag: "Documents",
    summary: "List expenses with supplier and tax number",
    query: createListQuery(100, "number", ["updated_from", "date_from", "date_to", "rental_location_code"]),
    entity: expenses.integrationExpenseSchema,
    find: extract.readExpensesPage,
    write: expenses.toIntegrationExpenseMessage,
  });
  registerList(api, {
    path: "/booking/reservation-report",
    operationId: "reportContracts",
    tag: "Contracts",
    summary: "List contracts with display names",
    query: createListQuery(10, "number", [...CONTRACT_FILTERS, "from", "to"]),
    entity: contracts.integrationReportedContractSchema,
    find: extract.readContractReportPage,
    write: (row, messageFormat, { names }) => contracts.toReportedContractMessage(row, names, messageFormat),
  });
  registerList(api, {
    path: "/booking-items",
    operationId: "listNamedBookingItems",
    tag: "Fleet",
    summary: "List vehicles with display names",
    query: createListQuery(10, "text", FLEET_FILTERS),
    entity: fleet.integrationVehicleWithNamesSchema,
    knows: extract.isKnownVehicle,
    find: extract.readVehiclesWithNamesPage,
    write: fleet.toIntegrationVehicleWithNamesMessage,
  });
}
