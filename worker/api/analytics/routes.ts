import { createRoute } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { isMoneyReport } from "#domain/reporting/analytics.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { analyticsFailureAnswer } from "#worker/api/failure-messages.ts";
import { type ApiRoutes, addFallbackRoutes, createApi, rejectUnsupportedMethods } from "#worker/api/interface.ts";
import { createFailureResponses, jsonContent, serveOpenApiDocument } from "#worker/api/openapi.ts";
import { requirePartnerSignature } from "#worker/api/signed.ts";
import { ALL_STAFF_ROLES, requireSignedInRole } from "#worker/api/signed-in.ts";
import {
  readExpenseFigures,
  readExtraOrSupplementSales,
  readVehicleFigures,
} from "#worker/usecases/reporting/analytics.ts";
import { expenseReportAnswer, toExpensesMessage } from "./expense-messages.ts";
import * as messages from "./messages.ts";
import { toProductsMessage } from "./product-messages.ts";

/** Location of the reports and permitted readers: partners by signature, staff by session. */
interface Readers {
  readonly api: ApiRoutes;
  readonly paths: Readonly<Record<"products" | "extras" | "supplements" | "expenses", string>>;
  readonly middleware: MiddlewareHandler<AppEnvironment>[];
  readonly security: { [name: string]: never[] }[];
  /** Permitted branches. Undefined means all. */
  readonly branchesOf: (c: Context<AppEnvironment>) => readonly string[] | undefined;
}

const failed = createFailureResponses(analyticsFailureAnswer, 401, 403, 429).reading();
const tags = ["Reports"];
const reportTags = { Reports: "Yearly figures by month, and the expenses of the fleet." };
const HUNDREDTHS = 2;

async function loadCatalogue(c: Context<AppEnvironment>): Promise<Catalogue> {
  return (await c.get("tenant").snapshot()).catalogue;
}

/** Registers the reports in the readers' API. */
function registerReportRoutes({ api: { routes }, paths, middleware, security, branchesOf }: Readers): void {
  routes.openapi(
    createRoute({
      method: "get",
      path: paths.products,
      operationId: "reportProducts",
      tags,
      summary: "List billing, days and occupation by vehicle and month",
      security,
      middleware,
      request: { query: messages.vehicleReportQuery },
      responses: { 200: jsonContent(messages.vehicleReportAnswer, "The report"), ...failed },
    }),
    async (c) => {
      const query = c.req.valid("query");
      const report = await readVehicleFigures(c.get("tenant"), {
        year: query.year,
        report: query.report_type,
        customerClass: query.customer_type,
        branchFilter: {
          branchGroupId: query.rental_storage_id,
          branchCode: query.rental_location_code,
          branches: branchesOf(c),
        },
      });
      const catalogue = await loadCatalogue(c);
      const decimals = isMoneyReport(query.report_type) ? catalogue.settings.currencyDecimals : HUNDREDTHS;
      return c.json(toProductsMessage(report, query.group_entity, decimals, catalogue), 200);
    },
  );
  routes.openapi(
    createRoute({
      method: "get",
      path: paths.extras,
      operationId: "reportExtras",
      tags,
      summary: "List revenue of extras by branch for a year",
      security,
      middleware,
      request: { query: messages.extraReportQuery },
      responses: { 200: jsonContent(messages.extraReportAnswer, "The report"), ...failed },
    }),
    async (c) => {
      const { year, report_type, rental_location_code } = c.req.valid("query");
      const { rows, summary } = await readExtraOrSupplementSales(c.get("tenant"), {
        kind: "extra",
        year,
        withTaxes: report_type === "extras_with_taxes",
        branchFilter: { branchCode: rental_location_code, branches: branchesOf(c) },
      });
      const decimals = (await loadCatalogue(c)).settings.currencyDecimals;
      const data = rows.map((row) => ({ ...messages.toSalesRowMessage(row, decimals), name: row.name ?? row.code }));
      const total = { ...messages.toTotalRowMessage(summary, decimals), name: "TOTAL" as const };
      return c.json({ data, summary: [total], total: rows.length }, 200);
    },
  );
  routes.openapi(
    createRoute({
      method: "get",
      path: paths.supplements,
      operationId: "reportSupplements",
      tags,
      summary: "List revenue of supplements by branch for a year",
      security,
      middleware,
      request: { query: messages.supplementReportQuery },
      responses: { 200: jsonContent(messages.supplementReportAnswer, "The report"), ...failed },
    }),
    async (c) => {
      const { year, report_type, rental_location_code } = c.req.valid("query");
      const { rows, summary } = await readExtraOrSupplementSales(c.get("tenant"), {
        kind: "supplement",
        year,
        withTaxes: report_type === "supplements_with_taxes",
        branchFilter: { branchCode: rental_location_code, branches: branchesOf(c) },
      });
      const decimals = (await loadCatalogue(c)).settings.currencyDecimals;
      const data = rows.map((row) => messages.toSalesRowMessage(row, decimals));
      return c.json({ data, summary: [messages.toTotalRowMessage(summary, decimals)], total: rows.length }, 200);
    },
  );
  routes.openapi(
    createRoute({
      method: "get",
      path: paths.expenses,
      operationId: "reportExpenses",
      tags,
      summary: "List fleet expenses of a year",
      security,
      middleware,
      request: { query: messages.expenseReportQuery },
      responses: { 200: jsonContent(expenseReportAnswer, "A page of the lines with their totals"), ...failed },
    }),
    async (c) => {
      const query = c.req.valid("query");
      const { rows, summary } = await readExpenseFigures(c.get("tenant"), {
        year: query.year,
        from: query.date_from,
        to: query.date_to,
        page: query.page,
        pageSize: query.page_size,
        branchFilter: {
          branchGroupId: query.rental_storage_id,
          branchCode: query.rental_location_code,
          branches: branchesOf(c),
        },
      });
      return c.json(toExpensesMessage(rows, summary, await loadCatalogue(c)), 200);
    },
  );
}

