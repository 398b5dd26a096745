import type { CivilMinute } from "#domain/dates.ts";
import { seal } from "#worker/auth/sealing.ts";
import { numberSeries } from "#worker/store/schema/documents.ts";
import { settings } from "#worker/store/schema/organization.ts";
import { customers } from "#worker/store/schema/people.ts";
import { taxInstallation } from "#worker/store/schema/tax-records.ts";
import { bookingRows } from "./booking-rows.ts";
import { type Charge, chargeRows, numberCharges } from "./charge-rows.ts";
import type { Company } from "./company.ts";
import { type Contract, type ContractContext, signContracts } from "./contracts.ts";
import { credentialRows } from "./credential-rows.ts";
import { makeCustomers } from "./customers.ts";
import { catalogueTables } from "./describe-company.ts";
import { documentRows } from "./document-rows.ts";
import { newPricing } from "./drafts.ts";
import { expenseRows } from "./expenses.ts";
import { damageRows, fleetRows } from "./fleet-rows.ts";
import { rowsOf, type TableRows } from "./insert.ts";
import { type NumberedDocuments, numberDocuments } from "./numbering.ts";
import { makeOtherSales } from "./other-sales.ts";
import { isActive } from "./planner.ts";
import { type Plan, planRentals } from "./planning.ts";
import { type Random, randomFrom } from "./random.ts";
import { refundRows } from "./refunds.ts";
import { type SettledContract, settle } from "./settlement.ts";
import { taxRecordRows } from "./tax-record-rows.ts";
import { type ReservedTransfer, reserveTransfers, transferBookingRows, transferPayments } from "./transfer-bookings.ts";

export interface DemoPlan {
  readonly company: Company;
  readonly masterKey: string;
}

/** Rows that are written together, in an order in which each row comes after those it names. */
export interface Stage {
  readonly title: string;
  readonly tables: Iterable<TableRows>;
}

export interface DemoData {
  readonly stages: readonly Stage[];
  /** To be written at once and last: the settings, and what needs them to take its units from the stock. */
  readonly last: readonly TableRows[];
}

/** All that has happened in a company up to a moment, before it becomes rows. */
interface Simulation {
  readonly company: Company;
  readonly plan: Plan;
  readonly context: ContractContext;
  readonly settled: readonly SettledContract[];
  readonly documents: NumberedDocuments;
  readonly charges: readonly Charge[];
  readonly transfers: readonly ReservedTransfer[];
}

/** The settings come last of all, in the batch that makes an account complete. */
async function settingsRow({ company, masterKey }: DemoPlan): Promise<TableRows> {
  const { ses } = company.secrets;
  const sesPasswordSealed = ses && (await seal(masterKey, company.account, ses));
  return rowsOf(settings, [{ ...company.settings.row, sesPasswordSealed }]);
}

// Never another's: an account that is filled anew is another installation to the agency.
const newInstallation = () => crypto.randomUUID().replaceAll("-", "").slice(0, 16);

const CHUNK = 2_000;

/** Makes all rows of a company, as of a moment. */
export async function generate(demo: DemoPlan): Promise<DemoData> {
  const { company } = demo;
  const simulation = simulate(company);
  const { plan, context, settled, documents, transfers } = simulation;
  const installation = newInstallation();
  const isOfActive = (contract: Contract | undefined) => contract !== undefined && isActive(contract.status);
  const [activeContracts, pastContracts] = divide(settled, ({ contract }) => isOfActive(contract));
  const [activeDocuments, pastDocuments] = divide(documents.documents, ({ planned }) => isOfActive(planned.contract));
  const [activeCharges, pastCharges] = divide(simulation.charges, ({ payment }) => isOfActive(payment.contract));
  const toBookings = (chunk: readonly SettledContract[]) => bookingRows(company, chunk);
  const toCharges = (chunk: readonly Charge[]) => [chargeRows(company, documents, chunk)];
  return {
    stages: [
      {
        title: "Places, categories and prices",
        tables: catalogueTables(company.rows),
      },
      {
        title: "Customers and credentials",
        tables: [customerRows(simulation), ...(await credentialRows(company, demo.masterKey))],
      },
      {
        title: "Vehicles and expenses",
        tables: [...fleetRows(company, plan.schedule, context.meters), damageRows(company), ...expenseRows(company)],
      },
      { title: "Contracts of the past", tables: inChunks(pastContracts, toBookings) },
      {
        title: "Invoices and internal bonds",
        tables: inChunks(pastDocuments, (chunk) => documentRows(company, chunk)),
      },
      { title: "Charges", tables: inChunks(pastCharges, toCharges) },
    ],
    last: [
      rowsOf(taxInstallation, [{ id: 1, number: installation }]),
      await settingsRow(demo),
      // The guard counts in the order of insertion, so the active contracts go in as they were planned.
      ...toBookings(activeContracts.toSorted((a, b) => a.contract.rental.order - b.contract.rental.order)),
      ...documentRows(company, activeDocuments),
      rowsOf(numberSeries, documents.series),
      ...toCharges(activeCharges),
      ...refundRows(company, activeContracts),
      ...transferBookingRows(company, transfers),
      ...toCharges(numberCharges(transferPayments(transfers), simulation.charges.length)),
      ...(await taxRecordRows(company, documents.documents, installation)),
    ],
  };
}

