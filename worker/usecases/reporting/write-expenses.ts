import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import { createProblem, type Problem } from "#domain/problems.ts";
import {
  changeExpenseAmounts,
  completeExpenseAmounts,
  type ExpenseInput,
  findExpenseDateProblems,
  type NewExpenseInput,
} from "#domain/reporting/expenses.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { ResourceHistoryEntry } from "#worker/store/catalogue/resources/resource-writes.ts";
import type { Query, QueryResults } from "#worker/store/database.ts";
import {
  deleteExpenseStatements,
  type ExpenseChange,
  type ExpenseRow,
  type ExpenseService,
  expenseQuery,
  expenseReferencesQueries,
  expenseServiceQuery,
  insertExpenseStatements,
  linkServiceToExpenseStatements,
  type NewExpense,
  nextExpenseIdQuery,
  updateExpenseStatements,
} from "#worker/store/reporting/expenses.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { createOfficeWriter, type OfficeWriteData } from "#worker/usecases/office/office-write.ts";
import { areAllObjectsEmpty, pickChanged } from "#worker/usecases/shared/pick-changed.ts";
import { type ExpenseRefusal, type ExpenseResult, pickOwnBranchExpense } from "./expenses.ts";

const writeExpenseOnce = createOfficeWriter<ExpenseRefusal>();

// Returns the queries that read an expense in the batch of its write, and the function that builds the answer.
function answerExpense({ tenant }: OfficeWrite) {
  return {
    right: "manage",
    readBack: (id: string) => [expenseQuery(tenant.db, Number(id))] as const,
    answer: (
      [rows]: readonly [readonly ExpenseRow[]],
      { staff }: { readonly staff: SignedInUser },
    ): Result<ExpenseRow, ExpenseRefusal> => {
      const expense = pickOwnBranchExpense(rows, staff);
      return expense ? ok(expense) : err({ kind: "expenseNotFound" });
    },
  } as const;
}

/** Creates an expense. The branch defaults to the vehicle's branch. Two round trips. */
export function enterExpense(write: OfficeWrite, input: NewExpenseInput): ExpenseResult<ExpenseRow> {
  const { db } = write.tenant;
  return writeExpenseOnce(write, {
    ...answerExpense(write),
    content: { enter: input },
    read: () =>
      [
        nextExpenseIdQuery(db),
        expenseServiceQuery(db, { id: input.vehicleServiceId ?? 0 }),
        ...expenseReferencesQueries(db, { ...input, reference: input.reference ?? null }),
      ] as const,
    decide: (reading) => {
      const [[next], [service], ...named] = reading.rows;
      const serviceProblems = findWrongService(reading, input, service);
      const decided = decideNew(reading, input, named, serviceProblems);
      if (!decided.ok) return decided;
      const row = { ...decided.value, id: next?.id ?? 1, lastUpdate: reading.at };
      const after = serializeExpense({ reference: null, description: "", ...row }, reading);
      const entry = { ...createEntry(reading, row.id), version: 1, event: "created", after } as const;
      const link = service ? linkServiceToExpenseStatements(db, service, row.id, entry) : [];
      return ok({ resource: entry.id, statements: [...insertExpenseStatements(db, row, entry), ...link] });
    },
  });
}

/** Changes an expense at the given version. Unspecified fields stay unchanged. Two round trips. */
export function changeExpense(
  write: OfficeWrite,
  id: number,
  { expectedVersion, input }: { readonly expectedVersion: number; readonly input: ExpenseInput },
): ExpenseResult<ExpenseRow> {
  const { db } = write.tenant;
  return writeExpenseOnce(write, {
    ...answerExpense(write),
    content: { id, change: input, expectedVersion },
    read: () => [expenseQuery(db, id), ...expenseReferencesQueries(db, { ...input, id })] as const,
    decide: (reading) => {
      const [rows, ...references] = reading.rows;
      const expense = findOwnExpense(rows, reading, expectedVersion);
      if (!expense.ok) return expense;
      const decided = decideChange(reading, { storedExpense: expense.value, input, references });
      if (!decided.ok) return decided;
      const row = decided.value;
      if (areAllObjectsEmpty(row)) return ok({ resource: String(id), statements: [] });
      const was = Object.fromEntries(Object.keys(row).map((name) => [name, expense.value[name as keyof ExpenseRow]]));
      const beforeAndAfter = { before: serializeExpense(was, reading), after: serializeExpense(row, reading) };
      const entry = {
        ...createEntry(reading, id),
        version: expectedVersion + 1,
        event: "changed",
        ...beforeAndAfter,
      } as const;
      return ok({
        resource: entry.id,
        statements: updateExpenseStatements(db, id, { ...row, lastUpdate: reading.at }, entry),
      });
    },
  });
}

