import { and, eq, sql } from "drizzle-orm";
import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { OnlineMethod } from "#domain/payments/gateway-notices.ts";
import { selectWebsitePage } from "#worker/store/bookings/website-page.ts";
import type { Database } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";

import { bookingHistory, bookings } from "#worker/store/schema/bookings.ts";
import { paymentIntents, paymentLinks } from "#worker/store/schema/payments.ts";
import { newCardHoldStatement, selectAuthorisedCardHoldCents } from "./card-holds.ts";

const link = {
  id: paymentLinks.id,
  bookingId: paymentLinks.bookingId,
  token: paymentLinks.token,
  purpose: paymentLinks.purpose,
  amountCents: paymentLinks.amountCents,
  status: paymentLinks.status,
  expiresAt: paymentLinks.expiresAt,
  createdAt: paymentLinks.createdAt,
};

/** Returns the query for the links of a reservation, oldest first. */
export const bookingPaymentLinksQuery = prepareQuery((db) =>
  db
    .select(link)
    .from(paymentLinks)
    .where(eq(paymentLinks.bookingId, sql.placeholder("bookingId")))
    .orderBy(paymentLinks.id),
);

export type PaymentLinkRow = Awaited<ReturnType<typeof bookingPaymentLinksQuery>>[number];

const owedColumns = {
  // Has an alias, because D1 returns only one of two columns with the same name.
  status: sql<BookingStatus>`${bookings.status}`.as("booking_status"),
  totalCents:
    sql<number>`${bookings.totalCents} - ${bookings.creditedCents} - ${bookings.agentCommissionPrepaidCents}`.as(
      "owed_cents",
    ),
  totalPaidCents: bookings.totalPaidCents,
  cancellationFeeCents: bookings.cancellationFeeCents,
  totalDepositCents: bookings.totalDepositCents,
  depositHeldCents: sql<number>`${bookings.depositHeldCents} + ${selectAuthorisedCardHoldCents("bookings")}`.as(
    "deposit_covered_cents",
  ),
};

/**
 * Returns the query for the money of a reservation, with its version and branches. Also returns the id of the next
 * link.
 */
export const bookingForPaymentLinkQuery = prepareQuery((db) =>
  db
    .select({
      id: bookings.id,
      version: bookings.version,
      branchCode: bookings.branchCode,
      returnBranchCode: bookings.returnBranchCode,
      customerEmail: bookings.customerEmail,
      ...owedColumns,
      nextLinkId: sql<number>`(SELECT coalesce(max(id), 0) + 1 FROM payment_links)`.as("next_link_id"),
    })
    .from(bookings)
    .where(eq(bookings.id, sql.placeholder("bookingId"))),
);

/** Returns the query for the link by its id, with its reservation. */
export const paymentLinkQuery = prepareQuery((db) =>
  db
    .select({
      link,
      version: bookings.version,
      branchCode: bookings.branchCode,
      returnBranchCode: bookings.returnBranchCode,
    })
    .from(paymentLinks)
    .innerJoin(bookings, eq(bookings.id, paymentLinks.bookingId))
    .where(eq(paymentLinks.id, sql.placeholder("id"))),
);

/** Returns the query for the link by the unguessable part of its address, with what its page shows. */
export const paymentLinkByTokenQuery = prepareQuery((db) =>
  db
    .select({
      link,
      ...owedColumns,
      kind: bookings.kind,
      freeAccessId: bookings.freeAccessId,
      customerLanguage: bookings.customerLanguage,
      websitePage: selectWebsitePage("bookings").as("website_page"),
      period: {
        dateFrom: bookings.dateFrom,
        timeFrom: bookings.timeFrom,
        dateTo: bookings.dateTo,
        timeTo: bookings.timeTo,
      },
      pickupPlaceId: bookings.pickupPlaceId,
      pickupPlace: bookings.pickupPlace,
      // Amount that was paid or that a card holds. It can be less than the link requested.
      takenCents: sql<number>`(SELECT coalesce(sum(taken.amount_cents), 0) FROM payment_intents AS taken
        WHERE taken.link_id = payment_links.id AND taken.state IN ('paid', 'held'))`.as("taken_cents"),
    })
    .from(paymentLinks)
    .innerJoin(bookings, eq(bookings.id, paymentLinks.bookingId))
    .where(eq(paymentLinks.token, sql.placeholder("token"))),
);

