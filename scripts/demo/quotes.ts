import { type BookingDraft, draftBooking, toStorableDraft } from "#domain/bookings/draft.ts";
import { resolveRentalTerms } from "#domain/bookings/rental-terms.ts";
import type { ReservationRequest } from "#domain/contracts/requests.ts";
import { addDays, type CivilMinute, fromCivilMinute, MINUTES_PER_DAY, toCivilMinute } from "#domain/dates.ts";
import { toQuoteSearchText } from "#worker/store/quotes/quotes.ts";
import type { DemoContract } from "./contracts.ts";
import type { DemoCustomer } from "./customers.ts";
import type { DemoCompany } from "./describe-company.ts";
import type { DemoTables, NewDemoRows } from "./tables.ts";

type QuoteStatus = NonNullable<DemoTables["quotes"]["$inferInsert"]["status"]>;

interface Plan {
  readonly status: Exclude<QuoteStatus, "accepted">;
  readonly createdDaysAgo: number;
  readonly validDays: number;
  readonly isSoldOut?: boolean;
}

/** Quotes without a reservation: drafts, open ones, one that was sold out, a declined and an expired one. */
const PLANS: readonly Plan[] = [
  { status: "sent", createdDaysAgo: 20, validDays: 7 },
  { status: "declined", createdDaysAgo: 9, validDays: 14 },
  { status: "sent", createdDaysAgo: 4, validDays: 10, isSoldOut: true },
  { status: "sent", createdDaysAgo: 3, validDays: 7 },
  { status: "sent", createdDaysAgo: 2, validDays: 14 },
  { status: "draft", createdDaysAgo: 1, validDays: 7 },
  { status: "draft", createdDaysAgo: 1, validDays: 10 },
];
const DAYS_AHEAD = 30;
/** Tries of a pickup date, because a company may be closed or not sell a category. */
const DATES_TO_TRY = 30;
const DAYS_TO_ACCEPT = 2;
const ACCEPTED = 3;

interface PlannedQuote {
  readonly status: QuoteStatus;
  readonly draft: BookingDraft;
  readonly customer: DemoCustomer;
  readonly freeAccessId: string;
  readonly createdAt: CivilMinute;
  readonly validUntil: CivilMinute;
  readonly decidedAt?: CivilMinute;
  readonly soldOutAt?: CivilMinute;
  readonly contract?: DemoContract;
}

/** Creates quotes of every status. The accepted ones belong to confirmed reservations of the desk. */
export function createQuoteRows(company: DemoCompany, contracts: readonly DemoContract[]): NewDemoRows {
  const author = company.rows.users[0];
  if (!author) return {};
  const planned = [...planAccepted(contracts), ...PLANS.flatMap((plan, index) => planQuote(company, plan, index))];
  const inOrder = planned.toSorted((a, b) => a.createdAt - b.createdAt);
  const years = inOrder.map(({ createdAt }) => Number(fromCivilMinute(createdAt).date.slice(0, 4)));
  const actor = `staff:${author.id}`;
  const numbered = inOrder.map((quote, index) => {
    const year = years[index] ?? 0;
    const sequence = years.slice(0, index + 1).filter((other) => other === year).length;
    return { ...quote, id: index + 1, year, sequence };
  });
  return {
    quotes: numbered.map(({ id, year, sequence, ...quote }) => ({
      ...toRow(company, quote, actor),
      ...{ id, year, sequence },
    })),
    quoteHistory: numbered.flatMap(({ id, ...quote }) =>
      listEvents(quote, actor).map(({ at, detail = {}, ...event }) => {
        return { ...event, quoteId: id, at: company.toEpochMs(at), detail: JSON.stringify(detail) };
      }),
    ),
  };
}

function planAccepted(contracts: readonly DemoContract[]): readonly PlannedQuote[] {
  const isFit = ({ status, origin, customer }: DemoContract) =>
    status === "confirmed" && origin === "staff" && customer.customerType === "individual";
  return contracts
    .filter(isFit)
    .slice(-ACCEPTED)
    .map((contract) => ({
      ...{ status: "accepted", contract, draft: contract.draft, customer: contract.customer },
      freeAccessId: contract.freeAccessId,
      createdAt: contract.createdAt - DAYS_TO_ACCEPT * MINUTES_PER_DAY,
      validUntil: contract.createdAt + DAYS_TO_ACCEPT * MINUTES_PER_DAY,
      decidedAt: contract.createdAt,
    }));
}

function planQuote(company: DemoCompany, plan: Plan, index: number): readonly PlannedQuote[] {
  const { status, createdDaysAgo, validDays, isSoldOut = false } = plan;
  const createdAt = company.now - createdDaysAgo * MINUTES_PER_DAY - index;
  const customer = company.customersOf("individual")[index + 1];
  const draft = draftQuote(company, createdAt, index);
  if (!customer || !draft) return [];
  const decidedAt = status === "declined" ? createdAt + MINUTES_PER_DAY : undefined;
  return [
    {
      ...{ status, draft, customer, createdAt, validUntil: createdAt + validDays * MINUTES_PER_DAY },
      freeAccessId: (index + 1).toString(16).padStart(32, "d"),
      ...(decidedAt !== undefined && { decidedAt }),
      ...(isSoldOut && { soldOutAt: createdAt + MINUTES_PER_DAY }),
    },
  ];
}

