import type { Random } from "#scripts/demo/random.ts";
import type { AccountName } from "#tools/platform/client.ts";
import { endStaffSession, registerCustomer, useSecondFactors } from "./access.ts";
import type { ChaosWriter } from "./actor.ts";
import { createAgencyWriter, reportAsErp } from "./agency.ts";
import { buyRental, buyTransfer } from "./carts.ts";
import { createCatalogueWriter } from "./catalogue.ts";
import { createCheckInWriter, resolveConflict } from "./check-in.ts";
import { checkDocuments, exchangeInvoice, invoiceCompany, workAtDesk } from "./desk.ts";
import { decideRefund, decideStuckRefund, moveMoney } from "./money.ts";
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
import { writeLinks } from "./payments.ts";
import { changeReservations, declareNoShow, liveContract } from "./reservations.ts";

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
    ...createNamed("road", liveContract, liveContract),
    ...createNamed("no-show", declareNoShow),
    ...createNamed("desk", workAtDesk, workAtDesk, workAtDesk),
    ...createNamed("desk of globex", workAtDesk),
    ...createNamed("exchange", exchangeInvoice),
    ...createNamed("money", moveMoney, moveMoney),
    ...createNamed("money of globex", moveMoney),
    ...createNamed("second manager", decideRefund),
    ...createNamed("stuck refunds", decideStuckRefund),
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
    ...createNamed("document checks", checkDocuments),
    ...createNamed("notes", writeNotes),
    ...createNamed("links", writeLinks),
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