/** Returns the statements that add a link and its history entry. */
export function newPaymentLinkStatements(
  db: Database,
  row: Omit<typeof paymentLinks.$inferInsert, "status" | "lastUpdate"> & { readonly id: number },
  { actor, send }: { readonly actor: string; readonly send: boolean },
) {
  const { id, bookingId, purpose, amountCents, createdAt: at } = row;
  const detail = { paymentLink: id, purpose, cents: amountCents, send };
  return [
    db.insert(paymentLinks).values({ ...row, lastUpdate: at }),
    ...(purpose === "hold" ? [newCardHoldStatement(db, { bookingId, linkId: id, amountCents, at })] : []),
    db.insert(bookingHistory).values({ bookingId, at, actor, event: "changed", detail: JSON.stringify(detail) }),
  ];
}

/** Returns the statements that cancel an unused link. A trigger ends its attempts. */
export function cancelPaymentLinkStatements(
  db: Database,
  {
    id,
    bookingId,
    actor,
    at,
  }: { readonly id: number; readonly bookingId: number; readonly actor: string; readonly at: number },
) {
  const detail = { paymentLinkCancelled: id };
  return [
    db
      .update(paymentLinks)
      .set({ status: "cancelled", lastUpdate: at })
      .where(and(eq(paymentLinks.id, id), eq(paymentLinks.status, "open"))),
    db.insert(bookingHistory).values({ bookingId, at, actor, event: "changed", detail: JSON.stringify(detail) }),
  ] as const;
}

/** Payment attempt on a link's page. */
export interface LinkPaymentAttempt {
  readonly id: string;
  readonly linkId: number;
  readonly bookingId: number;
  readonly method: OnlineMethod;
  readonly order: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly summaryUrl: string | undefined;
  readonly at: number;
  readonly expiresAt: number;
  /** A pending attempt at the same gateway that started after this time is used again, epoch ms. */
  readonly sharedSince: number;
}

/**
 * Saves an attempt of a link and ends the reservation's earlier ones. Visitors that open the link at the same time
 * share one attempt. Returns the attempt to use, undefined if another payment uses the order.
 */
export async function savePaymentLinkIntent(
  db: Database,
  intent: LinkPaymentAttempt,
): Promise<{ readonly id: string; readonly order: string; readonly at: number } | undefined> {
  const isShared = sql`link_id = ${intent.linkId} AND method = ${intent.method} AND amount_cents = ${intent.amountCents}
    AND state = 'pending' AND created_at > ${intent.sharedSince} AND expires_at > ${intent.at}`;
  const shared = sql`(SELECT id FROM payment_intents WHERE ${isShared} ORDER BY created_at DESC, id LIMIT 1)`;
  const [, , [item]] = await db.batch([
    db
      .insert(paymentIntents)
      .select(
        selectRowToInsert(
          paymentIntents,
          {
            id: intent.id,
            bookingId: intent.bookingId,
            method: intent.method,
            part: "pending",
            orderReference: intent.order,
            amountCents: intent.amountCents,
            currency: intent.currency,
            summaryUrl: intent.summaryUrl ?? null,
            createdAt: intent.at,
            expiresAt: intent.expiresAt,
            linkId: intent.linkId,
          },
          sql`WHERE NOT EXISTS (SELECT 1 FROM payment_intents WHERE ${isShared})
            AND EXISTS (SELECT 1 FROM payment_links WHERE id = ${intent.linkId} AND status = 'open')`,
        ),
      )
      .onConflictDoNothing(),
    db
      .update(paymentIntents)
      .set({ state: "expired" })
      .where(
        and(
          eq(paymentIntents.bookingId, intent.bookingId),
          eq(paymentIntents.state, "pending"),
          sql`id IS NOT ${shared}`,
        ),
      ),
    db
      .select({ id: paymentIntents.id, order: paymentIntents.orderReference, at: paymentIntents.createdAt })
      .from(paymentIntents)
      .where(sql`id = ${shared}`),
  ]);
  return item;
}
