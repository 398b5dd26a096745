import { type MergeableCustomerField, pickMergedCustomerData } from "#domain/access/merged-customer.ts";
import { hasRight } from "#domain/access/rights.ts";
import type { SignedInUser } from "#domain/access/sessions.ts";
import { canAccessBranch } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  type CustomerChange,
  type CustomerRow,
  type CustomerSearch,
  customerDetailQueries,
  customerListQueries,
  customerUserVerificationQuery,
  insertCustomerStatements,
  matchingCustomerQuery,
  mergeCustomersStatements,
  nextCustomerIdQuery,
  updateCustomerStatements,
} from "#worker/store/access/customers.ts";
import { possibleDuplicatesQuery } from "#worker/store/access/matching-customers.ts";
import { type CustomerMergePreview, customerMergePreviewQuery } from "#worker/store/access/merge-preview.ts";
import type { QueryResults } from "#worker/store/database.ts";
import { createListRead, type ListRead, readList } from "#worker/usecases/office/list-reads.ts";
import type {
  CustomerAnswer,
  MissingRight,
  OfficeRefusal,
  OfficeWrite,
} from "#worker/usecases/office/office-context.ts";
import { findMissingRightRefusal } from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import { createSortedPageCursor, type Page, toPage } from "#worker/usecases/shared/page.ts";
import { areAllObjectsEmpty, pickChanged } from "#worker/usecases/shared/pick-changed.ts";

/** Page of customers of the user's branches. */
export type CustomerPage = Page<CustomerRow, string>;

type CustomerQueries = ReturnType<typeof customerDetailQueries>;

/** Returns the read of a page of matching customers. */
export const createCustomerListRead = (
  { tenant }: StaffRequest,
  filter: Omit<CustomerSearch, "userId">,
): ListRead<CustomerPage> =>
  createListRead(
    (_, userId) => customerListQueries(tenant.db, { ...filter, userId }),
    ([customer, [counted]]) => {
      const toCursor = ({ id }: { readonly id: number }) => createSortedPageCursor(filter.sorted, id);
      return toPage(customer, counted, filter.pageSize, toCursor);
    },
  );

/** Lists matching customers. One round trip. */
export const listOfficeCustomers = (request: StaffRequest, filter: Omit<CustomerSearch, "userId">) =>
  readList(request, createCustomerListRead(request, filter));

/** Returns a customer with its latest changes and number of reservations. One round trip. */
export async function readOfficeCustomer(
  request: StaffRequest,
  id: number,
): Promise<Result<StaffAnswer<CustomerAnswer>, OfficeRefusal>> {
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(request, () => customerDetailQueries(request.tenant.db, id, userId));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const customer = findCustomer(rows);
  return customer.ok ? ok({ value: customer.value, freshToken }) : customer;
}

/** Returns the queries that read a customer in the batch of its write, and the function that builds the answer. */
export function createCustomerReadBack({ tenant }: StaffRequest, userId: number) {
  return { readBack: (id: string) => customerDetailQueries(tenant.db, Number(id), userId), answer: findCustomer };
}

function findCustomer(rows: QueryResults<CustomerQueries>): Result<CustomerAnswer, OfficeRefusal> {
  const customer = toCustomer(rows);
  return customer ? ok(customer) : err({ kind: "customerNotFound" });
}

function toCustomer([[customer], history]: QueryResults<CustomerQueries>): CustomerAnswer | undefined {
  return customer?.isOfUser === 1 ? { customer, history } : undefined;
}

/**
 * Creates a customer. Refuses one with the document, e-mail or telephone of an existing customer, unless staff confirm
 * that it's another person.
 */
export async function createCustomer(
  write: OfficeWrite,
  newCustomer: CustomerChange & Pick<CustomerRow, "name">,
  isNewConfirmed: boolean,
): Promise<Result<StaffAnswer<CustomerAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  const userId = await getTokenUserId(write);
  const { documentId, email, phoneNumber, mobilePhone } = newCustomer;
  const identity = { documentId, email, phones: [phoneNumber, mobilePhone] };
  return runOfficeWriteOnce(write, {
    ...createCustomerReadBack(write, userId),
    right: "sell",
    content: { createCustomer: newCustomer, isNewConfirmed },
    read: () => [nextCustomerIdQuery(db), possibleDuplicatesQuery(db, identity, userId)] as const,
    decide: ({ rows: [[next], candidates], staff, catalogue, actor }) => {
      const refusal = findWrong(catalogue, staff, newCustomer) ?? refuseOwnDiscount(staff, newCustomer);
      if (refusal) return err(refusal);
      if (candidates.length > 0 && !isNewConfirmed) return err({ kind: "possibleDuplicate", candidates });
      const id = next?.id ?? 1;
      const at = write.now;
      const row = {
        ...newCustomer,
        branchCode: newCustomer.branchCode ?? ownBranch(staff) ?? null,
        id,
        createdAt: at,
        lastUpdate: at,
      };
      const entry = { customerId: id, at, actor, event: "created" as const, after: newCustomer };
      return ok({ resource: String(id), statements: insertCustomerStatements(db, row, entry) });
    },
  });
}

