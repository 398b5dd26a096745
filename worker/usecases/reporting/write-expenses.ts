import { canAccessBranch, type SignedIn } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type Problem, problem } from "#domain/catalogue/resources/problems.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import {
  amountsOf,
  changedAmounts,
  findWrongDay,
  type NewSaidExpense,
  type SaidExpense,
} from "#domain/reporting/expenses.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import type { ThingEntry } from "#worker/store/catalogue/resources/resource-writes.ts";
import type { Answers, Query } from "#worker/store/database.ts";
import {
  deleteExpense,
  type ExpenseChange,
  type ExpenseRow,
  expenseQuery,
  insertExpense,
  type NewExpense,
  namedByExpenseQueries,
  nextExpenseIdQuery,
  updateExpense,
} from "#worker/store/reporting/expenses.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import type { OfficeWrite } from "#worker/usecases/bookings/moves/office-context.ts";
import { type WriteReading, writerOf } from "#worker/usecases/operations/office-write.ts";
import { isNothingSaid, whatDiffers } from "#worker/usecases/shared/what-differs.ts";
import { type ExpenseAnswer, type ExpenseRefusal, ownOf } from "./expenses.ts";

const write = writerOf<ExpenseRefusal>();

// How an expense is answered after a write, with what is read of it in its batch.
function answerExpense({ tenant }: OfficeWrite) {
  return {
    right: "manage",
    readBack: (id: string) => [expenseQuery(tenant.db, Number(id))] as const,
    answer: (
      [rows]: readonly [readonly ExpenseRow[]],
      { staff }: { readonly staff: SignedIn },
    ): Result<ExpenseRow, ExpenseRefusal> => {
      const found = ownOf(rows, staff);
      return found ? ok(found) : refuse({ kind: "expenseNotFound" });
    },
  } as const;
}

/** Enters an expense: of the branch where its vehicle stands, where none is said. Two round trips. */
export function enterExpense(asked: OfficeWrite, said: NewSaidExpense): ExpenseAnswer<ExpenseRow> {
  const { db } = asked.tenant;
  return write(asked, {
    ...answerExpense(asked),
    content: { enter: said },
    read: () =>
      [nextExpenseIdQuery(db), ...namedByExpenseQueries(db, { ...said, reference: said.reference ?? null })] as const,
    decide: (reading) => {
      const [[next], ...named] = reading.rows;
      const decided = decideNew(reading, said, named);
      if (!decided.ok) return decided;
      const row = { ...decided.value, id: next?.id ?? 1 };
      const after = told({ reference: null, description: "", ...row }, reading);
      const entry = { ...entryOf(reading, row.id), version: 1, move: "created", after } as const;
      return ok({ resource: entry.id, statements: insertExpense(db, row, entry) });
    },
  });
}

/** Changes an expense by the version that was read; what is not said stays. Two round trips. */
export function changeExpense(
  asked: OfficeWrite,
  id: number,
  { expectedVersion, said }: { readonly expectedVersion: number; readonly said: SaidExpense },
): ExpenseAnswer<ExpenseRow> {
  const { db } = asked.tenant;
  return write(asked, {
    ...answerExpense(asked),
    content: { id, change: said, expectedVersion },
    read: () => [expenseQuery(db, id), ...namedByExpenseQueries(db, { ...said, id })] as const,
    decide: (reading) => {
      const [rows, ...named] = reading.rows;
      const found = findAs(rows, reading, expectedVersion);
      if (!found.ok) return found;
      const decided = decideChange(reading, { found: found.value, said, named });
      if (!decided.ok) return decided;
      const row = decided.value;
      if (isNothingSaid(row)) return ok({ resource: String(id), statements: [] });
      const was = Object.fromEntries(Object.keys(row).map((name) => [name, found.value[name as keyof ExpenseRow]]));
      const what = { before: told(was, reading), after: told(row, reading) };
      const entry = { ...entryOf(reading, id), version: expectedVersion + 1, move: "changed", ...what } as const;
      return ok({ resource: entry.id, statements: updateExpense(db, id, row, entry) });
    },
  });
}

/** Takes an expense back: its history alone says that it was. Two round trips. */
export function takeBackExpense(
  asked: OfficeWrite,
  id: number,
  expectedVersion: number | undefined,
): ExpenseAnswer<"takenBack"> {
  const { db } = asked.tenant;
  return write(asked, {
    right: "manage",
    content: { takeBack: id },
    read: () => [expenseQuery(db, id)] as const,
    readBack: (): readonly Query[] => [],
    answer: () => ok("takenBack" as const),
    decide: (reading) => {
      const found = findAs(reading.rows[0], reading, expectedVersion);
      if (!found.ok) return found;
      const version = found.value.version + 1;
      const before = told({ ...found.value }, reading);
      const entry = { ...entryOf(reading, id), version, move: "removed", before } as const;
      return ok({ resource: entry.id, statements: deleteExpense(db, id, entry) });
    },
  });
}

type Reading = Pick<WriteReading<unknown>, "actor" | "at" | "catalogue" | "staff">;
type Named = Answers<ReturnType<typeof namedByExpenseQueries>>;

function findAs(
  rows: readonly ExpenseRow[],
  { staff }: Reading,
  version: number | undefined,
): Result<ExpenseRow, ExpenseRefusal> {
  const found = ownOf(rows, staff);
  if (!found) return refuse({ kind: "expenseNotFound" });
  const isOther = version !== undefined && found.version !== version;
  return isOther ? refuse({ kind: "expenseChanged", expense: found }) : ok(found);
}

