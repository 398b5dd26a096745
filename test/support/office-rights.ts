import type { Right } from "#domain/access/rights.ts";

/** Right that a staff write needs, and whose data it changes. */
export interface StaffWrite {
  readonly right: Right;
  /** `branch`: data of branches. `company`: data of the whole company. `person`: the user's own data. */
  readonly reach: "branch" | "company" | "person";
}

/** Roles of staff with few rights first. Each has all rights of those before it. */
export const STAFF_ROLES = ["operator", "agent", "manager", "administrator"] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** First role of `STAFF_ROLES` that has the right, as in docs/interfaces/office.md#roles. */
export const LOWEST_ROLE_BY_RIGHT: Readonly<Partial<Record<Right, StaffRole>>> = {
  see: "operator",
  hand_over: "operator",
  sell: "agent",
  give_away: "agent",
  refunds: "agent",
  manage: "manager",
  prices: "manager",
  administer: "administrator",
  exports: "administrator",
};

const crud = (...names: readonly string[]) =>
  names.flatMap((name) => [`create${name}`, `change${name}`, `remove${name}`]);

const GROUPS: readonly (StaffWrite & { readonly operations: readonly string[] })[] = [
  {
    right: "see",
    reach: "person",
    operations: ["changeOwnSettings", "createView", "removeView", "reportPhone", "readWorkSeals"],
  },
  { right: "see", reach: "company", operations: ["previewMessageText", "previewPrices"] },
  {
    right: "see",
    reach: "branch",
    operations: ["quoteReservationAction", "previewCreditNote", "previewDocuments", "previewIssue", "previewExchange"],
  },
  {
    right: "hand_over",
    reach: "branch",
    operations: [
      ...["addReservationNote", "addReservationTask", "addCustomerNote", "addCustomerTask", "changeTask"],
      ...["addCustomerFile", "deleteCustomerFile", "sendMessage", "resendMessage", "mailDocument"],
      ...["deliverVehicle", "exchangeVehicle", "collectVehicle", "sayMarketingConsent", "completeMinistryReports"],
      ...["previewReservationDocuments", "createPaymentLink", "cancelPaymentLink", "cancelReservationPaymentLink"],
      ...["requestCardHold", "captureCardHold", "previewCardHoldCapture", "releaseCardHold", "previewReturnRecord"],
      ...["draftDocument", "enterCharge", "issueDocument", "exchangeDocument", "sendOperations", "keepFile"],
    ],
  },
  {
    right: "sell",
    reach: "company",
    operations: ["createCustomer", "finishAttention", "quoteReservation", "quoteTransfer"],
  },
  {
    right: "sell",
    reach: "branch",
    operations: [
      ...["createReservation", "changeReservation", "createTransfer", "confirmReservation", "cancelReservation"],
      ...["declareNoShow", "extendReservation", "endReservationEarly", "surchargeReservation", "assignVehicle"],
      ...["createQuote", "changeQuote", "sendQuote", "duplicateQuote", "declineQuote", "nameAgent", "endHolds"],
      ...["moveVehicle", "markDamageRepaired", "blockVehicle", "changeBlock", "removeBlock", "changeCustomer"],
      ...[
        "chargeDocument",
        "previewDocumentPayment",
        "issueCollectiveInvoice",
        "previewCollectiveInvoice",
        "closeCash",
      ],
    ],
  },
  { right: "give_away", reach: "branch", operations: ["creditDocument"] },
  { right: "refunds", reach: "branch", operations: ["refundReservation"] },
  {
    right: "manage",
    reach: "company",
    operations: [
      ...["changeMessageTemplate", "resetMessageTemplate", "settleCommissions", "unsettleCommissions"],
      ...["payAgencyCommissions"],
      ...crud("BranchGroup", "SalesChannel", "Family", "LegalText", "TransferZone", "TransferPoint", "TransferPrice"),
      ...crud("TransferExtra", "Supplement", "ExpenseAccount", "ExpenseConcept", "Agency", "Agent"),
    ],
  },
  {
    right: "manage",
    reach: "branch",
    operations: [
      // Users delete their own notes without the right. The example deletes another user's.
      ...["deleteNote", "reopenReservation", "createVehicle", "changeVehicle", "retireVehicle"],
      ...["enterExpense", "changeExpense", "takeBackExpense", "writeOpeningWeek", "eraseCustomer", "mergeCustomer"],
      ...["retryDocumentIntegration", "approveRefund", "declineRefund", "askGatewayAgain", "dropGatewayRefund"],
      ...[
        "refundByHand",
        "sendMinistryReportAgain",
        "noteMinistryReportAnnulled",
        "resolveOperation",
        "cancelTransfer",
      ],
      ...crud("Branch", "OpeningHours", "ClosedDate", "SpecialHours", "Place", "TransferVehicle", "ServicePlan"),
      ...crud("VehicleService", "Calendar"),
    ],
  },
  {
    right: "prices",
    reach: "company",
    operations: [
      ...["writePriceTable", "copySeason", "undoSeasonCopy", "addPhoto"],
      ...crud("Category", "Extra", "Season", "Price", "Offer", "PromotionCode", "DriverAgeRule", "OneWayFee"),
      ...crud("CancellationTerm", "Repatriation"),
    ],
  },
  { right: "prices", reach: "branch", operations: crud("SellingRule") },
  {
    right: "administer",
    reach: "company",
    operations: [
      ...[
        "checkSettings",
        "changeSettings",
        "changeLetterhead",
        "replaceSigningCertificate",
        "deleteSigningCertificate",
      ],
      ...["createUser", "changeUser", "forgetStaffFactors", "inviteStaffAgain", "endStaffSession"],
      ...["createGateway", "changeGateway", "testGateway", "importFiles", "checkImport", "undoImport"],
      ...["retryTaxRecords", "amendDocumentRecord", "annulDocumentRecord", "refreshMinistryReportLists"],
      ...["rotateWebhookSecret", "testWebhook", "replayWebhook"],
      ...crud("Webhook", "PartnerKey", "EngineKey", "DocumentSeries"),
    ],
  },
];