// Refuses changes that only managers may make: a customer's permanent discount, because no discount limit applies to
// it, and the do-not-rent mark.
function refuseOwnDiscount(
  { role }: SignedInUser,
  { discountBasisPoints, doNotRentReason }: Pick<CustomerChange, "discountBasisPoints" | "doNotRentReason">,
): MissingRight | undefined {
  if ((!discountBasisPoints && doNotRentReason === undefined) || hasRight(role, "manage")) return undefined;
  return { kind: "rightMissing", right: "manage" };
}

const toRefused = (refusal: MissingRight | undefined) => refusal && err(refusal);

// Returns the branch of a new customer, so that users of specific branches see the customers that they created.
function ownBranch({ branches }: SignedInUser): string | undefined {
  return branches === "all" ? undefined : branches[0];
}

/** Fields that identify or reach a person. If other branches know the person, only a manager changes them. */
const CONTACT_FIELDS: ReadonlySet<keyof CustomerChange> = new Set([
  ...(["documentId", "email", "phoneNumberPrefix", "phoneNumber", "mobilePhonePrefix", "mobilePhone"] as const),
  ...(["addressStreet", "addressNumber", "addressComplement", "addressCity"] as const),
  ...(["addressState", "addressCountry", "addressZip"] as const),
]);

/** Changes a customer's data. Existing contracts and documents stay unchanged. */
export async function changeCustomer(
  write: OfficeWrite,
  id: number,
  { expectedVersion, change }: { readonly expectedVersion: number; readonly change: CustomerChange },
): Promise<Result<StaffAnswer<CustomerAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  const userId = await getTokenUserId(write);
  return runOfficeWriteOnce(write, {
    ...createCustomerReadBack(write, userId),
    right: "sell",
    content: { id, change, expectedVersion },
    read: () => [...customerDetailQueries(db, id, userId), matchingCustomerQuery(db, change, userId)] as const,
    decide: ({ rows: [customers, history, [named]], staff, catalogue, actor }) => {
      const storedCustomer = toCustomer([customers, history]);
      if (!storedCustomer) return err({ kind: "customerNotFound" });
      const { customer } = storedCustomer;
      const refusal = findOther(storedCustomer, expectedVersion) ?? findWrong(catalogue, staff, change);
      if (refusal) return err(refusal);
      const after = pickChanged(change, { ...customer });
      if (areAllObjectsEmpty(after)) return ok({ resource: String(id), statements: [] });
      const names = Object.keys(after) as (keyof CustomerChange)[];
      const refused =
        refuseKnown(id, change, named) ??
        refuseContact(staff, customer, names) ??
        toRefused(refuseOwnDiscount(staff, after));
      if (refused) return refused;
      const before = Object.fromEntries(names.map((name) => [name, customer[name]]));
      const entry = { customerId: id, at: write.now, actor, event: "changed" as const, before, after };
      return ok({ resource: String(id), statements: updateCustomerStatements(db, after, expectedVersion, entry) });
    },
  });
}

// Refuses a document number that another customer has. Doesn't compare name and e-mail, because they may be
// changed at different times.
function refuseKnown(
  id: number,
  { documentId }: CustomerChange,
  matchingCustomer: QueryResults<[ReturnType<typeof matchingCustomerQuery>]>[0][number] | undefined,
): Result<never, OfficeRefusal> | undefined {
  if (!documentId || !matchingCustomer?.known || matchingCustomer.isVisible !== 1 || matchingCustomer.known === id)
    return undefined;
  return err({ kind: "customerKnown", customerId: matchingCustomer.known });
}

function refuseContact(
  staff: SignedInUser,
  { isShared }: CustomerAnswer["customer"],
  names: readonly (keyof CustomerChange)[],
): Result<never, OfficeRefusal> | undefined {
  const isContact = isShared === 1 && names.some((name) => CONTACT_FIELDS.has(name));
  return isContact ? findMissingRightRefusal(staff, "manage") : undefined;
}

// Detects that the customer was changed or merged in the meantime.
function findOther(customer: CustomerAnswer, expectedVersion: number): OfficeRefusal | undefined {
  const { mergedIntoId, version } = customer.customer;
  if (mergedIntoId !== null) return { kind: "customerMerged", mergedIntoId };
  return version === expectedVersion ? undefined : { kind: "customerChanged", customer: customer };
}