// Calculates a rental in about a month, on the first day on which the company sells it.
function draftQuote({ catalogue, places, rows, today }: DemoCompany, createdAt: CivilMinute, index: number) {
  const [place] = places;
  const category = rows.categories[index % rows.categories.length];
  if (!place || !category) return undefined;
  const salesChannel = rows.salesChannels.at(-1)?.code;
  for (let day = DAYS_AHEAD + index; day < DAYS_AHEAD + index + DATES_TO_TRY; day++) {
    const period = {
      dateFrom: addDays(today, day),
      timeFrom: "10:00",
      dateTo: addDays(today, day + 4),
      timeTo: "10:00",
    };
    const request = { period, pickupPlaceId: place.id, returnPlaceId: place.id, salesChannel };
    const terms = resolveRentalTerms(
      catalogue,
      request as Parameters<typeof resolveRentalTerms>[1],
      fromCivilMinute(createdAt),
      {
        ...{ isStaff: true, keepsPickup: false, ownChannel: salesChannel },
      },
    );
    const products = [{ code: category.code, quantity: 1 }];
    const drafted = terms.ok ? draftBooking(catalogue, terms.value, products, [], { isStaff: true }) : undefined;
    if (drafted?.ok) return drafted.value;
  }
  return undefined;
}

function toRow(company: DemoCompany, quote: PlannedQuote, actor: string) {
  const { status, draft, customer, contract } = quote;
  const { toEpochMs, settings } = company;
  const { terms, lines, totals } = draft;
  const customerColumns = {
    customerId: customer.id,
    customerName: customer.name,
    customerSurname: customer.surname,
    customerEmail: customer.email,
    customerPhone: customer.phoneNumber,
    customerDocumentId: customer.documentId,
  };
  const isSent = status !== "draft";
  const changedAt = quote.soldOutAt ?? quote.decidedAt ?? quote.createdAt;
  return {
    ...{ freeAccessId: quote.freeAccessId, status, version: isSent ? 2 : 1, holds: false },
    request: JSON.stringify(toRequest(company, quote)),
    offer: JSON.stringify({ ...toStorableDraft(draft), differenceCents: 0 }),
    ...customerColumns,
    customerLanguage: toLanguage(company, customer),
    searchText: toQuoteSearchText(customerColumns),
    branchCode: terms.pickupBranch.code,
    returnBranchCode: terms.returnBranch.code,
    branchGroupId: terms.pickupBranch.branchGroupId,
    categoryCode: lines[0]?.category.code,
    pickupPlaceId: terms.pickupPlace.id,
    returnPlaceId: terms.returnPlace.id,
    ...terms.period,
    pickupAt: toEpochMs(toCivilMinute(terms.period.dateFrom, terms.period.timeFrom)),
    totalCents: totals.totalCents,
    bookingId: contract?.id,
    ...(isSent && { sentAt: toEpochMs(quote.createdAt), sentTo: customer.email }),
    ...(quote.decidedAt !== undefined && { decidedAt: toEpochMs(quote.decidedAt) }),
    ...(quote.soldOutAt !== undefined && { soldOutAt: toEpochMs(quote.soldOutAt) }),
    declineReason: status === "declined" ? getTextInLanguage(settings.defaultLanguage, DECLINED) : undefined,
    validUntil: toEpochMs(quote.validUntil),
    createdBy: actor,
    createdAt: toEpochMs(quote.createdAt),
    lastUpdate: toEpochMs(changedAt),
  };
}

function toRequest(company: DemoCompany, { draft, customer }: PlannedQuote): ReservationRequest {
  const { id, name, surname, email, phoneNumber: phone, documentId } = customer;
  const { terms, lines, extras } = draft;
  return {
    customer: { id, name, surname, email, phone: phone ?? undefined, documentId: documentId ?? undefined },
    customerId: id,
    contractData: {},
    language: toLanguage(company, customer),
    status: "confirmed",
    ...{ priceOverride: undefined, comments: undefined, ruleReason: undefined },
    rental: {
      period: terms.period,
      pickupPlaceId: terms.pickupPlace.id,
      returnPlaceId: terms.returnPlace.id,
      salesChannel: terms.salesChannel,
      driverAge: terms.driverAge,
    },
    products: lines.map(({ category, quantity }) => ({ code: category.code, quantity })),
    extras: extras.map(({ extra, quantity }) => ({ code: extra.code, quantity })),
  };
}

const toLanguage = ({ settings }: DemoCompany, { language }: DemoCustomer): string =>
  settings.languages.find((known) => known === language) ?? settings.defaultLanguage;

const DECLINED: Readonly<Record<string, string>> = {
  es: "Ha encontrado otra oferta más barata",
  en: "Found a cheaper one",
};

/** Returns a text in the company's language, or in English. */
export const getTextInLanguage = (language: string, texts: Readonly<Record<string, string>>): string =>
  texts[language] ?? texts["en"] ?? "";

function listEvents(quote: PlannedQuote, actor: string) {
  const { status, createdAt, decidedAt, soldOutAt, customer, draft } = quote;
  const created = { at: createdAt, actor, event: "created", detail: { total: draft.totals.totalCents } } as const;
  const sentEvent = { at: createdAt, actor, event: "sent", detail: { email: customer.email } } as const;
  return [
    created,
    ...(status === "draft" ? [] : [sentEvent]),
    ...(soldOutAt === undefined ? [] : [{ at: soldOutAt, actor: "visitor", event: "sold_out" } as const]),
    ...(decidedAt !== undefined && (status === "accepted" || status === "declined")
      ? [{ at: decidedAt, actor: "visitor", event: status }]
      : []),
  ].map(
    (
      event,
    ): {
      readonly at: CivilMinute;
      readonly actor: string;
      readonly event: typeof event.event;
      readonly detail?: object;
    } => event,
  );
}
