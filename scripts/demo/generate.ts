import { type CivilMinute, fromCivilMinute } from "#domain/dates.ts";
import { bookingRows, type Settled } from "./booking-rows.ts";
import { type Charge, chargeRow, numberCharges } from "./charge-rows.ts";
import { type Clock, clockOf } from "./clock.ts";
import type { Company } from "./company.ts";
import { type Contract, type Signing, signContracts } from "./contracts.ts";
import { credentialRows, partnerRows } from "./credential-rows.ts";
import { damageRows } from "./damage-rows.ts";
import { documentRows } from "./document-rows.ts";
import { hireDraughtsman } from "./drafts.ts";
import { expenseRows } from "./expenses.ts";
import { fleetRows } from "./fleet-rows.ts";
import { gatewayRows } from "./gateway-rows.ts";
import type { Row, TableRows } from "./insert.ts";
import { type Books, keepBooks } from "./numbering.ts";
import { organizationRows, settingsRow } from "./organization-rows.ts";
import { type Crowd, type Customer, customerRow, inventCustomers } from "./people.ts";
import { isLiving } from "./planner.ts";
import { type Plan, planRentals, type Volume } from "./planning.ts";
import { priceRows } from "./price-rows.ts";
import { type Random, randomFrom } from "./random.ts";
import { settle } from "./settlement.ts";
import { sellSundries } from "./sundry.ts";
import { transferBookingRows } from "./transfer-booking-rows.ts";
import { type ReservedTransfer, reserveTransfers } from "./transfer-bookings.ts";
import { transferRows } from "./transfers.ts";
import { translationRows } from "./translation-rows.ts";

export interface DemoPlan {
  readonly company: Company;
  readonly volume: Volume;
  readonly crowd: Crowd;
  readonly now: Date;
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

interface Business {
  readonly company: Company;
  readonly clock: Clock;
  readonly now: CivilMinute;
  readonly plan: Plan;
  readonly signing: Signing;
  readonly settled: readonly Settled[];
  readonly books: Books;
  readonly charges: readonly Charge[];
  readonly transfers: readonly ReservedTransfer[];
}

const CHUNK = 2_000;
const MINUTES_PER_DAY = 1440;
const DAYS_BEFORE_HISTORY = 400;

/** Makes all rows of a company, as of a moment. */
export async function generate(demo: DemoPlan): Promise<DemoData> {
  const { company, volume } = demo;
  const business = runBusiness(demo);
  const { clock, now, plan, signing, settled, books, charges, transfers } = business;
  const { date: today } = fromCivilMinute(now);
  const since = now - (now % MINUTES_PER_DAY) - (volume.historyDays + DAYS_BEFORE_HISTORY) * MINUTES_PER_DAY;
  const founded = clock.toEpochMs(since);
  const isOfLiving = (contract: Contract | undefined) => contract !== undefined && isLiving(contract.status);
  const [living, past] = divide(settled, ({ contract }) => isLiving(contract.status));
  const [livingDocuments, documents] = divide(books.documents, ({ paper }) => isOfLiving(paper.contract));
  const [livingCharges, pastCharges] = divide(charges, ({ payment }) => isOfLiving(payment.contract));
  const toCharges = (chunk: readonly Charge[]) => [
    { table: "charges", rows: chunk.map((charge) => chargeRow(company, clock, books, charge)) },
  ];
  return {
    stages: [
      {
        title: "Places, categories and prices",
        tables: [
          ...organizationRows(company, founded),
          ...priceRows(company, founded),
          ...transferRows(company.transfers),
          translationRows(company),
        ],
      },
      {
        title: "Customers and credentials",
        tables: [
          ...partnerRows(company),
          customerRows(business, since),
          ...(await credentialRows(company, demo.masterKey, founded)),
          await gatewayRows(company, demo.masterKey, founded),
        ],
      },
      {
        title: "Vehicles and expenses",
        tables: [
          ...fleetRows(company, plan.diary, signing.meters, clock, today),
          damageRows(company, today),
          ...expenseRows(company, volume.historyDays, today),
        ],
      },
      { title: "Contracts of the past", tables: inChunks(past, (chunk) => bookingRows(company, clock, chunk, now)) },
      {
        title: "Invoices and internal bonds",
        tables: inChunks(documents, (chunk) => documentRows(company, clock, chunk)),
      },
      { title: "Charges", tables: inChunks(pastCharges, toCharges) },
    ],
    last: [
      { table: "settings", rows: [settingsRow(company)] },
      // The guard counts in the order of insertion, so the living contracts go in as they were planned.
      ...bookingRows(
        company,
        clock,
        living.toSorted((a, b) => a.contract.rental.order - b.contract.rental.order),
        now,
      ),
      ...documentRows(company, clock, livingDocuments),
      { table: "document_series", rows: books.series },
      ...toCharges(livingCharges),
      ...transferBookingRows({ company, clock, lastCharge: charges.length }, transfers),
    ],
  };
}

function runBusiness({ company, volume, crowd, now }: DemoPlan): Business {
  const clock = clockOf(company.settings.timezone);
  const minute = clock.toCivilMinute(now.getTime());
  const random = (subject: string): Random => randomFrom(`${company.account} ${subject}`);
  const plan = planRentals(company, volume, minute, random("rentals"));
  const customers = inventCustomers(company, crowd, fromCivilMinute(minute).date, random("customers"));
  const signing: Signing = {
    company,
    customers,
    customersByType: Map.groupBy(customers, ({ type }) => type),
    draughtsman: hireDraughtsman(company, plan.stock),
    meters: new Map(),
    now: minute,
    random: random("contracts"),
  };
  const till = { company, now: minute, random: random("settlement") };
  const settled = signContracts(signing, plan.rentals).map((contract) => ({
    contract,
    settlement: settle(till, contract),
  }));
  const sundries = sellSundries({ ...signing, random: random("sundries") }, volume.historyDays);
  const payments = [...settled.flatMap(({ settlement }) => settlement.payments), ...sundries.payments];
  const papers = [...settled.flatMap(({ settlement }) => settlement.papers), ...sundries.papers];
  const books = keepBooks(papers, payments, minute);
  const counter = { company, customers, now: minute, random: random("transfers") };
  const transfers = reserveTransfers(counter, volume.transfers, settled.length);
  return { company, clock, now: minute, plan, signing, settled, books, charges: numberCharges(payments), transfers };
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
function customerRows({ company, clock, signing, settled }: Business, since: CivilMinute): TableRows {
  const bookings = Map.groupBy(settled, ({ contract }) => contract.customer.id);
  const toRow = (customer: Customer): Row => {
    const moments = (bookings.get(customer.id) ?? []).map(({ contract }) => contract.createdAt);
    const first = moments.length > 0 ? Math.min(...moments) : since;
    const last = moments.length > 0 ? Math.max(...moments) : since;
    return customerRow(company, customer, clock.toEpochMs(first), clock.toEpochMs(last));
  };
  return { table: "customers", rows: signing.customers.map(toRow) };
}
