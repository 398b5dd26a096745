import { RESOURCES } from "#domain/catalogue/resources/resources.ts";
import { toPascalCase } from "#worker/api/office/resources/resource-messages.ts";

/** Operations that make several sequential calls of databases and Durable Objects, with the reason. */
export interface SequentialCalls {
  /** Name of the reason in decision 0021. */
  readonly reason: string;
  /** Maximum number of sequential calls, by operation. */
  readonly operations: Readonly<Record<string, number>>;
}

/** Maximum number of sequential calls of an office write: one to read the data for the decision, one to write. */
const MAX_OFFICE_WRITE_TURNS = 2;

/** Returns the maximum number of sequential calls (3) of each export of a settings list, as CSV and as workbook. */
const getExportCallLimits = () =>
  Object.fromEntries(
    RESOURCES.filter(({ isSingle }) => !isSingle).flatMap(({ name }) => {
      const operation = `export${toPascalCase(name)}`;
      return [[operation, 3] as const, [`${operation}Workbook`, 3] as const];
    }),
  );

/** All operations with more than one sequential call, except office writes with two. */
export const ALLOWED_SEQUENTIAL_CALLS: readonly SequentialCalls[] = [
  {
    reason: "Writes decide by what they read",
    operations: {
      completeContract: 2,
      payRental: 2,
      payBooking: 2,
      payTransfer: 2,
      payTransferReservation: 2,
      sendOperations: 2,
      reportPhone: 2,
      createCalendar: 3,
      changeBooking: 4,
    },
  },
  {
    reason: "A checkout locks the cart first",
    operations: { checkOutCart: 2, checkOutTransferCart: 2 },
  },
  {
    reason: "Isolates don't cache the stock of transfers",
    operations: { setTransferCartProduct: 2 },
  },
  {
    reason: "Attempts count before a password is verified",
    operations: { signIn: 2, signUpCustomer: 3, requestNewPassword: 2 },
  },
  {
    reason: "The session decides what is read",
    operations: {
      signOut: 2,
      listRentals: 2,
      listTransfers: 2,
      listSessions: 2,
      signOutEverywhere: 2,
      endSession: 2,
      requestVerification: 2,
      beginSecondFactor: 3,
      proveSecondFactor: 2,
      removeSecondFactor: 2,
      challengePasskey: 2,
      listPasskeys: 2,
      readWorkSeals: 2,
      reportProducts: 2,
      reportExtras: 2,
      reportSupplements: 2,
      reportExpenses: 2,
      readContractDocuments: 2,
      previewCreditNote: 2,
      previewDocuments: 2,
      previewIssue: 3,
      previewExchange: 3,
    },
  },
  {
    reason: "A tax record needs the end of its chain",
    operations: { enterCharge: 3, issueDocument: 3, creditDocument: 5, refundReservation: 3, checkTaxRecords: 4 },
  },
  {
    reason: "An export reads page after page",
    operations: {
      exportReservations: 3,
      exportVehicles: 3,
      exportCustomers: 3,
      exportExpenses: 3,
      exportQuotes: 3,
      exportReservationsWorkbook: 3,
      exportVehiclesWorkbook: 3,
      exportCustomersWorkbook: 3,
      exportExpensesWorkbook: 3,
      exportQuotesWorkbook: 3,
      exportTasks: 3,
      exportTasksWorkbook: 3,
      exportMinistryReports: 3,
      exportMinistryReportsWorkbook: 3,
      exportWaitingRefunds: 3,
      exportWaitingRefundsWorkbook: 3,
      exportTaxRecords: 3,
      exportTaxRecordsWorkbook: 3,
      exportCommissions: 3,
      exportCommissionsWorkbook: 3,
      ...getExportCallLimits(),
      exportAgencyStatement: 3,
      exportAgencyStatementWorkbook: 3,
      exportSecurityEvents: 2,
      exportSecurityEventsWorkbook: 2,
      exportCustomer: 4,
      exportDocuments: 2,
      exportCharges: 2,
      exportDeposits: 2,
      exportDocumentsWorkbook: 2,
      exportChargesWorkbook: 2,
      exportDepositsWorkbook: 2,
      exportJournal: 2,
    },
  },
  {
    reason: "A service answers between calls",
    operations: { sendQuote: 5, testWebhook: 5, inviteStaffAgain: 5, refreshMinistryReportLists: 3 },
  },
  {
    reason: "An import uses a separate database",
    operations: { importFiles: 3, undoImport: 3, listImportTables: 2, readImportTemplates: 2 },
  },
];

/** Returns the most calls in turn that an operation may wait for. */
export function getMaxSequentialCalls(operation: string, isOfficeWrite: boolean): number {
  const exception = ALLOWED_SEQUENTIAL_CALLS.find(({ operations }) => operations[operation] !== undefined);
  return exception?.operations[operation] ?? (isOfficeWrite ? MAX_OFFICE_WRITE_TURNS : 1);
}