/** Merge of a customer: the remaining one, and the fields whose values come from the merged one. */
interface CustomerMerge {
  readonly into: number;
  readonly reason: string | undefined;
  readonly taken: readonly MergeableCustomerField[];
}

/** Merges two customers. Contracts and documents stay unchanged. */
export async function mergeCustomer(
  write: OfficeWrite,
  id: number,
  { into, reason: note, taken }: CustomerMerge,
): Promise<Result<StaffAnswer<CustomerAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  const userId = await getTokenUserId(write);
  return runOfficeWriteOnce(write, {
    ...createCustomerReadBack(write, userId),
    right: "manage",
    // The login of the merged customer opens the remaining one.
    requiresRecentFactor: true,
    content: { merge: id, into, reason: note, ...(taken.length > 0 && { taken }) },
    read: () =>
      [
        ...customerDetailQueries(db, id, userId),
        ...customerDetailQueries(db, into, userId),
        customerUserVerificationQuery(db, [id, into]),
      ] as const,
    decide: ({ rows: [from, fromHistory, to, toHistory, accounts], staff, catalogue, actor }) => {
      const mergedCustomer = toCustomer([from, fromHistory])?.customer;
      const remainingCustomer = toCustomer([to, toHistory])?.customer;
      if (!mergedCustomer) return err({ kind: "customerNotFound" });
      if (!remainingCustomer) return err({ kind: "invalid", field: "into", reason: createReason("not_known") });
      const branchCode = taken.includes("branchCode") ? mergedCustomer.branchCode : null;
      const refusal =
        findWrongMerge(mergedCustomer, remainingCustomer, accounts) ?? findWrong(catalogue, staff, { branchCode });
      if (refusal) return err(refusal);
      const merged = pickMergedCustomerData(mergedCustomer, remainingCustomer, taken);
      const entry = { merged, at: write.now, actor, reason: note };
      return ok({
        resource: String(into),
        statements: mergeCustomersStatements(db, mergedCustomer, remainingCustomer, entry),
      });
    },
  });
}

/** Returns what a merge would move from a customer to another one. One round trip. */
export async function previewCustomerMerge(
  request: StaffRequest,
  id: number,
): Promise<Result<StaffAnswer<CustomerMergePreview>, OfficeRefusal>> {
  const { db } = request.tenant;
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(
    request,
    () => [...customerDetailQueries(db, id, userId), customerMergePreviewQuery(db, id)] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "manage");
  if (missing) return missing;
  const [customers, history, [moved]] = rows;
  if (!moved || !toCustomer([customers, history])) return err({ kind: "customerNotFound" });
  return ok({ value: moved, freshToken });
}

function findWrongMerge(
  mergedCustomer: CustomerRow,
  remainingCustomer: CustomerRow,
  accounts: QueryResults<[ReturnType<typeof customerUserVerificationQuery>]>[0],
): Extract<OfficeRefusal, { readonly kind: "invalid" | "customerMerged" }> | undefined {
  const refuseMerge = (mergeProblem: Reason) => ({ kind: "invalid", field: "into", reason: mergeProblem }) as const;
  if (mergedCustomer.id === remainingCustomer.id) return refuseMerge(createReason("same_customer"));
  const merged = mergedCustomer.mergedIntoId ?? remainingCustomer.mergedIntoId;
  if (merged !== null) return { kind: "customerMerged", mergedIntoId: merged };
  if (isDepartment(mergedCustomer) !== isDepartment(remainingCustomer))
    return refuseMerge(createReason("internal_customer"));
  // The user of the remaining customer stays. An unverified user must not replace a verified one.
  const isProved = (customerRow: CustomerRow) =>
    accounts.find(({ customerId }) => customerId === customerRow.id)?.isProved;
  const isWorse = isProved(mergedCustomer) === 1 && isProved(remainingCustomer) === 0;
  return isWorse ? refuseMerge(createReason("merge_other_way")) : undefined;
}

const isDepartment = ({ customerType }: Pick<CustomerRow, "customerType">) => customerType === "internal_department";

function findWrong(
  catalogue: Catalogue,
  staff: SignedInUser,
  { branchCode }: CustomerChange,
): Extract<OfficeRefusal, { readonly kind: "invalid" | "branchOfOthers" }> | undefined {
  if (!branchCode) return undefined;
  if (!catalogue.branches.has(branchCode))
    return { kind: "invalid", field: "rental_location_code", reason: createReason("not_known") };
  return canAccessBranch(staff, branchCode) ? undefined : { kind: "branchOfOthers" };
}