function simulate(company: Company): Simulation {
  const random = (subject: string): Random => randomFrom(`${company.account} ${subject}`);
  const plan = planRentals(company, random("rentals"));
  const people = makeCustomers(company, random("customers"));
  const customersByType = Map.groupBy(people, ({ customerType }) => customerType);
  const context: ContractContext = {
    company,
    customers: people,
    customersByType,
    pricing: newPricing(company, plan.stock),
    meters: new Map(),
    random: random("contracts"),
  };
  const settlement = { company, random: random("settlement") };
  const settled = payOneTwice(
    signContracts(context, plan.rentals).map((contract) => ({ contract, settlement: settle(settlement, contract) })),
    company.now,
  );
  const sales = makeOtherSales({ company, random: random("other sales"), customersByType });
  const payments = [...settled.flatMap((one) => one.settlement.payments), ...sales.payments];
  const planned = [...settled.flatMap((one) => one.settlement.documents), ...sales.documents];
  const documents = numberDocuments(company, planned, payments);
  const atDesk = { company, customers: people, random: random("transfers") };
  const transfers = reserveTransfers(atDesk, settled.length);
  return { company, plan, context, settled, documents, charges: numberCharges(payments), transfers };
}

function divide<T>(items: readonly T[], belongs: (item: T) => boolean): readonly [yes: readonly T[], no: readonly T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

// A large account has millions of rows: they are made as they are written.
function* inChunks<T>(
  items: readonly T[],
  toTables: (chunk: readonly T[]) => readonly TableRows[],
): Generator<TableRows> {
  for (let start = 0; start < items.length; start += CHUNK) yield* toTables(items.slice(start, start + CHUNK));
}

// A customer appears with the first booking, and changes with the last.
// Somebody has paid in two windows at once.
function payOneTwice(settled: readonly SettledContract[], now: CivilMinute): readonly SettledContract[] {
  const isWholePaid = ({ contract, settlement }: SettledContract) =>
    contract.status === "confirmed" &&
    contract.agent === undefined &&
    contract.agency === undefined &&
    settlement.payments.length === 1 &&
    settlement.payments[0]?.cents === contract.draft.totals.totalCents;
  const chosen = settled.find(isWholePaid);
  return settled.map((one) => {
    const [payment] = one.settlement.payments;
    if (one !== chosen || !payment) return one;
    const again = { ...payment, at: Math.min(now, payment.at + 1), document: undefined };
    return { ...one, settlement: { ...one.settlement, payments: [payment, again] } };
  });
}

function customerRows({ company, context, settled }: Simulation): TableRows {
  const bookings = Map.groupBy(settled, ({ contract }) => contract.customer.id);
  return rowsOf(
    customers,
    context.customers.map((customer) => {
      const booked = (bookings.get(customer.id) ?? []).map(({ contract }) => company.toEpochMs(contract.createdAt));
      const moments = booked.length > 0 ? booked : [company.foundedAt];
      return { ...customer, createdAt: Math.min(...moments), lastUpdate: Math.max(...moments) };
    }),
  );
}
