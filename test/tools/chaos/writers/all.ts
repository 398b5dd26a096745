import type { Random } from "#scripts/demo/random.ts";
import { createAgencyWriter } from "./agency.ts";
import { createMinistryReportsWriter, createTaxRecordsWriter } from "./authorities.ts";
import { createCatalogueWriters } from "./catalogue.ts";
import { createCheckInWriter } from "./check-in.ts";
import { createCompanyInvoicesWriter, createDocumentChecksWriter } from "./company-invoices.ts";
import type { ChaosWriter, NamedWriter } from "./context.ts";
import { createContractLifeWriter, createNoShowWriter } from "./contract-life.ts";
import { createCustomerBookingsWriter } from "./customer.ts";
import { createDeskWriter } from "./desk.ts";
import { createErpWriter } from "./erp.ts";
import { createExchangeWriter } from "./exchange.ts";
import { createFactorsWriter } from "./factors.ts";
import { createFleetWriter } from "./fleet.ts";
import { createHoldsWriter } from "./holds.ts";
import { createImportWriter } from "./imports.ts";
import { createLinksWriter } from "./links.ts";
import { createMoneyWriter } from "./money.ts";
import { createNotesWriter } from "./notes.ts";
import { createAttentionWriter, createOfficeWriter } from "./office.ts";
import { OPERATIONS_BY_WRITER, type WriterName } from "./operations.ts";
import { createCustomerWriter, createSessionsWriter } from "./people.ts";
import { createQuotesWriter } from "./quotes.ts";
import { createStuckRefundsWriter, decideRefundAsManager } from "./refunds.ts";
import { createReservationActionsWriter } from "./reservation-actions.ts";
import { createTransferWriter } from "./transfers.ts";
import { createPurchaseWriter } from "./website.ts";

/** Creates all concurrent writers. */
export function createWriters(random: Random): readonly NamedWriter[] {
  const createNamedWriters = (name: WriterName | `${WriterName} of ${string}`, ...writers: readonly ChaosWriter[]) =>
    writers.map((write) => ({ name, operations: listOperations(name), write, isFirst: name.startsWith("imports") }));
  const agency = () => createAgencyWriter("acme", "acme-agency");
  const phone = () => createCheckInWriter("acme", random.hex(8));
  return [
    ...createNamedWriters("agency", agency(), agency(), agency()),
    ...createNamedWriters(
      "agency of a second key",
      createAgencyWriter("acme", "acme-agency-2"),
      createAgencyWriter("acme", "acme-agency-2"),
    ),
    ...createNamedWriters("agency of globex", createAgencyWriter("globex", "globex-agency")),
    ...createNamedWriters(
      "website",
      createPurchaseWriter("acme"),
      createPurchaseWriter("acme"),
      createPurchaseWriter("acme"),
    ),
    ...createNamedWriters("website of globex", createPurchaseWriter("globex")),
    ...createNamedWriters(
      "transfers",
      createTransferWriter("acme"),
      createTransferWriter("acme"),
      createTransferWriter("acme"),
    ),
    ...createNamedWriters("phone", phone(), phone(), phone()),
    ...createNamedWriters("office", createOfficeWriter("acme")),
    ...createNamedWriters("moves", createReservationActionsWriter("acme"), createReservationActionsWriter("acme")),
    ...createNamedWriters("moves of globex", createReservationActionsWriter("globex")),
    ...createNamedWriters("road", createContractLifeWriter("acme"), createContractLifeWriter("acme")),
    ...createNamedWriters("no-show", createNoShowWriter("acme")),
    ...createNamedWriters("desk", createDeskWriter("acme"), createDeskWriter("acme"), createDeskWriter("acme")),
    ...createNamedWriters("desk of globex", createDeskWriter("globex")),
    ...createNamedWriters("exchange", createExchangeWriter("acme")),
    ...createNamedWriters("money", createMoneyWriter("acme"), createMoneyWriter("acme")),
    ...createNamedWriters("money of globex", createMoneyWriter("globex")),
    ...createNamedWriters("second manager", decideRefundAsManager),
    ...createNamedWriters("stuck refunds", createStuckRefundsWriter("acme")),
    ...createNamedWriters("catalogue", ...createCatalogueWriters("acme", 2)),
    ...createNamedWriters("catalogue of globex", ...createCatalogueWriters("globex", 1)),
    ...createNamedWriters("attention", createAttentionWriter("acme")),
    ...createNamedWriters("tax records", createTaxRecordsWriter("acme")),
    ...createNamedWriters("ministry reports", createMinistryReportsWriter("acme")),
    ...createNamedWriters("holds", createHoldsWriter("acme")),
    ...createNamedWriters("holds of globex", createHoldsWriter("globex")),
    ...createNamedWriters("quotes", createQuotesWriter("acme")),
    ...createNamedWriters("quotes of globex", createQuotesWriter("globex")),
    ...createNamedWriters("company invoices", createCompanyInvoicesWriter("acme")),
    ...createNamedWriters("document checks", createDocumentChecksWriter("acme")),
    ...createNamedWriters("notes", createNotesWriter("acme")),
    ...createNamedWriters("links", createLinksWriter("acme")),
    ...createNamedWriters("imports", createImportWriter("acme")),
    ...createNamedWriters("imports of globex", createImportWriter("globex")),
    ...createNamedWriters("factors", createFactorsWriter("acme")),
    ...createNamedWriters("fleet", createFleetWriter("acme")),
    ...createNamedWriters("people", createCustomerWriter("acme")),
    ...createNamedWriters("sessions", createSessionsWriter("acme")),
    ...createNamedWriters("customer", createCustomerBookingsWriter("acme")),
    ...createNamedWriters("customer of globex", createCustomerBookingsWriter("globex")),
    ...createNamedWriters("ERP", createErpWriter("acme")),
    ...createNamedWriters("ERP of globex", createErpWriter("globex")),
  ];
}

function listOperations(name: string): readonly string[] {
  return OPERATIONS_BY_WRITER[name.split(" of ")[0] as WriterName];
}
