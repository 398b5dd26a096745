import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import { toHistoryDiscount } from "#domain/bookings/discounts.ts";
import { toStorableDraft } from "#domain/bookings/draft.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { ReservationRequest } from "#domain/contracts/requests.ts";
import { type CivilMinute, toCivilMinute } from "#domain/dates.ts";
import { createReason } from "#domain/problems.ts";
import { changeQuoteRequest, decideQuoteAction, needsNewPrices, type QuoteChange } from "#domain/quotes/quotes.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { matchingCustomerQuery } from "#worker/store/access/customers.ts";
import { possibleDuplicatesQuery } from "#worker/store/access/matching-customers.ts";
import { agentQuery } from "#worker/store/bookings/commissions.ts";
import { type CustomerRow, doNotRentQuery, visibleCustomerQuery } from "#worker/store/contracts/customers.ts";
import type { Query, QueryResults } from "#worker/store/database.ts";
import { findSoldOutResource } from "#worker/store/failures.ts";
import {
  addQuoteHistoryStatement,
  changeQuoteContentStatement,
  fromQuoteRow,
  insertQuoteStatement,
  type NewQuote,
  type QuoteIdentifier,
  type QuoteRow,
  type QuoteSearch,
  quoteListQueries,
  quoteQueries,
  selectQuoteRequestPeople,
  updateQuoteColumnsStatement,
} from "#worker/store/quotes/quotes.ts";
import { toCivilNow, toEpochInstant } from "#worker/tenancy/clock.ts";
import {
  findDoNotRentRefusal,
  refuseDuplicate,
  refuseUnknown,
  toDuplicateSearchIdentity,
} from "#worker/usecases/contracts/create-once.ts";
import { draftStaffReservation } from "#worker/usecases/contracts/create-reservation.ts";
import { toBookingCustomer } from "#worker/usecases/contracts/known-customer.ts";
import { createListRead, type ListRead, readList } from "#worker/usecases/office/list-reads.ts";
import {
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
} from "#worker/usecases/office/office-context.ts";
import { createOfficeWriter, type OfficeWriteData } from "#worker/usecases/office/office-write.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import { createSortedPageCursor, type Page, toPage } from "#worker/usecases/shared/page.ts";
import { type ListedQuote, type QuoteAnswer, toListedQuote } from "./quote-answer.ts";

/** Refusals of quotes, in addition to those of the office. */
export type QuoteRefusal =
  | OfficeRefusal
  | { readonly kind: "quoteNotFound" }
  | Extract<ReturnType<typeof decideQuoteAction>, { readonly ok: false }>["error"]
  /** The quote has changed. Contains its current state. */
  | { readonly kind: "quoteChanged"; readonly quote: QuoteAnswer };

const writeQuoteOnce = createOfficeWriter<QuoteRefusal>();

/** End of a quote's validity: an instant (epoch ms), or a civil minute in the account's time zone. */
export type QuoteExpiry = { readonly at: number } | { readonly minute: CivilMinute };

/** Terms of a quote apart from its reservation. Absent terms stay. */
export interface QuoteTerms {
  readonly validUntil?: QuoteExpiry | undefined;
  readonly holds?: boolean | undefined;
}

/** Reads one quote of the user's branches. */
export async function readQuote(
  request: StaffRequest,
  id: number,
): Promise<Result<StaffAnswer<QuoteAnswer>, QuoteRefusal>> {
  const read = await readAsStaff(request, () => quoteQueries(request.tenant.db, { id }));
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const quote = toQuoteAnswer(request, { staff, catalogue }, rows);
  return quote.ok ? ok({ value: quote.value, freshToken }) : quote;
}

/** Lists matching quotes of the user's branches, newest first. */
export const listQuotes = (request: StaffRequest, search: Omit<QuoteSearch, "userId" | "at">) =>
  readList(request, createQuoteListRead(request, search));

/** Returns the read of a page of matching quotes. */
export const createQuoteListRead = (
  { tenant, now: at }: StaffRequest,
  search: Omit<QuoteSearch, "userId" | "at">,
): ListRead<Page<ListedQuote, string>> =>
  createListRead(
    (_, userId) => quoteListQueries(tenant.db, { ...search, userId, at }),
    ([rows, [counted]], catalogue) => {
      const listed = rows.map((row) => toListedQuote(tenant, catalogue, fromQuoteRow(row), at));
      const toCursor = ({ row }: ListedQuote) => createSortedPageCursor(search.sorted, row.id);
      return toPage(listed, counted, search.pageSize, toCursor);
    },
  );

