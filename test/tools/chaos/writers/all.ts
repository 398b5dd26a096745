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
  const named = (name: WriterName | `${WriterName} of ${string}`, ...writers: readonly Writer[]) =>
    writers.map((write) => ({ name, operations: listOperations(name), write, isFirst: name.startsWith("imports") }));
  const agency = () => agencyWriter("acme", "acme-agency");
  const phone = () => fieldWriter("acme", random.hex(8));
  return [
    ...named("agency", agency(), agency(), agency()),
    ...named("agency of a second key", agencyWriter("acme", "acme-agency-2"), agencyWriter("acme", "acme-agency-2")),
    ...named("agency of globex", agencyWriter("globex", "globex-agency")),
    ...named("website", purchaseWriter("acme"), purchaseWriter("acme"), purchaseWriter("acme")),
    ...named("website of globex", purchaseWriter("globex")),
    ...named("transfers", transferWriter("acme"), transferWriter("acme"), transferWriter("acme")),
    ...named("phone", phone(), phone(), phone()),
    ...named("office", officeWriter("acme")),
    ...named("moves", movesWriter("acme"), movesWriter("acme")),
    ...named("moves of globex", movesWriter("globex")),
    ...named("road", roadWriter("acme"), roadWriter("acme")),
    ...named("no-show", noShowWriter("acme")),
    ...named("desk", deskWriter("acme"), deskWriter("acme"), deskWriter("acme")),
    ...named("desk of globex", deskWriter("globex")),
    ...named("exchange", exchangeWriter("acme")),
    ...named("money", moneyWriter("acme"), moneyWriter("acme")),
    ...named("money of globex", moneyWriter("globex")),
    ...named("second manager", approvingWriter),
    ...named("stuck refunds", stuckRefundsWriter("acme")),
    ...named("catalogue", ...catalogueWriters("acme", 2)),
    ...named("catalogue of globex", ...catalogueWriters("globex", 1)),
    ...named("attention", attentionWriter("acme")),
    ...named("tax records", taxRecordsWriter("acme")),
    ...named("communications", communicationsWriter("acme")),
    ...named("holds", holdsWriter("acme")),
    ...named("holds of globex", holdsWriter("globex")),
    ...named("quotes", quotesWriter("acme")),
    ...named("quotes of globex", quotesWriter("globex")),
    ...named("company invoices", companyInvoicesWriter("acme")),
    ...named("document checks", documentChecksWriter("acme")),
    ...named("notes", notesWriter("acme")),
    ...named("links", linksWriter("acme")),
    ...named("imports", importWriter("acme")),
    ...named("imports of globex", importWriter("globex")),
    ...named("factors", factorsWriter("acme")),
    ...named("fleet", fleetWriter("acme")),
    ...named("people", createCustomerWriter("acme")),
    ...named("sessions", sessionsWriter("acme")),
    ...named("customer", customerWriter("acme")),
    ...named("customer of globex", customerWriter("globex")),
    ...named("ERP", erpWriter("acme")),
    ...named("ERP of globex", erpWriter("globex")),
  ];
}

function listOperations(name: string): readonly string[] {
  return OPERATIONS[name.split(" of ")[0] as WriterName];
}
