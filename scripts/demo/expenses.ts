import { type CivilDate, toCivilDate, toDayNumber } from "#domain/dates.ts";
import { applyRate, type Cents } from "#domain/money.ts";
import type { DemoVehicle, ExpenseKind } from "./company.ts";
import type { DemoCompany } from "./describe-company.ts";
import habits from "./habits.json" with { type: "json" };
import { createDemoRandom, type Random } from "./random.ts";
import type { NewDemoRows } from "./tables.ts";

interface Expense {
  readonly vehicle: DemoVehicle;
  readonly kind: ExpenseKind;
  readonly date: CivilDate;
  readonly cents: Cents;
}

const DAYS_PER_MONTH = 30;
const TYRES_DISCOUNT = 500;
const YEAR_IN_MONTHS = 12;
/** Insurance and road tax are free of VAT. */
const UNTAXED: readonly ExpenseKind[] = ["insurance", "roadTax"];

/** Creates monthly expenses of vehicles while in the fleet. */
export function createExpenseRows(company: DemoCompany): NewDemoRows {
  const { expenses: names, expenseAccounts } = company.ownTexts;
  const random = createDemoRandom(`${company.account} expenses`);
  const concepts = expenseAccounts.flatMap(({ id, kinds }) =>
    kinds.map((kind) => ({ kind: kind as ExpenseKind, expenseAccountId: id })),
  );
  const vehicleExpenses = company.fleet
    .filter(({ acquisitionMode }) => acquisitionMode !== "virtual")
    .flatMap((vehicle) => spend(company, vehicle, random))
    .sort((a, b) => toDayNumber(a.date) - toDayNumber(b.date) || a.vehicle.id - b.vehicle.id);
  return {
    expenseAccounts: expenseAccounts.map(({ id, name }) => ({ id, name })),
    expenseConcepts: concepts.map(({ kind, expenseAccountId }, index) => ({
      id: index + 1,
      expenseAccountId,
      name: names[kind],
    })),
    expenses: vehicleExpenses.map(({ vehicle, kind, date, cents }, index) => {
      const discountCents = kind === "tyres" ? applyRate(cents, TYRES_DISCOUNT) : 0;
      const subtotalCents = cents - discountCents;
      const taxesCents = UNTAXED.includes(kind) ? 0 : applyRate(subtotalCents, company.settings.vat);
      return {
        id: index + 1,
        vehicleReference: vehicle.reference,
        expenseConceptId: concepts.findIndex((concept) => concept.kind === kind) + 1,
        date,
        description: `${names[kind]} ${vehicle.plate}`,
        reference: `${date.slice(0, 4)}/${String(index + 1).padStart(5, "0")}`,
        branchCode: vehicle.branchCode,
        branchGroupId: vehicle.branchGroupId,
        totalWithoutTaxesCents: cents,
        discountCents,
        subtotalCents,
        taxesCents,
        totalCents: subtotalCents + taxesCents,
        lastUpdate: Date.parse(`${date}T12:00:00Z`),
      };
    }),
  };
}

function spend({ today, volume }: DemoCompany, vehicle: DemoVehicle, random: Random): Expense[] {
  const { acquisitionDate, soldReleaseDate } = vehicle;
  const from = Math.max(toDayNumber(today) - volume.historyDays, toDayNumber(acquisitionDate));
  const until = Math.min(toDayNumber(today), soldReleaseDate ? toDayNumber(soldReleaseDate) : Infinity);
  const months = Math.max(0, Math.floor((until - from) / DAYS_PER_MONTH));
  const phase = random.between(0, YEAR_IN_MONTHS - 1);
  return Array.from({ length: months }, (_, month) => spendInMonth(vehicle, month + phase, random)).flatMap(
    (monthExpenses, month) =>
      monthExpenses.map((item) => ({
        ...item,
        vehicle,
        date: toCivilDate(from + month * DAYS_PER_MONTH + random.between(0, DAYS_PER_MONTH - 1)),
      })),
  );
}

function spendInMonth(vehicle: DemoVehicle, month: number, random: Random): readonly Pick<Expense, "kind" | "cents">[] {
  const { acquisitionMode, insuranceMonthlyFeeCents, rentingMonthlyFeeCents } = vehicle;
  const owned = acquisitionMode === "purchase";
  const monthly = (kind: ExpenseKind, cents: Cents | null | undefined) => (cents == null ? [] : [{ kind, cents }]);
  const cost = (kind: ExpenseKind, isDue: boolean, fromEuros: number, toEuros: number) =>
    isDue ? [{ kind, cents: random.between(fromEuros * 100, toEuros * 100) }] : [];
  return [
    ...monthly("insurance", acquisitionMode === "supplier" ? undefined : insuranceMonthlyFeeCents),
    ...monthly("renting", rentingMonthlyFeeCents),
    ...cost("cleaning", true, 18, 60),
    ...cost("service", owned && month % 9 === 0, 95, 240),
    ...cost("tyres", owned && month % 20 === 0, 240, 520),
    ...cost("inspection", month % YEAR_IN_MONTHS === 4, 38, 55),
    ...cost("roadTax", owned && month % YEAR_IN_MONTHS === 2, 60, 140),
    ...cost("repair", random.chance(habits.shares.repaired), 70, 900),
  ];
}