/** Returns a quote with its history, if the user may see it. */
function toQuoteAnswer(
  { tenant, now }: StaffRequest,
  { staff, catalogue }: { readonly staff: SignedInUser; readonly catalogue: Catalogue },
  [[row], history]: QueryResults<ReturnType<typeof quoteQueries>>,
): Result<QuoteAnswer, QuoteRefusal> {
  if (!row || !canAccessBranch(staff, row.branchCode, row.returnBranchCode)) return err({ kind: "quoteNotFound" });
  return ok({ ...toListedQuote(tenant, catalogue, fromQuoteRow(row), now), history });
}

/** Creates a quote. It uses stock only if its terms include a hold. */
export async function createQuote(
  write: OfficeWrite,
  request: ReservationRequest,
  terms: QuoteTerms & { readonly validUntil: QuoteExpiry },
): Promise<Result<StaffAnswer<QuoteAnswer>, QuoteRefusal>> {
  const userId = await getTokenUserId(write);
  return writeQuote(write, {
    content: { request, terms },
    read: () => saleQueries(write, request, userId),
    decide: ({ rows, ...reading }) =>
      refusePeople({ ...reading, rows }, request) ??
      draftNewQuote(write, { ...reading, rows }, request, { ...terms, from: undefined }),
  });
}

type SaleRows = QueryResults<ReturnType<typeof saleQueries>>;

// Reads the customer, the agent and the payer of a sale.
function saleQueries(
  { tenant: { db } }: OfficeWrite,
  { customer, agentId, billing }: ReservationRequest,
  userId: number,
) {
  return [
    visibleCustomerQuery(db, customer.id ?? 0, userId),
    matchingCustomerQuery(db, customer, userId),
    agentQuery(db, agentId ?? 0),
    doNotRentQuery(db, customer),
    visibleCustomerQuery(db, billing?.customerId ?? 0, userId),
    possibleDuplicatesQuery(db, toDuplicateSearchIdentity(customer), userId),
  ] as const;
}

// Reads the people of a changed quote. Those that aren't changed come from SQL, because the stored request isn't known
// yet. A new quote made from another one is also refused to a customer who was marked since.
function changedSaleQueries(
  { tenant: { db } }: OfficeWrite,
  { id, change, isNew = false }: { readonly id: number; readonly change: QuoteChange; readonly isNew?: boolean },
  userId: number,
) {
  const { customerId, agentId, ...stored } = selectQuoteRequestPeople(id);
  const { customer = {}, sale } = change;
  const keepsStoredCustomer = isNew && customer.id === undefined;
  const checkedCustomer = keepsStoredCustomer ? { id: customerId, ...stored, ...pickDefined(customer) } : customer;
  return [
    visibleCustomerQuery(db, customer.id ?? customerId, userId),
    matchingCustomerQuery(db, customer, userId),
    agentQuery(db, sale?.agentId ?? agentId),
    doNotRentQuery(db, checkedCustomer),
    visibleCustomerQuery(db, sale?.billing?.customerId ?? 0, userId),
    possibleDuplicatesQuery(db, toDuplicateSearchIdentity(customer), userId),
  ] as const;
}

// Refuses unknown people, a marked customer without a manager's confirmation and possible duplicates.
function refusePeople(
  { staff, rows: [[customer], [known], [agent], [mark], [payer], candidates] }: OfficeWriteData<SaleRows>,
  sale: Omit<Partial<ReservationRequest>, "customer"> & {
    readonly customer: Partial<ReservationRequest["customer"]> | undefined;
  },
): Result<never, QuoteRefusal> | undefined {
  const checked = { ...sale, customer: sale.customer ?? {} };
  return (
    refuseUnknown(checked, { customer, agent, payer }) ??
    findDoNotRentRefusal(staff, sale, mark?.reason) ??
    refuseDuplicate(checked, known?.known, candidates)
  );
}

// Returns the people that a change names. New data of a known customer isn't compared with others.
function toChangedPeople({ customer: { id } }: ReservationRequest, { customer, sale }: QuoteChange) {
  return { ...sale, customer: customer && { ...customer, ...(id !== undefined && { id }) } };
}

type DecidedQuote = Result<{ readonly statements: readonly Query[]; readonly resource: string }, QuoteRefusal>;

