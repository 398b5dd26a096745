import type { CivilDate, CivilMinute } from "#domain/dates.ts";
import { reallocateAllMoneyStatements } from "#worker/imports/allocations.ts";
import { createTriggerSuspension } from "#worker/imports/write-rows.ts";
import { AdditionalSales } from "./additional-sales.ts";
import { createBookingRows } from "./booking-rows.ts";
import { type CompanyBilling, createContractPayerRows, planCompanyBilling } from "./company-billing.ts";
import { createContracts, type DemoContract } from "./contracts.ts";
import { createCredentialRows, createSettingsRows } from "./credential-rows.ts";
import type { DemoCompany } from "./describe-company.ts";
import { createDocumentInserts, numberDocuments, PAYMENT_TERMS_DAYS } from "./documents.ts";
import { createExpenseRows } from "./expenses.ts";
import { createFleetRows } from "./fleet-rows.ts";
import { createLinkAndHoldRows } from "./link-and-hold-rows.ts";
import { createMaintenanceRows, SERVICE_TRIGGERS_CONDITION, SET_SERVICE_DUE_DATES } from "./maintenance.ts";
import { createNoteAndTaskRows, getNoteText } from "./note-rows.ts";
import { createChargeRows, numberCharges } from "./payments.ts";
import { isActiveBookingStatus } from "./planner.ts";
import { planRentals } from "./planning.ts";
import { createQuoteRows } from "./quotes.ts";
import { createDemoRandom } from "./random.ts";
import type { LatestReadings } from "./readings.ts";
import { createRefundRows } from "./refunds.ts";
import { ensureContractWithPendingRefund, type SettledContract, settleContract } from "./settlement.ts";
import { createInsertStatements, type NewDemoRows } from "./tables.ts";
import { ACCEPT_PENDING_TAX_RECORDS, createTaxRecordRows } from "./tax-record-rows.ts";
import { createTransferPayments, reserveTransfers } from "./transfer-bookings.ts";
import { createTransferBookingRows } from "./transfer-rows.ts";

const CHUNK = 2_000;

/**
 * Creates all rows of a company as of a point in time, referenced ones first. Each yielded batch is written
 * immediately. Settings and everything that allocates stock come last, so that an incomplete account isn't taken for a
 * complete one.
 */
export async function* generateDemoData(db: D1Database, company: DemoCompany, masterKey: string) {
  const insert = (rows: NewDemoRows) => createInsertStatements(db, rows);
  // Inserting a deposit charge would update its contract's change time, so remove that trigger in the meantime.
  const { dropTriggers, recreateTriggers } = await createTriggerSuspension(db, "name = 'bookings_update_touch'");
  const { stock, meters, contracts, numbered, series, charges, billing } = simulate(company);
  const documents = [...numbered.values()];
  const people = {
    customers: withMarks(company, customerRows(company, contracts), contracts, billing),
    ...(await createCredentialRows(company, masterKey)),
  };
  const catalogue = Object.entries(company.rows).filter(([name]) => !(name in people));
  yield { title: "Places, categories and prices", statements: insert(Object.fromEntries(catalogue)) };
  yield { title: "Customers and credentials", statements: insert(people) };
  const vehicles = {
    ...createFleetRows(company, stock, meters),
    ...createMaintenanceRows(company, meters),
    ...createExpenseRows(company),
  };
  const scheduling = await createTriggerSuspension(db, SERVICE_TRIGGERS_CONDITION);
  const scheduled = [
    ...scheduling.dropTriggers,
    ...insert(vehicles),
    db.prepare(SET_SERVICE_DUE_DATES),
    ...scheduling.recreateTriggers,
  ];
  yield { title: "Vehicles and expenses", statements: scheduled };
  const [active, past] = divide(contracts, (contract) => contract);
  const [activeDocuments, pastDocuments] = divide(
    documents,
    (document) => document.contract ?? document.contracts?.[0],
  );
  const [activeCharges, pastCharges] = divide(charges, ({ contract }) => contract);
  // A large account has millions of rows, so they're created while writing.
  for (const chunk of inChunks(past))
    yield { title: "Contracts of the past", statements: insert(createBookingRows(company, chunk)) };
  for (const chunk of inChunks(pastDocuments))
    yield { title: "Invoices and internal bonds", statements: createDocumentInserts(db, company, chunk) };
  for (const chunk of inChunks(pastCharges))
    yield {
      title: "Charges",
      statements: [...dropTriggers, ...insert(createChargeRows(company, numbered, chunk)), ...recreateTriggers],
    };
  // The stock guard depends on insertion order, so insert active contracts in planning order.
  const asPlanned = active.toSorted((a, b) => a.order - b.order);
  const installation = newInstallation();
  const taxRecords = await createTaxRecordRows(company, documents, installation);
  const transfers = reserveTransfers(company, contracts.length);
  const transferCharges = numberCharges(createTransferPayments(transfers), charges.length);
  yield {
    title: "Contracts of today and to come",
    statements: [
      ...insert({ taxInstallation: [{ id: 1, number: installation }] }),
      ...insert(await createSettingsRows(company, masterKey)),
      ...insert(createBookingRows(company, asPlanned)),
      ...createDocumentInserts(db, company, activeDocuments),
      ...dropTriggers,
      ...insert({ numberSeries: series, ...createChargeRows(company, numbered, activeCharges) }),
      ...recreateTriggers,
      ...insert(createRefundRows(company, active)),
      ...insert(createLinkAndHoldRows(company, contracts)),
      ...insert(createContractPayerRows(billing)),
      ...insert(createQuoteRows(company, asPlanned)),
      ...insert(createNoteAndTaskRows(company, asPlanned)),
      db.prepare(PAY_AGENCIES).bind(getFirstOfMonth(company.today)),
      ...insert(createTransferBookingRows(company, transfers)),
      ...insert({ ...createChargeRows(company, numbered, transferCharges), taxRecords }),
      db.prepare(ACCEPT_PENDING_TAX_RECORDS),
      ...(await reallocateAllMoneyStatements(db)),
    ],
  };
}

