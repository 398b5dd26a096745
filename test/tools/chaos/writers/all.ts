import type { Random } from "#scripts/demo/random.ts";
import type { AccountName } from "#tools/platform/client.ts";
import { endStaffSession, registerCustomer, useSecondFactors } from "./access.ts";
import type { ChaosWriter } from "./actor.ts";
import { createAgencyWriter, reportAsErp } from "./agency.ts";
import { buyRental, buyTransfer } from "./carts.ts";
import { createCatalogueWriter } from "./catalogue.ts";
import { createCheckInWriter, resolveConflict } from "./check-in.ts";
import { exchangeInvoice, invoiceCompany, previewAndRetryDocuments, writeChargesAndDocuments } from "./desk.ts";
import { decideRefund, refundAndCloseCash, resolveStuckGatewayRefund } from "./money.ts";
import {
  correctTaxRecord,
  createMinistryReportsWriter,
  endHolds,
  importCustomers,
  maintainCustomers,
  maintainFleet,
  reviewAttention,
  writeNotes,
  writeQuotes,
} from "./office.ts";
import { writePaymentLinksAndHolds } from "./payments.ts";
import { changeReservations, declareNoShow, runContractLifecycle } from "./reservations.ts";

/** A writer of one account. */
export interface NamedWriter {
  readonly name: string;
  readonly account: AccountName;
  readonly write: ChaosWriter;
  /** Whether it runs alone before all others, because constant concurrent changes would prevent it from finishing. */
  readonly isFirst: boolean;
}

/** Creates all concurrent writers. */
export function createWriters(random: Random): readonly NamedWriter[] {
  const createNamed = (name: string, ...writers: readonly ChaosWriter[]): readonly NamedWriter[] =>
    writers.map((write) => ({
      ...{ name, write, account: name.endsWith(" of globex") ? "globex" : "acme" },
      isFirst: name.startsWith("imports"),
    }));
  const agency = createAgencyWriter("acme-agency");
  const secondAgency = createAgencyWriter("acme-agency-2");
  const createPhone = () => createCheckInWriter(random.hex(8));
  const catalogue = createCatalogueWriter();
  return [
    ...createNamed("agency", agency, agency, agency),
    ...createNamed("agency of a second key", secondAgency, secondAgency),
    ...createNamed("agency of globex", createAgencyWriter("globex-agency")),
    ...createNamed("website", buyRental, buyRental, buyRental),
    ...createNamed("website of globex", buyRental),
    ...createNamed("transfers", buyTransfer, buyTransfer, buyTransfer),
    ...createNamed("phone", createPhone(), createPhone(), createPhone()),
    ...createNamed("office", resolveConflict),
    ...createNamed("moves", changeReservations, changeReservations),
    ...createNamed("moves of globex", changeReservations),
    ...createNamed("road", runContractLifecycle, runContractLifecycle),
    ...createNamed("no-show", declareNoShow),
    ...createNamed("desk", writeChargesAndDocuments, writeChargesAndDocuments, writeChargesAndDocuments),
    ...createNamed("desk of globex", writeChargesAndDocuments),
    ...createNamed("exchange", exchangeInvoice),
    ...createNamed("money", refundAndCloseCash, refundAndCloseCash),
    ...createNamed("money of globex", refundAndCloseCash),
    ...createNamed("second manager", decideRefund),
    ...createNamed("stuck refunds", resolveStuckGatewayRefund),
    ...createNamed("catalogue", catalogue, catalogue),
    ...createNamed("catalogue of globex", createCatalogueWriter()),
    ...createNamed("attention", reviewAttention),
    ...createNamed("tax records", correctTaxRecord),
    ...createNamed("ministry reports", createMinistryReportsWriter()),
    ...createNamed("holds", endHolds),
    ...createNamed("holds of globex", endHolds),
    ...createNamed("quotes", writeQuotes),
    ...createNamed("quotes of globex", writeQuotes),
    ...createNamed("company invoices", invoiceCompany),
    ...createNamed("document checks", previewAndRetryDocuments),
    ...createNamed("notes", writeNotes),
    ...createNamed("links", writePaymentLinksAndHolds),
    ...createNamed("imports", importCustomers),
    ...createNamed("imports of globex", importCustomers),
    ...createNamed("factors", useSecondFactors),
    ...createNamed("fleet", maintainFleet),
    ...createNamed("people", maintainCustomers),
    ...createNamed("sessions", endStaffSession),
    ...createNamed("customer", registerCustomer),
    ...createNamed("customer of globex", registerCustomer),
    ...createNamed("ERP", reportAsErp),
    ...createNamed("ERP of globex", reportAsErp),
  ];
}