function draftNewQuote(
  write: OfficeWrite,
  reading: OfficeWriteData<SaleRows>,
  request: ReservationRequest,
  terms: QuoteTerms & { readonly validUntil: QuoteExpiry; readonly from: QuoteRow | undefined },
): DecidedQuote {
  const { db } = write.tenant;
  const { catalogue, actor, at } = reading;
  const { timezone } = catalogue.settings;
  const validUntil = toValidUntil(terms.validUntil, timezone, at);
  const content = draftQuote(reading, { ...request, isDoNotRentConfirmed: isMarked(reading) });
  if (!validUntil.ok) return err(joinInvalid(validUntil.error, content));
  if (!content.ok) return content;
  const freeAccessId = createFreeAccessId();
  const quote = {
    ...content.value,
    freeAccessId,
    year: Number(toCivilNow(timezone, at).date.slice(0, 4)),
    validUntil: validUntil.value,
    holds: terms.holds ?? false,
    createdBy: actor,
    createdAt: at,
  };
  const { from } = terms;
  const statements = [
    insertQuoteStatement(db, quote),
    addQuoteHistoryStatement(db, freeAccessId, {
      ...{ at, actor, event: "created" },
      detail: { total: quote.totalCents, ...(from && { duplicateOf: from.id }) },
    }),
    ...(from ? [addQuoteHistoryStatement(db, from.freeAccessId, { at, actor, event: "duplicated" })] : []),
  ];
  return ok({ statements, resource: freeAccessId });
}

type InvalidQuote = Extract<QuoteRefusal, { readonly kind: "invalid" }>;

// Names all invalid fields at once.
function joinInvalid(invalid: InvalidQuote, content: Result<unknown, QuoteRefusal>): InvalidQuote {
  if (content.ok || content.error.kind !== "invalid") return invalid;
  return { ...invalid, others: [content.error, ...(content.error.others ?? [])] };
}

function toValidUntil(validUntil: QuoteExpiry, timezone: string, now: number): Result<number, InvalidQuote> {
  const at = "at" in validUntil ? validUntil.at : toEpochInstant(timezone, validUntil.minute);
  return at > now ? ok(at) : err({ kind: "invalid", field: "valid_until", reason: createReason("moment_in_past") });
}

// Whether the customer is marked. A quote for such a customer exists only if a manager confirmed it.
const isMarked = ({ rows: [, , , [mark]] }: OfficeWriteData<SaleRows>) => typeof mark?.reason === "string";

// Prices a request for its customer.
function draftQuote(
  { staff, catalogue, rows: [[customer], [known]], at }: OfficeWriteData<SaleRows>,
  request: ReservationRequest,
): Result<Omit<NewQuote, "freeAccessId" | "year" | "validUntil" | "holds" | "createdBy" | "createdAt">, QuoteRefusal> {
  if (request.customer.id !== undefined && !customer) return err({ kind: "customerNotFound" });
  const agreed = draftStaffReservation({ staff, catalogue, customer }, request, at);
  if (!agreed.ok) return agreed;
  const { draft, differenceCents } = agreed.value;
  const offer = { ...toStorableDraft(draft), differenceCents };
  return ok({
    ...toCustomerColumns(request, { customer, knownId: known?.known ?? undefined, catalogue }),
    request,
    offer,
    branchCode: offer.terms.pickupBranch.code,
    returnBranchCode: offer.terms.returnBranch.code,
    branchGroupId: offer.terms.pickupBranch.branchGroupId,
    categoryCode: offer.lines[0]?.category.code ?? null,
    pickupPlaceId: offer.terms.pickupPlace.id,
    returnPlaceId: offer.terms.returnPlace.id,
    ...offer.terms.period,
    pickupAt: toEpochInstant(
      catalogue.settings.timezone,
      toCivilMinute(offer.terms.period.dateFrom, offer.terms.period.timeFrom),
    ),
    totalCents: offer.totals.totalCents,
    lastUpdate: at,
  });
}

function toCustomerColumns(
  request: ReservationRequest,
  {
    customer,
    knownId,
    catalogue,
  }: {
    readonly customer: CustomerRow | undefined;
    readonly knownId: number | undefined;
    readonly catalogue: Catalogue;
  },
) {
  const person = customer ? { ...toBookingCustomer(customer), ...pickDefined(request.customer) } : request.customer;
  return {
    customerId: customer?.id ?? knownId ?? null,
    customerName: person.name,
    customerSurname: person.surname,
    customerEmail: person.email ?? null,
    customerPhone: person.phone ?? null,
    customerDocumentId: person.documentId ?? null,
    customerLanguage: request.language ?? customer?.language ?? catalogue.settings.defaultLanguage,
  };
}