// Agencies have received their commissions of the months before the last one.
const PAY_AGENCIES = `UPDATE agency_commissions SET paid_on = ?1, paid_cents = (
    SELECT (item_cents * basis_points + 5000) / 10000 FROM bookings WHERE bookings.id = booking_id)
  WHERE booking_id IN (SELECT id FROM bookings WHERE status = 'done' AND date_to < date(?1, 'start of month', '-1 month'))`;

const getFirstOfMonth = (today: CivilDate) => `${today.slice(0, 7)}-01`;

/** Simulates the history of a company before creating rows. */
function simulate(company: DemoCompany) {
  const plan = planRentals(company);
  const meters: LatestReadings = new Map();
  const drawing = { company, random: createDemoRandom(`${company.account} settlement`) };
  const signed = createContracts(company, plan, meters);
  const settled = signed.map((contract) => settleContract(drawing, contract));
  const contracts = ensureContractWithPendingRefund(company, payOneTwice(settled, company.now));
  const sales = new AdditionalSales(company);
  const billing = planCompanyBilling(company, contracts);
  const documents = [
    ...contracts.flatMap((contract) => contract.documents),
    ...sales.documents,
    ...(billing ? [billing.document] : []),
  ];
  const payments = [...contracts.flatMap((contract) => contract.payments), ...sales.payments];
  const charges = numberCharges(payments);
  return { stock: plan.stock, meters, contracts, ...numberDocuments(company, documents), charges, billing };
}

// Simulates a customer who paid twice in two windows.
function payOneTwice(contracts: readonly SettledContract[], now: CivilMinute): readonly SettledContract[] {
  const chosen = contracts.find(({ status, agent, agency, payments: [payment, ...more], draft }) => {
    const isDirect = status === "confirmed" && agent === undefined && agency === undefined;
    return isDirect && more.length === 0 && payment?.cents === draft.totals.totalCents;
  });
  const [payment] = chosen?.payments ?? [];
  if (!chosen || !payment) return contracts;
  const again = { ...payment, at: Math.min(now, payment.at + 1), document: undefined };
  return contracts.with(contracts.indexOf(chosen), { ...chosen, payments: [payment, again] });
}

// Creates customers at their first booking, changed at their last. The last customer is a duplicate under another email
// address.
function customerRows(company: DemoCompany, contracts: readonly DemoContract[]) {
  const bookings = Map.groupBy(contracts, ({ customer }) => customer.id);
  const rows = company.customers.map((customer) => {
    const booked = (bookings.get(customer.id) ?? []).map(({ createdAt }) => company.toEpochMs(createdAt));
    const moments = booked.length > 0 ? booked : [company.foundedAt];
    return { ...customer, createdAt: Math.min(...moments), lastUpdate: Math.max(...moments) };
  });
  const twice = rows.slice(-1).map((row) => {
    return { ...row, id: row.id + 1, mergedIntoId: row.id, email: `old.${row.email}`, documentId: undefined };
  });
  return [...rows, ...twice];
}

type CustomerRow = ReturnType<typeof customerRows>[number];

// Gives the paying company its payment terms, and marks a former customer as do-not-rent.
function withMarks(
  company: DemoCompany,
  rows: readonly CustomerRow[],
  contracts: readonly DemoContract[],
  billing: CompanyBilling | undefined,
) {
  const current = new Set(
    contracts.filter(({ status }) => isActiveBookingStatus(status)).map(({ customer }) => customer.id),
  );
  const past = new Set(contracts.map(({ customer }) => customer.id));
  const marked = rows.findLast(({ id, customerType }) => {
    return customerType === "individual" && past.has(id) && !current.has(id);
  });
  return rows.map((row) => ({
    ...row,
    ...(row.id === marked?.id && { doNotRentReason: getNoteText(company, "mark") }),
    ...(row.id === billing?.payer.id && { paymentTermsDays: PAYMENT_TERMS_DAYS }),
  }));
}

// Returns a random id, because a refilled account is a new installation for the tax agency.
const newInstallation = () => crypto.randomUUID().replaceAll("-", "").slice(0, 16);

/** Splits items into those of current or future contracts and others. */
function divide<T>(items: readonly T[], getContract: (item: T) => DemoContract | undefined): readonly [T[], T[]] {
  const isActiveItem = (item: T) => isActiveBookingStatus(getContract(item)?.status ?? "done");
  return [items.filter(isActiveItem), items.filter((item) => !isActiveItem(item))];
}

function* inChunks<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += CHUNK) yield items.slice(start, start + CHUNK);
}