function decideNew(
  reading: Reading,
  said: NewSaidExpense,
  named: Named,
): Result<Omit<NewExpense, "id">, ExpenseRefusal> {
  const [[vehicle], , known] = named;
  const { vehicleReference, conceptId, date } = said;
  const branchCode = said.branchCode ?? vehicle?.branchCode;
  const amounts = amountsOf(said.amounts, decimalsOf(reading));
  const problems = [
    ...findUnknown(reading, named, branchCode),
    ...findWrongDay(date, todayOf(reading)),
    ...(amounts.ok ? [] : amounts.error),
  ];
  if (problems.length > 0 || !amounts.ok || branchCode === undefined) return refuse({ kind: "problems", problems });
  const refused = refuseBranch(reading, branchCode) ?? refuseKnown(reading, known, said);
  if (refused) return refused;
  const what = { vehicleReference, expenseConceptId: conceptId, date };
  return ok({ ...rowOf(said), ...what, ...amounts.value, ...placeOf(reading.catalogue, branchCode) });
}

interface Change {
  readonly found: ExpenseRow;
  readonly said: SaidExpense;
  readonly named: Named;
}

function decideChange(reading: Reading, { found, said, named }: Change): Result<ExpenseChange, ExpenseRefusal> {
  const { branchCode = found.branchCode, date = found.date } = said;
  const amounts = changedAmounts(found, said.amounts, decimalsOf(reading));
  const problems = [
    ...findUnknown(reading, named, branchCode),
    ...(date === found.date ? [] : findWrongDay(date, todayOf(reading))),
    ...(amounts.ok ? [] : amounts.error),
  ];
  if (problems.length > 0 || !amounts.ok) return refuse({ kind: "problems", problems });
  const place = branchCode === found.branchCode ? {} : placeOf(reading.catalogue, branchCode);
  const row = whatDiffers<ExpenseChange>({ ...rowOf(said), ...amounts.value, ...place }, { ...found });
  const isOtherPaper = ["vehicleReference", "date", "reference"].some((name) => name in row);
  const refused =
    refuseBranch(reading, branchCode) ?? (isOtherPaper ? refuseKnown(reading, named[2], said) : undefined);
  return refused ?? ok(row);
}

const decimalsOf = ({ catalogue }: Reading) => catalogue.settings.currencyDecimals;
const todayOf = ({ catalogue, at }: Reading) => civilNow(catalogue.settings.timezone, at).date;
const entryOf = ({ actor, at }: Reading, id: number): Pick<ThingEntry, "id" | "actor" | "at"> => ({
  id: String(id),
  actor,
  at,
});

function findUnknown({ catalogue }: Reading, named: Named, branchCode: string | undefined): readonly Problem[] {
  const [[vehicle], [concept]] = named;
  const isBranch = branchCode === undefined || catalogue.branches.has(branchCode);
  return [
    ...(vehicle ? [] : [problem("booking_item_reference", "not_known")]),
    ...(concept ? [] : [problem("concept_id", "not_known")]),
    ...(isBranch ? [] : [problem("rental_location_code", "not_known")]),
  ];
}

// What is said of it, but for its amounts and its branch.
function rowOf({ vehicleReference, conceptId, date, description, reference }: SaidExpense): ExpenseChange {
  const said = { vehicleReference, expenseConceptId: conceptId, date, description, reference };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

function placeOf({ branches }: Catalogue, code: string) {
  const branch = branches.get(code);
  if (!branch) throw new Error(`no branch ${code}`);
  return { branchCode: code, branchGroupId: branch.branchGroupId };
}

function refuseBranch({ staff }: Reading, code: string): Result<never, ExpenseRefusal> | undefined {
  return canAccessBranch(staff, code) ? undefined : refuse({ kind: "branchOfOthers" });
}

function refuseKnown(
  { staff }: Reading,
  [known]: Named[2],
  { duplicateConfirmed }: SaidExpense,
): Result<never, ExpenseRefusal> | undefined {
  if (!known || duplicateConfirmed) return undefined;
  return refuse({ kind: "expenseKnown", id: canAccessBranch(staff, known.branchCode) ? known.id : undefined });
}

const TOLD = {
  vehicleReference: "booking_item_reference",
  expenseConceptId: "concept_id",
  date: "date",
  description: "description",
  reference: "reference",
  branchCode: "rental_location_code",
} as const;
const TOLD_AMOUNTS = {
  totalWithoutTaxesCents: "total_without_taxes",
  discountCents: "discount",
  subtotalCents: "subtotal",
  taxesCents: "total_taxes",
  totalCents: "total",
} as const;

// For histories: by the names of the interface.
function told(row: Readonly<Record<string, unknown>>, { catalogue }: Reading): Readonly<Record<string, unknown>> {
  const { currencyDecimals } = catalogue.settings;
  const named = Object.entries(TOLD).flatMap(([column, name]) => (column in row ? [[name, row[column]]] : []));
  const amounts = Object.entries(TOLD_AMOUNTS).flatMap(([column, name]) =>
    column in row ? [[name, toAmount(row[column] as Cents, currencyDecimals)]] : [],
  );
  return Object.fromEntries([...named, ...amounts]);
}