function pickDefined(customer: Partial<ReservationRequest["customer"]>): Partial<ReservationRequest["customer"]> {
  return Object.fromEntries(
    Object.entries(customer).filter(([name, value]) => name !== "id" && value !== undefined && value !== ""),
  );
}

/** Quote that an action changes, and the version that the user saw. */
export interface QuoteIdAndVersion {
  readonly id: number;
  readonly expectedVersion?: number | undefined;
}

interface QuoteReading<Rows> extends OfficeWriteData<Rows> {
  readonly quote: QuoteRow;
}

/** Applies an action to an open quote, once per key. */
export async function applyQuoteActionOnce<const T extends readonly Query[]>(
  write: OfficeWrite,
  { id, expectedVersion }: QuoteIdAndVersion,
  options: {
    readonly action: "change" | "send" | "decline" | "duplicate";
    readonly content: unknown;
    readonly read: (catalogue: Catalogue) => T;
    readonly decide: (reading: QuoteReading<QueryResults<T>>) => DecidedQuote | Promise<DecidedQuote>;
  },
): Promise<Result<StaffAnswer<QuoteAnswer>, QuoteRefusal>> {
  const { db } = write.tenant;
  const { action, content, read, decide } = options;
  return writeQuote(write, {
    content: { id, expectedVersion, action, content },
    read: (catalogue) => [...quoteQueries(db, { id }), ...read(catalogue)] as readonly Query[],
    decide: ({ rows: allRows, ...reading }) => {
      const [row, history, ...rows] = allRows as unknown as readonly [...QueryResults<ReturnType<typeof quoteQueries>>];
      const answer = toQuoteAnswer(write, reading, [row, history]);
      if (!answer.ok) return answer;
      const quote = answer.value;
      if (expectedVersion !== undefined && expectedVersion !== quote.row.version)
        return err({ kind: "quoteChanged", quote });
      const decided = decideQuoteAction(quote.row, action, reading.at);
      if (!decided.ok) return decided;
      return decide({ ...reading, quote: quote.row, rows: rows as unknown as QueryResults<T> });
    },
  });
}

function writeQuote<const T extends readonly Query[]>(
  write: OfficeWrite,
  options: {
    readonly content: unknown;
    readonly read: (catalogue: Catalogue) => T;
    readonly decide: (reading: OfficeWriteData<QueryResults<T>>) => DecidedQuote | Promise<DecidedQuote>;
  },
) {
  return writeQuoteOnce(write, {
    ...options,
    right: "sell",
    readBack: (freeAccessId) => quoteQueries(write.tenant.db, { freeAccessId } satisfies QuoteIdentifier),
    answer: (rows, answering) => toQuoteAnswer(write, answering, rows),
    refuseThrown: (error) => {
      const soldOut = findSoldOutResource(error);
      if (soldOut) return err(soldOut);
      throw error;
    },
  });
}

/** Changes an open quote. Recalculates the price only if the change affects it. */
export async function changeQuote(
  write: OfficeWrite,
  context: QuoteIdAndVersion,
  change: QuoteChange,
  terms: QuoteTerms,
): Promise<Result<StaffAnswer<QuoteAnswer>, QuoteRefusal>> {
  const { db } = write.tenant;
  const userId = await getTokenUserId(write);
  return applyQuoteActionOnce(write, context, {
    action: "change",
    content: { change, terms },
    read: () => changedSaleQueries(write, { id: context.id, change }, userId),
    decide: ({ quote, ...reading }) => {
      const next = decideChange(quote, reading, change, terms);
      if (!next.ok) return next;
      const { at, actor } = reading;
      const [before, after] = [quote, next.value].map(toHistoryDetail);
      const isNoteChanged = quote.request.comments !== next.value.request.comments;
      const detail = { before, after: { ...after, ...(isNoteChanged && { notes: true }) } };
      return ok({
        statements: [
          changeQuoteContentStatement(db, quote, next.value),
          addQuoteHistoryStatement(db, quote.freeAccessId, { at, actor, event: "changed", detail }),
        ],
        resource: quote.freeAccessId,
      });
    },
  });
}

const toHistoryDetail = ({
  totalCents,
  validUntil,
  holds,
  offer,
}: Pick<QuoteRow, "totalCents" | "validUntil" | "holds" | "offer">) => ({
  ...offer.terms.period,
  products: offer.lines.map(({ category, quantity }) => ({ code: category.code, quantity })),
  discount: toHistoryDiscount(offer.discount),
  total: totalCents,
  validUntil,
  holds,
});