/** Removes an expense. Only its history remains. Two round trips. */
export function removeExpense(
  write: OfficeWrite,
  id: number,
  expectedVersion: number | undefined,
): ExpenseResult<"takenBack"> {
  const { db } = write.tenant;
  return writeExpenseOnce(write, {
    right: "manage",
    content: { takeBack: id },
    read: () => [expenseQuery(db, id), expenseServiceQuery(db, { expenseId: id })] as const,
    readBack: (): readonly Query[] => [],
    answer: () => ok("takenBack" as const),
    decide: (reading) => {
      const expense = findOwnExpense(reading.rows[0], reading, expectedVersion);
      if (!expense.ok) return expense;
      const version = expense.value.version + 1;
      const before = serializeExpense({ ...expense.value }, reading);
      const entry = { ...createEntry(reading, id), version, event: "removed", before } as const;
      const unlink = reading.rows[1].flatMap((service) => linkServiceToExpenseStatements(db, service, null, entry));
      return ok({ resource: entry.id, statements: [...unlink, ...deleteExpenseStatements(db, id, entry)] });
    },
  });
}

type ExpenseWriteContext = Pick<OfficeWriteData<unknown>, "actor" | "at" | "catalogue" | "staff">;
type ExpenseReferences = QueryResults<ReturnType<typeof expenseReferencesQueries>>;

function findOwnExpense(
  rows: readonly ExpenseRow[],
  { staff }: ExpenseWriteContext,
  version: number | undefined,
): Result<ExpenseRow, ExpenseRefusal> {
  const expense = pickOwnBranchExpense(rows, staff);
  if (!expense) return err({ kind: "expenseNotFound" });
  const isOther = version !== undefined && expense.version !== version;
  return isOther ? err({ kind: "expenseChanged", expense: expense }) : ok(expense);
}

function decideNew(
  writeContext: ExpenseWriteContext,
  input: NewExpenseInput,
  references: ExpenseReferences,
  serviceProblems: readonly Problem[],
): Result<Omit<NewExpense, "id">, ExpenseRefusal> {
  const [[vehicle], , known] = references;
  const { vehicleReference, conceptId, date } = input;
  const branchCode = input.branchCode ?? vehicle?.branchCode;
  const amounts = completeExpenseAmounts(input.amounts, getDecimals(writeContext));
  const problems = [
    ...findMissingReferences(writeContext, references, branchCode),
    ...findExpenseDateProblems(date, getToday(writeContext)),
    ...(amounts.ok ? [] : amounts.error),
    ...serviceProblems,
  ];
  if (problems.length > 0 || !amounts.ok || branchCode === undefined) return err({ kind: "problems", problems });
  const refused = refuseBranch(writeContext, branchCode) ?? refuseDuplicate(writeContext, known, input);
  if (refused) return refused;
  const expenseKey = { vehicleReference, expenseConceptId: conceptId, date };
  return ok({
    ...toExpenseRow(input),
    ...expenseKey,
    ...amounts.value,
    ...getBranch(writeContext.catalogue, branchCode),
  });
}

// Maintenance has one expense, of its vehicle.
function findWrongService(
  { staff }: ExpenseWriteContext,
  { vehicleServiceId, vehicleReference }: NewExpenseInput,
  service: ExpenseService | undefined,
): readonly Problem[] {
  if (vehicleServiceId === undefined) return [];
  if (!service || !canAccessBranch(staff, service.branchCode))
    return [createProblem("vehicle_service_id", "not_known")];
  if (service.inExpenses) return [createProblem("vehicle_service_id", "taken")];
  const isSame = service.vehicleReference === vehicleReference;
  return isSame ? [] : [createProblem("booking_item_reference", "same_member", "vehicle_service_id")];
}

interface ExpenseChangeInput {
  readonly storedExpense: ExpenseRow;
  readonly input: ExpenseInput;
  readonly references: ExpenseReferences;
}