const PARTNER_PATHS = {
  products: "/analysis/products-billing",
  extras: "/analysis/extras-billing",
  supplements: "/analysis/supplements-billing",
  expenses: "/booking-item/expenses",
} as const;

const partners = createApi(toErrorResponse, Object.values(PARTNER_PATHS));
registerReportRoutes({
  api: partners,
  paths: PARTNER_PATHS,
  middleware: [requirePartnerSignature("analytics", toErrorResponse), dropEmptyParameters],
  security: [{ signature: [] }],
  branchesOf: () => undefined,
});

/** OpenAPI document of analytics. */
export const createAnalyticsOpenApi = serveOpenApiDocument(
  partners,
  {
    title: "Analytics",
    description: "Data for dashboards, by year. Each request is signed.",
    basePath: "/api/booking",
    tags: reportTags,
    schemes: ["signature"],
  },
  "/analysis/openapi.json",
);
rejectUnsupportedMethods(partners);

/** Analytics for signed calls (docs/interfaces/analytics.md). */
export const analyticsRoutes = partners.routes;

const staff = createApi(toErrorResponse);
registerReportRoutes({
  api: staff,
  paths: {
    products: "/products-billing",
    extras: "/extras-billing",
    supplements: "/supplements-billing",
    expenses: "/expenses",
  },
  middleware: [requireSignedInRole(ALL_STAFF_ROLES, toErrorResponse)],
  security: [{ token: [] }],
  branchesOf: (c) => {
    const { branches } = c.get("signedIn");
    return branches === "all" ? undefined : branches;
  },
});

/** OpenAPI document of staff analytics. */
export const createStaffAnalyticsOpenApi = serveOpenApiDocument(staff, {
  title: "Analytics for the staff",
  description: "The same reports for signed-in staff, limited to their branches.",
  basePath: "/api/v1/analysis",
  tags: reportTags,
  schemes: ["token"],
});
addFallbackRoutes(staff);

/** The same reports for staff, limited to their branches. */
export const staffAnalyticsRoutes = staff.routes;