type ChangedQuote = Parameters<typeof changeQuoteContentStatement>[2] & Pick<QuoteRow, "validUntil" | "holds">;

function decideChange(
  quote: QuoteRow,
  reading: OfficeWriteData<SaleRows>,
  change: QuoteChange,
  terms: QuoteTerms,
): Result<ChangedQuote, QuoteRefusal> {
  const { at, catalogue, rows } = reading;
  const validUntil = terms.validUntil
    ? toValidUntil(terms.validUntil, catalogue.settings.timezone, at)
    : ok(quote.validUntil);
  if (!validUntil.ok) return validUntil;
  const changed = changeQuoteRequest(quote.request, change);
  const refused = refusePeople(reading, toChangedPeople(changed, change));
  if (refused) return refused;
  const isConfirmed = change.customer ? isMarked(reading) : quote.request.isDoNotRentConfirmed;
  const request = { ...changed, isDoNotRentConfirmed: isConfirmed };
  const content = needsNewPrices(change)
    ? draftQuote(reading, request)
    : ok(keepPrices(quote, catalogue, change, { request, rows }));
  if (!content.ok) return content;
  return ok({ ...content.value, validUntil: validUntil.value, holds: terms.holds ?? quote.holds, lastUpdate: at });
}

function keepPrices(
  quote: QuoteRow,
  catalogue: Catalogue,
  change: QuoteChange,
  { request, rows: [[customer], [known]] }: { readonly request: ReservationRequest; readonly rows: SaleRows },
): Omit<ChangedQuote, "validUntil" | "holds" | "lastUpdate"> {
  const knownId = known?.known ?? quote.customerId ?? undefined;
  return {
    ...pickStored(quote),
    ...(change.customer && toCustomerColumns(request, { customer, knownId, catalogue })),
    customerLanguage: change.sale?.language ?? quote.customerLanguage,
    request,
    offer: quote.offer,
  };
}

// Returns the columns that stay unchanged if the prices are kept.
function pickStored(quote: QuoteRow) {
  const { customerId, customerName, customerSurname, customerEmail, customerPhone, customerDocumentId } = quote;
  const { branchCode, returnBranchCode, branchGroupId, categoryCode, pickupPlaceId, returnPlaceId } = quote;
  const { dateFrom, timeFrom, dateTo, timeTo, pickupAt, totalCents } = quote;
  return {
    ...{ customerId, customerName, customerSurname, customerEmail, customerPhone, customerDocumentId },
    ...{ branchCode, returnBranchCode, branchGroupId, categoryCode, pickupPlaceId, returnPlaceId },
    ...{ dateFrom, timeFrom, dateTo, timeTo, pickupAt, totalCents },
  };
}

/** Creates a new draft from a quote, at today's prices. The validity lasts as long as the original's unless stated. */
export async function duplicateQuote(
  write: OfficeWrite,
  id: number,
  change: QuoteChange,
  terms: QuoteTerms,
): Promise<Result<StaffAnswer<QuoteAnswer>, QuoteRefusal>> {
  const userId = await getTokenUserId(write);
  return applyQuoteActionOnce(
    write,
    { id },
    {
      action: "duplicate",
      content: { change, terms },
      read: () => changedSaleQueries(write, { id, change, isNew: true }, userId),
      decide: ({ quote, ...reading }) => {
        const { validUntil = { at: reading.at + (quote.validUntil - quote.createdAt) }, holds } = terms;
        const request = changeQuoteRequest(quote.request, change);
        return (
          refusePeople(reading, toChangedPeople(request, change)) ??
          draftNewQuote(write, reading, request, { validUntil, holds, from: quote })
        );
      },
    },
  );
}

/** Records that the customer declined a quote. */
export function declineQuote(
  write: OfficeWrite,
  context: QuoteIdAndVersion,
  declineReason: string,
): Promise<Result<StaffAnswer<QuoteAnswer>, QuoteRefusal>> {
  const { db } = write.tenant;
  return applyQuoteActionOnce(write, context, {
    action: "decline",
    content: declineReason,
    read: () => [],
    decide: ({ quote, at, actor }) =>
      ok({
        statements: [
          updateQuoteColumnsStatement(db, quote, {
            ...{ status: "declined", declineReason, decidedAt: at, soldOutAt: null, lastUpdate: at },
          }),
          addQuoteHistoryStatement(db, quote.freeAccessId, {
            ...{ at, actor, event: "declined" },
            detail: { reason: declineReason },
          }),
        ],
        resource: quote.freeAccessId,
      }),
  });
}
