import type { Random } from "#scripts/demo/random.ts";
import { agencyWriter } from "./agency.ts";
import { communicationsWriter, taxRecordsWriter } from "./authorities.ts";
import { catalogueWriters } from "./catalogue.ts";
import { companyInvoicesWriter, documentChecksWriter } from "./company-invoices.ts";
import type { NamedWriter, Writer } from "./context.ts";
import { customerWriter } from "./customer.ts";
import { deskWriter } from "./desk.ts";
import { erpWriter } from "./erp.ts";
import { exchangeWriter } from "./exchange.ts";
import { factorsWriter } from "./factors.ts";
import { fleetWriter } from "./fleet.ts";
import { holdsWriter } from "./holds.ts";
import { importWriter } from "./imports.ts";
import { linksWriter } from "./links.ts";
import { moneyWriter } from "./money.ts";
import { movesWriter } from "./moves.ts";
import { notesWriter } from "./notes.ts";
import { attentionWriter, officeWriter } from "./office.ts";
import { OPERATIONS, type WriterName } from "./operations.ts";
import { createCustomerWriter, sessionsWriter } from "./people.ts";
import { fieldWriter } from "./phone.ts";
import { quotesWriter } from "./quotes.ts";
import { approvingWriter, stuckRefundsWriter } from "./refunds.ts";
import { noShowWriter, roadWriter } from "./road.ts";
import { transferWriter } from "./transfers.ts";
import { purchaseWriter } from "./website.ts";

/** Creates all concurrent writers. */
export function allWriters(random: Random): readonly NamedWriter[] {
  const createNamedWriters = (name: WriterName | `${WriterName} of ${string}`, ...writers: readonly Writer[]) =>
    writers.map((write) => ({ name, operations: listOperations(name), write, isFirst: name.startsWith("imports") }));
  const agency = () => agencyWriter("acme", "acme-agency");
  const phone = () => fieldWriter("acme", random.hex(8));
  return [
    ...createNamedWriters("agency", agency(), agency(), agency()),
    ...createNamedWriters(
      "agency of a second key",
      agencyWriter("acme", "acme-agency-2"),
      agencyWriter("acme", "acme-agency-2"),
    ),
    ...createNamedWriters("agency of globex", agencyWriter("globex", "globex-agency")),
    ...createNamedWriters("website", purchaseWriter("acme"), purchaseWriter("acme"), purchaseWriter("acme")),
    ...createNamedWriters("website of globex", purchaseWriter("globex")),
    ...createNamedWriters("transfers", transferWriter("acme"), transferWriter("acme"), transferWriter("acme")),
    ...createNamedWriters("phone", phone(), phone(), phone()),
    ...createNamedWriters("office", officeWriter("acme")),
    ...createNamedWriters("moves", movesWriter("acme"), movesWriter("acme")),
    ...createNamedWriters("moves of globex", movesWriter("globex")),
    ...createNamedWriters("road", roadWriter("acme"), roadWriter("acme")),
    ...createNamedWriters("no-show", noShowWriter("acme")),
    ...createNamedWriters("desk", deskWriter("acme"), deskWriter("acme"), deskWriter("acme")),
    ...createNamedWriters("desk of globex", deskWriter("globex")),
    ...createNamedWriters("exchange", exchangeWriter("acme")),
    ...createNamedWriters("money", moneyWriter("acme"), moneyWriter("acme")),
    ...createNamedWriters("money of globex", moneyWriter("globex")),
    ...createNamedWriters("second manager", approvingWriter),
    ...createNamedWriters("stuck refunds", stuckRefundsWriter("acme")),
    ...createNamedWriters("catalogue", ...catalogueWriters("acme", 2)),
    ...createNamedWriters("catalogue of globex", ...catalogueWriters("globex", 1)),
    ...createNamedWriters("attention", attentionWriter("acme")),
    ...createNamedWriters("tax records", taxRecordsWriter("acme")),
    ...createNamedWriters("communications", communicationsWriter("acme")),
    ...createNamedWriters("holds", holdsWriter("acme")),
    ...createNamedWriters("holds of globex", holdsWriter("globex")),
    ...createNamedWriters("quotes", quotesWriter("acme")),
    ...createNamedWriters("quotes of globex", quotesWriter("globex")),
    ...createNamedWriters("company invoices", companyInvoicesWriter("acme")),
    ...createNamedWriters("document checks", documentChecksWriter("acme")),
    ...createNamedWriters("notes", notesWriter("acme")),
    ...createNamedWriters("links", linksWriter("acme")),
    ...createNamedWriters("imports", importWriter("acme")),
    ...createNamedWriters("imports of globex", importWriter("globex")),
    ...createNamedWriters("factors", factorsWriter("acme")),
    ...createNamedWriters("fleet", fleetWriter("acme")),
    ...createNamedWriters("people", createCustomerWriter("acme")),
    ...createNamedWriters("sessions", sessionsWriter("acme")),
    ...createNamedWriters("customer", customerWriter("acme")),
    ...createNamedWriters("customer of globex", customerWriter("globex")),
    ...createNamedWriters("ERP", erpWriter("acme")),
    ...createNamedWriters("ERP of globex", erpWriter("globex")),
  ];
}

function listOperations(name: string): readonly string[] {
  return OPERATIONS[name.split(" of ")[0] as WriterName];
}
