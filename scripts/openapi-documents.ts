// This import must precede those of the routes, which read the development flag when they're created.
import "./development-build.ts";
import { createAnalyticsOpenApi, createStaffAnalyticsOpenApi } from "#worker/api/analytics/routes.ts";
import { createPromotionCodesOpenApi } from "#worker/api/booking-engine/shared/promotion-code.ts";
import { createTransferEngineOpenApi } from "#worker/api/booking-engine/transfers/routes.ts";
import { createRentalEngineOpenApi } from "#worker/api/booking-engine/vehicles/routes.ts";
import { createCheckInOpenApi } from "#worker/api/check-in/routes.ts";
import { createCustomerAccessOpenApi } from "#worker/api/customer-access/routes.ts";
import { createDocumentsOpenApi } from "#worker/api/documents/routes.ts";
import { createIntegrationOpenApi } from "#worker/api/integration/routes.ts";
import { createOfficeOpenApi } from "#worker/api/office/routes.ts";
import { createOperationsOpenApi } from "#worker/api/operations/routes.ts";
import { createOtaOpenApi } from "#worker/api/ota/routes.ts";
import { describePayments } from "#worker/api/payments/routes.ts";
import { describeFields } from "./openapi/describe-fields.ts";
import { fieldDescriptionsByDocument } from "./openapi/field-texts/lists.ts";

/** Documents of the routes, without the texts that the Worker doesn't need. */
export const undescribedApiDocuments: Readonly<Record<string, () => object>> = {
  ota: createOtaOpenApi,
  "rental-engine": createRentalEngineOpenApi,
  "transfer-engine": createTransferEngineOpenApi,
  "promotion-codes": createPromotionCodesOpenApi,
  "customer-access": createCustomerAccessOpenApi,
  payments: describePayments,
  integration: createIntegrationOpenApi,
  documents: createDocumentsOpenApi,
  "check-in": createCheckInOpenApi,
  analytics: createAnalyticsOpenApi,
  "staff-analytics": createStaffAnalyticsOpenApi,
  operations: createOperationsOpenApi,
  office: createOfficeOpenApi,
};

/** APIs with a document in docs/openapi, by file name. */
export const openApiDocuments: Readonly<Record<string, () => object>> = Object.fromEntries(
  Object.entries(undescribedApiDocuments).map(([name, describe]) => [
    name,
    () => describeFields(describe(), fieldDescriptionsByDocument[name] ?? []).document,
  ]),
);
