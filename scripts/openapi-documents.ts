// This import must precede those of the routes, which read the development flag when they're created.
import "./development-build.ts";
import { describeAnalytics, describeStaffAnalytics } from "#worker/api/analytics/routes.ts";
import { describePromotionCodes } from "#worker/api/booking-engine/shared/promotion-code.ts";
import { describeTransferEngine } from "#worker/api/booking-engine/transfers/routes.ts";
import { describeRentalEngine } from "#worker/api/booking-engine/vehicles/routes.ts";
import { describeCheckIn } from "#worker/api/check-in/routes.ts";
import { describeCustomerAccess } from "#worker/api/customer-access/routes.ts";
import { describeDocuments } from "#worker/api/documents/routes.ts";
import { describeIntegration } from "#worker/api/integration/routes.ts";
import { describeOffice } from "#worker/api/office/routes.ts";
import { describeOperations } from "#worker/api/operations/routes.ts";
import { describeOta } from "#worker/api/ota/routes.ts";
import { describePayments } from "#worker/api/payments/routes.ts";
import { describeFields } from "./openapi/describe-fields.ts";
import { fieldTexts } from "./openapi/field-texts/lists.ts";

/** Documents of the routes, without the texts that the Worker doesn't need. */
export const undescribedApiDocuments: Readonly<Record<string, () => object>> = {
  ota: describeOta,
  "rental-engine": describeRentalEngine,
  "transfer-engine": describeTransferEngine,
  "promotion-codes": describePromotionCodes,
  "customer-access": describeCustomerAccess,
  payments: describePayments,
  integration: describeIntegration,
  documents: describeDocuments,
  "check-in": describeCheckIn,
  analytics: describeAnalytics,
  "staff-analytics": describeStaffAnalytics,
  operations: describeOperations,
  office: describeOffice,
};

/** APIs with a document in docs/openapi, by file name. */
export const openApiDocuments: Readonly<Record<string, () => object>> = Object.fromEntries(
  Object.entries(undescribedApiDocuments).map(([name, describe]) => [
    name,
    () => describeFields(describe(), fieldTexts[name] ?? []).document,
  ]),
);
