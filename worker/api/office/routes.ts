import { toErrorResponse } from "#worker/api/errors.ts";
import { addFallbackRoutes, createApi } from "#worker/api/interface.ts";
import { serveOpenApiDocument } from "#worker/api/openapi.ts";
import { registerAccountingExportRoutes } from "./accounting-export-routes.ts";
import { registerJournalExportRoutes } from "./accounting-journal-routes.ts";
import { registerAgencyStatementRoutes } from "./agency-statement-routes.ts";
import { registerAttentionRoutes } from "./attention-routes.ts";
import { registerCardHoldRoutes } from "./card-hold-routes.ts";
import { registerCommissionRoutes } from "./commission-routes.ts";
import { registerCompanyInvoiceRoutes } from "./company-invoice-routes.ts";
import { registerCorrespondenceRoutes } from "./correspondence-routes.ts";
import { registerCustomerFileRoutes } from "./customer-file-routes.ts";
import { registerCustomerRoutes } from "./customer-routes.ts";
import { registerExpenseRoutes } from "./expense-routes.ts";
import { registerFreeDateRoutes } from "./free-date-routes.ts";
import { registerFurtherTableRoutes } from "./further-table-routes.ts";
import { registerHandOverRoutes } from "./hand-over-routes.ts";
import { registerImportRoutes } from "./import-routes.ts";
import { registerMessageRoutes } from "./message-routes.ts";
import { registerMinistryReportRoutes } from "./ministry-report-routes.ts";
import { registerMoneyRoutes } from "./money-routes.ts";
import { registerNewTransferRoutes } from "./new-transfer-routes.ts";
import { registerNoteRoutes } from "./note-routes.ts";
import { registerOwnSettingsRoutes } from "./own-settings-routes.ts";
import { registerPaymentLinkRoutes } from "./payment-link-routes.ts";
import { registerPrintRoutes } from "./print-routes.ts";
import { convertToProblemDetails } from "./problem-details.ts";
import { registerQuoteRoutes } from "./quote-routes.ts";
import { registerRefundRoutes } from "./refund-routes.ts";
import { registerRejectedRequestRoutes } from "./rejected-request-routes.ts";
import { registerReportRoutes } from "./report-routes.ts";
import { registerReservationActionRoutes } from "./reservation-action-routes.ts";
import { registerReservationRoutes } from "./reservation-routes.ts";
import { registerResourceChangeRoutes } from "./resources/change-routes.ts";
import { registerLetterheadRoutes } from "./resources/letterhead-routes.ts";
import { registerCataloguePhotoRoutes } from "./resources/photo-routes.ts";
import { registerPriceAndSetupRoutes } from "./resources/price-and-setup-routes.ts";
import { registerResourceRoutes } from "./resources/resource-routes.ts";
import { registerSeasonCopyRoutes } from "./resources/season-copy-routes.ts";
import { registerWebhookRoutes } from "./resources/webhook-routes.ts";
import { registerSearchRoutes } from "./search-routes.ts";
import { registerSecurityRoutes } from "./security-routes.ts";
import { registerStaffSessionRoutes } from "./session-routes.ts";
import { registerSigningCertificateRoutes } from "./signing-certificate-routes.ts";
import { registerTableRoutes } from "./table-routes.ts";
import { registerTaxRecordRoutes } from "./tax-record-routes.ts";
import { registerVehicleRoutes } from "./vehicle-routes.ts";
import { registerSavedViewRoutes } from "./view-routes.ts";
import { registerVisitorHoldRoutes } from "./visitor-hold-routes.ts";

const office = createApi(toErrorResponse, ["*"], "refused");
office.routes.use(convertToProblemDetails);
registerSearchRoutes(office);
// Registered before the routes of single resources, which would read these paths as ids.
registerTableRoutes(office);
registerFurtherTableRoutes(office);
registerReportRoutes(office);
registerReservationRoutes(office);
registerQuoteRoutes(office);
registerNewTransferRoutes(office);
registerCorrespondenceRoutes(office);
registerNoteRoutes(office);
registerCustomerFileRoutes(office);
registerMessageRoutes(office);
registerReservationActionRoutes(office);
registerFreeDateRoutes(office);
registerVehicleRoutes(office);
registerExpenseRoutes(office);
registerAttentionRoutes(office);
registerVisitorHoldRoutes(office);
registerCommissionRoutes(office);
registerAgencyStatementRoutes(office);
registerHandOverRoutes(office);
// Registered before the lists and forms, which would take these paths for ids.
registerPriceAndSetupRoutes(office);
registerSeasonCopyRoutes(office);
registerLetterheadRoutes(office);
registerSigningCertificateRoutes(office);
registerCataloguePhotoRoutes(office);
registerResourceChangeRoutes(office);
registerWebhookRoutes(office);
registerResourceRoutes(office);
registerStaffSessionRoutes(office);
registerOwnSettingsRoutes(office);
registerSavedViewRoutes(office);
registerSecurityRoutes(office);
registerRejectedRequestRoutes(office);
registerImportRoutes(office);
registerPrintRoutes(office);
registerCustomerRoutes(office);
registerTaxRecordRoutes(office);
registerMinistryReportRoutes(office);
// Registered last: printouts share path prefixes with documents.
registerAccountingExportRoutes(office);
registerJournalExportRoutes(office);
registerCompanyInvoiceRoutes(office);
registerMoneyRoutes(office);
registerRefundRoutes(office);
registerPaymentLinkRoutes(office);
registerCardHoldRoutes(office);

/** OpenAPI document of the office. */
export const createOfficeOpenApi = serveOpenApiDocument(office, {
  title: "The office",
  description: "API of the company's staff: search, create, change and end reservations.",
  basePath: "/api/v1/office",
  tags: {
    Reservations: "Rentals and transfers from all sources.",
    Quotes: "Offers with a guaranteed price, until the customer accepts or declines them.",
    Actions: "Actions on a reservation. Each needs the version that it is based on and is carried out once.",
    Fleet: "Vehicles, their blocks and the planning.",
    Expenses: "Costs of vehicles by account and concept.",
    Reports: "Revenue, utilisation, rentals, cancellations, expenses, quotes and forward bookings by period.",
    Company: "Branches, their hours and places, agencies and agents.",
    Prices: "Products and their prices.",
    Rules: "Rules and terms of rentals.",
    Transfers: "Transfers with a driver: points, vehicles, prices.",
    Access: "Users, keys and gateways. Secrets can be written and not read.",
    Settings: "Settings of the whole company.",
    Webhooks: "Addresses of partners that receive events, with their secrets and deliveries.",
    Customers: "Customers: search, duplicates and merges.",
    Money: "Documents and charges, the register of the day, refunds.",
    MinistryReports: "Reports of rentals to the ministry of the interior.",
    "Tax records": "Records of invoices for the tax agency.",
    Attention: "Open tasks for staff.",
    Security: "Sessions, and events that concern security.",
    Imports: "Imports from other systems: check, import and undo files.",
    Printing: "Documents, contracts and receipts as PDF.",
  },
  schemes: ["token"],
});
addFallbackRoutes(office);

export const officeRoutes = office.routes;