/** Right and reach of each staff write of the OpenAPI documents, by operation. */
export const STAFF_WRITES: ReadonlyMap<string, StaffWrite> = new Map(
  GROUPS.flatMap(({ right, reach, operations }) => operations.map((name) => [name, { right, reach }])),
);

/** Staff reads that need more than `see`, by right. */
export const RIGHT_BY_RESTRICTED_READ: ReadonlyMap<string, Right> = new Map(
  Object.entries({
    manage: [
      "listChanges",
      ...reads("Calendar"),
      "listRejectedRequests",
      "previewCustomerMerge",
      "listOperationsToReview",
    ],
    administer: [
      ...["exportTaxRecords", "exportTaxRecordsWorkbook", "exportSecurityEvents", "exportSecurityEventsWorkbook"],
      ...["showSigningCertificate", "listWebhookDeliveries", "listStaffSessions", "listSecurityEvents"],
      ...["listImports", "listImportTables", "readImportTemplates", "exportCustomer", "exportJournal"],
      ...["listTaxRecords", "checkTaxRecords", "tryMinistryReports"],
      ...["User", "PartnerKey", "EngineKey", "Gateway", "Webhook"].flatMap(reads),
    ],
  } satisfies Partial<Record<Right, readonly string[]>>).flatMap(([right, names]) =>
    names.map((name) => [name, right as Right] as const),
  ),
);

/** Exports for which the right to read what they contain is enough. */
const EXPORTS_WITHOUT_OWN_RIGHT: ReadonlySet<string> = new Set([
  ...["exportCustomer", "exportCustomerStatement", "exportJournal", "exportSecurityEvents"],
  "exportSecurityEventsWorkbook",
]);

/** Returns the right that a staff read needs. Only administrators export lists, unless they grant it to a person. */
export function getReadRight(name: string): Right {
  const right = RIGHT_BY_RESTRICTED_READ.get(name) ?? "see";
  return name.startsWith("export") && !EXPORTS_WITHOUT_OWN_RIGHT.has(name) ? "exports" : right;
}

/** Reads of one resource of the whole company, which users of every branch may see. */
export const COMPANY_WIDE_READS: ReadonlySet<string> = new Set(
  [
    // Without a branch, special hours apply to all. The demo company has no others.
    ...["BranchGroup", "SpecialHours", "SalesChannel", "Family", "LegalText", "Category", "Extra", "Season", "Price"],
    ...["Offer", "PromotionCode", "DriverAgeRule", "OneWayFee", "SellingRule", "CancellationTerm", "TransferZone"],
    ...["TransferPoint", "TransferPrice", "TransferExtra", "Supplement", "ExpenseConcept", "ExpenseAccount", "Agency"],
    ...["Agent", "DocumentSeries"],
  ]
    .flatMap((name) => [`show${name}`, `show${name}History`])
    // An agency belongs to the company. Its statement lists only the reservations of the user's branches.
    .concat("showAgencyStatement", "exportAgencyStatement", "exportAgencyStatementWorkbook"),
);

function reads(name: string): readonly string[] {
  return [`list${name}s`, `export${name}s`, `export${name}sWorkbook`, `show${name}`, `show${name}History`];
}
