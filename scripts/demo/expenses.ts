import { addDays, type CivilDate, toDayNumber } from "#domain/dates.ts";
import { type Cents, partOf } from "#domain/money.ts";
import { expenseAccounts, expenseConcepts, expenses } from "#worker/store/schema/documents.ts";
import type { Company, ExpenseKind, Vehicle } from "./company.ts";
import { rowsOf, type TableRows } from "./insert.ts";
import { type Random, randomFrom } from "./random.ts";

interface Expense {
  readonly kind: ExpenseKind;
  readonly date: CivilDate;
  readonly cents: Cents;
  readonly discountCents: Cents;
}

const DAYS_PER_MONTH = 30;
const DISCOUNT = 500;
const REPAIR_SHARE = 0.09;
const SERVICE_EVERY_MONTHS = 9;
const TYRES_EVERY_MONTHS = 20;
const YEAR_IN_MONTHS = 12;
/** Insurance and the road tax bear no VAT. */
const UNTAXED: readonly ExpenseKind[] = ["insurance", "roadTax"];

/** What the vehicles cost while they were in the fleet, month by month. */
export function expenseRows(company: Company): TableRows[] {
  const random = randomFrom(`${company.account} expenses`);
  const accounts = company.ownTexts.expenseAccounts;
  const concepts = accounts.flatMap((account) =>
    account.kinds.map((kind) => ({ kind: kind as ExpenseKind, accountId: account.id })),
  );
  const idOf = new Map(concepts.map(({ kind }, index) => [kind, index + 1]));
  const spent = company.fleet
    .filter(({ acquisitionMode }) => acquisitionMode !== "virtual")
    .flatMap((vehicle) =>
      spend(vehicle, company.volume.historyDays, company.today, random).map((expense) => ({ vehicle, expense })),
    )
    .sort(
      (a, b) =>
        (a.expense.date < b.expense.date ? -1 : Number(a.expense.date > b.expense.date)) || a.vehicle.id - b.vehicle.id,
    );
  return [
    rowsOf(
      expenseAccounts,
      accounts.map(({ id, name }) => ({ id, name })),
    ),
    rowsOf(
      expenseConcepts,
      concepts.map(({ kind, accountId }) => ({
        id: idOf.get(kind),
        expenseAccountId: accountId,
        name: company.ownTexts.expenses[kind],
      })),
    ),
    rowsOf(
      expenses,
      spent.map(({ vehicle, expense }, index) =>
        expenseRow(company, vehicle, expense, { id: index + 1, conceptId: idOf.get(expense.kind) ?? 0 }),
      ),
    ),
  ];
}

function spend(vehicle: Vehicle, historyDays: number, today: CivilDate, random: Random): Expense[] {
  const { acquisitionDate, soldReleaseDate } = vehicle;
  const from = Math.max(toDayNumber(today) - historyDays, toDayNumber(acquisitionDate));
  const until = Math.min(toDayNumber(today), soldReleaseDate ? toDayNumber(soldReleaseDate) : Infinity);
  const months = Math.max(0, Math.floor((until - from) / DAYS_PER_MONTH));
  const phase = random.between(0, YEAR_IN_MONTHS - 1);
  return Array.from({ length: months }, (_, month) => spendInMonth(vehicle, month + phase, random)).flatMap(
    (kinds, month) =>
      kinds.map(({ kind, cents }) => ({
        kind,
        cents,
        date: addDays(
          today,
          from - toDayNumber(today) + month * DAYS_PER_MONTH + random.between(0, DAYS_PER_MONTH - 1),
        ),
        discountCents: kind === "tyres" ? partOf(cents, DISCOUNT) : 0,
      })),
  );
}

function spendInMonth(
  { acquisitionMode, insuranceMonthlyFeeCents, rentingMonthlyFeeCents }: Vehicle,
  month: number,
  random: Random,
): readonly Pick<Expense, "kind" | "cents">[] {
  const owned = acquisitionMode === "purchase";
  const monthly = (kind: ExpenseKind, cents: Cents | null | undefined) =>
    cents === null || cents === undefined ? [] : [{ kind, cents }];
  const cost = (kind: ExpenseKind, isDue: boolean, fromEuros: number, toEuros: number) =>
    isDue ? [{ kind, cents: random.between(fromEuros * 100, toEuros * 100) }] : [];
  return [
    ...monthly("insurance", acquisitionMode === "supplier" ? undefined : insuranceMonthlyFeeCents),
    ...monthly("renting", rentingMonthlyFeeCents),
    ...cost("cleaning", true, 18, 60),
    ...cost("service", owned && month % SERVICE_EVERY_MONTHS === 0, 95, 240),
    ...cost("tyres", owned && month % TYRES_EVERY_MONTHS === 0, 240, 520),
    ...cost("inspection", month % YEAR_IN_MONTHS === 4, 38, 55),
    ...cost("roadTax", owned && month % YEAR_IN_MONTHS === 2, 60, 140),
    ...cost("repair", random.chance(REPAIR_SHARE), 70, 900),
  ];
}

function expenseRow(
  company: Company,
  vehicle: Vehicle,
  expense: Expense,
  { id, conceptId }: { readonly id: number; readonly conceptId: number },
): typeof expenses.$inferInsert {
  const { kind, cents, discountCents, date } = expense;
  const subtotalCents = cents - discountCents;
  const taxesCents = UNTAXED.includes(kind) ? 0 : partOf(subtotalCents, company.settings.vat);
  return {
    id,
    vehicleReference: vehicle.reference,
    expenseConceptId: conceptId,
    date,
    description: `${company.ownTexts.expenses[kind]} ${vehicle.plate}`,
    reference: `${date.slice(0, 4)}/${String(id).padStart(5, "0")}`,
    branchCode: vehicle.branchCode,
    branchGroupId: vehicle.branchGroupId,
    totalWithoutTaxesCents: cents,
    discountCents,
    subtotalCents,
    taxesCents,
    totalCents: subtotalCents + taxesCents,
  };
}