function decideChange(
  writeContext: ExpenseWriteContext,
  { storedExpense, input, references }: ExpenseChangeInput,
): Result<ExpenseChange, ExpenseRefusal> {
  const {
    branchCode = storedExpense.branchCode,
    date = storedExpense.date,
    vehicleReference = storedExpense.vehicleReference,
  } = input;
  const amounts = changeExpenseAmounts(storedExpense, input.amounts, getDecimals(writeContext));
  const problems = [
    ...findMissingReferences(writeContext, references, branchCode),
    ...(date === storedExpense.date ? [] : findExpenseDateProblems(date, getToday(writeContext))),
    ...(amounts.ok ? [] : amounts.error),
    ...(storedExpense.vehicleServiceId !== null && vehicleReference !== storedExpense.vehicleReference
      ? [createProblem("booking_item_reference", "same_member", "vehicle_service_id")]
      : []),
  ];
  if (problems.length > 0 || !amounts.ok) return err({ kind: "problems", problems });
  const place = branchCode === storedExpense.branchCode ? {} : getBranch(writeContext.catalogue, branchCode);
  const row = pickChanged<ExpenseChange>({ ...toExpenseRow(input), ...amounts.value, ...place }, { ...storedExpense });
  const isOtherDocument = ["vehicleReference", "date", "reference"].some((name) => name in row);
  const refused =
    refuseBranch(writeContext, branchCode) ??
    (isOtherDocument ? refuseDuplicate(writeContext, references[2], input) : undefined);
  return refused ?? ok(row);
}

const getDecimals = ({ catalogue }: ExpenseWriteContext) => catalogue.settings.currencyDecimals;
const getToday = ({ catalogue, at }: ExpenseWriteContext) => toCivilNow(catalogue.settings.timezone, at).date;
const createEntry = (
  { actor, at }: ExpenseWriteContext,
  id: number,
): Pick<ResourceHistoryEntry, "id" | "actor" | "at"> => ({
  id: String(id),
  actor,
  at,
});

function findMissingReferences(
  { catalogue }: ExpenseWriteContext,
  references: ExpenseReferences,
  branchCode: string | undefined,
): readonly Problem[] {
  const [[vehicle], [concept]] = references;
  const isBranch = branchCode === undefined || catalogue.branches.has(branchCode);
  return [
    ...(vehicle ? [] : [createProblem("booking_item_reference", "not_known")]),
    ...(concept ? [] : [createProblem("concept_id", "not_known")]),
    ...(isBranch ? [] : [createProblem("rental_location_code", "not_known")]),
  ];
}

// Returns the specified fields, without amounts and branch.
function toExpenseRow({ conceptId, ...expense }: ExpenseInput): ExpenseChange {
  const { vehicleReference, date, description, reference, supplier, supplierDocumentId } = expense;
  const input = {
    ...{ vehicleReference, expenseConceptId: conceptId, date, description, reference },
    ...{ supplier, supplierDocumentId },
  };
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

function getBranch({ branches }: Catalogue, code: string) {
  const branch = branches.get(code);
  if (!branch) throw new Error(`no branch ${code}`);
  return { branchCode: code, branchGroupId: branch.branchGroupId };
}

function refuseBranch({ staff }: ExpenseWriteContext, code: string): Result<never, ExpenseRefusal> | undefined {
  return canAccessBranch(staff, code) ? undefined : err({ kind: "branchOfOthers" });
}

function refuseDuplicate(
  { staff }: ExpenseWriteContext,
  [known]: ExpenseReferences[2],
  { duplicateConfirmed }: ExpenseInput,
): Result<never, ExpenseRefusal> | undefined {
  if (!known || duplicateConfirmed) return undefined;
  return err({ kind: "expenseKnown", id: canAccessBranch(staff, known.branchCode) ? known.id : undefined });
}

const API_NAMES = {
  vehicleReference: "booking_item_reference",
  expenseConceptId: "concept_id",
  date: "date",
  description: "description",
  reference: "reference",
  supplier: "supplier",
  supplierDocumentId: "supplier_document_id",
  branchCode: "rental_location_code",
} as const;
const AMOUNT_API_NAMES = {
  totalWithoutTaxesCents: "total_without_taxes",
  discountCents: "discount",
  subtotalCents: "subtotal",
  taxesCents: "total_taxes",
  totalCents: "total",
} as const;

// Serializes an expense for the history, with the interface's names.
function serializeExpense(
  row: Readonly<Record<string, unknown>>,
  { catalogue }: ExpenseWriteContext,
): Readonly<Record<string, unknown>> {
  const { currencyDecimals } = catalogue.settings;
  const apiFields = Object.entries(API_NAMES).flatMap(([column, name]) => (column in row ? [[name, row[column]]] : []));
  const amounts = Object.entries(AMOUNT_API_NAMES).flatMap(([column, name]) =>
    column in row ? [[name, toAmount(row[column] as Cents, currencyDecimals)]] : [],
  );
  return Object.fromEntries([...apiFields, ...amounts]);
}
