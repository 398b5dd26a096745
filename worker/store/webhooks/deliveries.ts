import { and, asc, desc, eq, inArray, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { WebhookDeliveryDecision } from "#domain/webhooks/delivery.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { insertMailIfStatement, type OutgoingMail } from "#worker/store/mails/outgoing-mails.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { officeHistory } from "#worker/store/schema/office-history.ts";
import {
  webhookAttempts,
  webhookDeliveries,
  webhookEvents,
  webhookStates,
  webhooks,
} from "#worker/store/schema/webhooks.ts";

/** Whether any delivery or event is pending. `now` is epoch ms in SQL. */
export function hasPendingWebhookDeliveriesSql(now: SQL | Placeholder): SQL {
  return sql`EXISTS (SELECT 1 FROM webhook_events INDEXED BY webhook_events_to_spread WHERE body IS NULL)
    OR EXISTS (SELECT 1 FROM webhook_deliveries INDEXED BY webhook_deliveries_due WHERE state = 'waiting' AND next_at <= ${now})`;
}

// Condition for the next delivery to send: the oldest pending one of its subject, for an active webhook that isn't
// paused.
const isNext = (now: number) => sql`state = 'waiting' AND next_at <= ${now}
  AND EXISTS (SELECT 1 FROM webhooks WHERE webhooks.id = webhook_id AND active = 1)
  AND NOT EXISTS (SELECT 1 FROM webhook_states AS state WHERE state.webhook_id = due.webhook_id AND state.paused_until > ${now})
  AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS earlier INDEXED BY webhook_deliveries_in_order WHERE earlier.state = 'waiting'
    AND earlier.webhook_id = due.webhook_id AND earlier.subject = due.subject AND earlier.event_id < due.event_id)`;

/** Claimed delivery with the data to send it. */
export type ClaimedWebhookDelivery = Awaited<ReturnType<typeof claimWebhookDeliveries>>[number];

/**
 * Claims due deliveries, several per webhook, each the oldest of its subject. The lease lasts until a given time. If
 * the run is killed, they are claimed again later, with the same id.
 */
export async function claimWebhookDeliveries(
  db: Database,
  { now, until, limit }: { readonly now: number; readonly until: number; readonly limit: number },
) {
  const numbered = sql`(SELECT due.id AS id, row_number() OVER (PARTITION BY due.webhook_id ORDER BY due.event_id) AS place
    FROM webhook_deliveries AS due INDEXED BY webhook_deliveries_due WHERE ${isNext(now)})`;
  const [item] = await db.batch([
    db
      .update(webhookDeliveries)
      .set({ nextAt: until })
      .where(sql`webhook_deliveries.id IN (SELECT id FROM ${numbered} WHERE place <= ${limit})`)
      .returning({ id: webhookDeliveries.id }),
  ]);
  return item.length === 0
    ? []
    : readClaimed(
        db,
        item.map(({ id }) => id),
      );
}

// Reads deliveries in sending order, which is the order of events.
async function readClaimed(db: Database, ids: readonly number[]) {
  const [item] = await db.batch([claimedDeliveriesQuery(db, inArray(webhookDeliveries.id, [...ids]))]);
  return item;
}

/** Returns the query for the delivery of an event to a webhook, with the data to send it. */
export function webhookDeliveryQuery(db: Database, webhookId: number, uid: string) {
  return claimedDeliveriesQuery(db, and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookEvents.uid, uid)));
}

function claimedDeliveriesQuery(db: Database, where: SQL | undefined) {
  return db
    .select({
      id: webhookDeliveries.id,
      webhookId: webhookDeliveries.webhookId,
      attempts: webhookDeliveries.attempts,
      firstAt: webhookDeliveries.firstAt,
      uid: webhookEvents.uid,
      body: webhookEvents.body,
      url: webhooks.url,
      sealed: webhooks.secretSealed,
      previousEncrypted: webhooks.previousSecretSealed,
      previousValidUntil: webhooks.previousValidUntil,
      failingSince: webhookStates.failingSince,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .leftJoin(webhookStates, eq(webhookStates.webhookId, webhookDeliveries.webhookId))
    .where(where)
    .orderBy(asc(webhookDeliveries.eventId));
}

/** Releases claimed deliveries that weren't attempted. */
export async function releaseWebhookDeliveries(db: Database, ids: readonly number[], now: number): Promise<void> {
  if (ids.length > 0)
    await db.batch([
      db
        .update(webhookDeliveries)
        .set({ nextAt: now })
        .where(inArray(webhookDeliveries.id, [...ids])),
    ]);
}

type NewAttempt = Omit<typeof webhookAttempts.$inferInsert, "id">;

interface Outcome {
  readonly webhookId: number;
  readonly attempt: NewAttempt;
  readonly decision: WebhookDeliveryDecision;
  /** A test delivery doesn't affect the webhook's state. */
  readonly isTrial: boolean;
  /** Mails to send if the webhook is disabled. */
  readonly mails: readonly OutgoingMail[];
}

/**
 * Saves an attempt's result and its effects on the webhook, in one batch. Saves nothing for a webhook removed in the
 * meantime.
 */
export async function saveWebhookAttempt(db: Database, outcome: Outcome): Promise<void> {
  const { attempt, decision, webhookId, isTrial, mails } = outcome;
  const { at, deliveryId } = attempt;
  const statements: [Query, ...Query[]] = [
    db
      .insert(webhookAttempts)
      .select(
        selectRowToInsert(
          webhookAttempts,
          { id: sql`NULL`, ...attempt },
          sql`WHERE EXISTS (SELECT 1 FROM webhook_deliveries WHERE id = ${deliveryId})`,
        ),
      ),
    db
      .update(webhookDeliveries)
      .set({
        attempts: sql`attempts + 1`,
        firstAt: sql`coalesce(first_at, ${at})`,
        state: decision.state,
        nextAt: decision.nextAt,
      })
      .where(eq(webhookDeliveries.id, deliveryId)),
  ];
  if (!isTrial) statements.push(...addressStatements(db, webhookId, decision, at));
  const isOff = sql`EXISTS (SELECT 1 FROM webhooks WHERE id = ${webhookId} AND disabled_at = ${toIsoText(at)})`;
  statements.push(...mails.map((mail) => insertMailIfStatement(db, mail, isOff)));
  await db.batch(statements);
}

function toIsoText(at: number): string {
  return new Date(at).toISOString();
}

function isThere(webhookId: number): SQL {
  return sql`WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = ${webhookId})`;
}

function addressStatements(
  db: Database,
  webhookId: number,
  decision: WebhookDeliveryDecision,
  at: number,
): readonly Query[] {
  const { disable } = decision;
  const failingSince = decision.failingSince ?? null;
  const state = { failingSince, pausedUntil: decision.pausedUntil ?? null };
  const upsertState = db
    .insert(webhookStates)
    .select(selectRowToInsert(webhookStates, { webhookId, ...state }, isThere(webhookId)))
    .onConflictDoUpdate({
      target: webhookStates.webhookId,
      set: { ...state, failingSince: failingSince === null ? null : sql`coalesce(failing_since, ${failingSince})` },
    });
  if (disable === undefined) return [upsertState];
  const version = sql`(SELECT coalesce(max(version), 1) + 1 FROM office_history WHERE resource = 'webhooks' AND resource_id = ${String(webhookId)})`;
  const detail = JSON.stringify({ before: { active: true }, after: { active: false } });
  return [
    upsertState,
    db
      .update(webhooks)
      .set({ active: false, disabledAt: toIsoText(at), disabledReason: disable, lastUpdate: at })
      .where(and(eq(webhooks.id, webhookId), eq(webhooks.active, true))),
    db.insert(officeHistory).select(
      selectRowToInsert(
        officeHistory,
        {
          resource: "webhooks",
          resourceId: String(webhookId),
          version,
          at,
          actor: "system",
          event: "changed",
          detail,
        },
        sql`WHERE changes() = 1`,
      ),
    ),
  ];
}

/** Returns the statements that create a test delivery for one webhook, claimed until a given time. */
export function webhookTestEventStatements(
  db: Database,
  {
    webhookId,
    uid,
    body,
    type,
  }: { readonly webhookId: number; readonly uid: string; readonly body: string; readonly type: string },
  { now, until }: { readonly now: number; readonly until: number },
): readonly Query[] {
  return [
    db.insert(webhookEvents).values({ uid, type, subject: `trial:${uid}`, at: now, body }),
    db.insert(webhookDeliveries).select(newDelivery(webhookId, { nextAt: until, createdAt: now }, sql`uid = ${uid}`)),
  ];
}

function newDelivery(
  webhookId: number,
  moments: { readonly nextAt: number; readonly createdAt: number },
  selection: SQL,
) {
  const event = { eventId: sql`webhook_events.id`, subject: sql`subject` };
  const row = { id: sql`NULL`, webhookId, ...event, state: "waiting" as const, ...moments };
  const source = sql`FROM webhook_events ${isThere(webhookId)} AND ${selection} ORDER BY webhook_events.id`;
  return selectRowToInsert(webhookDeliveries, row, source);
}

/** Selection of past events to deliver again to a webhook, by type and time. */
export interface WebhookEventsToReplay {
  readonly webhookId: number;
  readonly agencyId: number | null;
  /** Event types of the webhook. */
  readonly types: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly uid: string | undefined;
}

function selectReplayed({ agencyId, types, from, to, uid }: WebhookEventsToReplay): SQL {
  return sql`${uid === undefined ? sql`at >= ${from} AND at < ${to}` : sql`uid = ${uid}`} AND body IS NOT NULL
    AND type IN (SELECT value FROM json_each(${JSON.stringify(types)})) AND (${agencyId} IS NULL OR agency_id = ${agencyId})`;
}

/** Returns the query that counts the events that would be delivered again. */
export function webhookEventsToReplayCountQuery(db: Database, replayed: WebhookEventsToReplay) {
  return db
    .select({ count: sql<number>`count(*)`.as("events") })
    .from(webhookEvents)
    .where(selectReplayed(replayed));
}

/**
 * Returns the statements that schedule past events of a period, or one event, for immediate delivery. Includes pending
 * deliveries, except those that may be in flight until `leasesEnd`.
 */
export function replayWebhookEventsStatements(
  db: Database,
  replayed: WebhookEventsToReplay,
  { now, leasesEnd }: { readonly now: number; readonly leasesEnd: number },
): readonly Query[] {
  const insertedDeliveries = db
    .insert(webhookDeliveries)
    .select(newDelivery(replayed.webhookId, { nextAt: now, createdAt: now }, selectReplayed(replayed)))
    .onConflictDoUpdate({
      target: [webhookDeliveries.webhookId, webhookDeliveries.eventId],
      set: { state: "waiting", attempts: 0, firstAt: null, nextAt: now },
      setWhere: sql`webhook_deliveries.state <> 'waiting' OR webhook_deliveries.next_at > ${leasesEnd}`,
    });
  const { webhookId } = replayed;
  return [
    insertedDeliveries,
    db.update(webhookStates).set({ pausedUntil: null }).where(eq(webhookStates.webhookId, webhookId)),
  ];
}

interface DeliverySearch {
  readonly webhookId: number;
  readonly id?: number;
  readonly state?: "waiting" | "delivered" | "failed" | undefined;
  readonly after?: number | undefined;
  readonly pageSize: number;
}

/** Returns the queries that list a webhook's deliveries and answers, newest first, with their number. */
export function webhookDeliveryListQueries(db: Database, { webhookId, id, state, after, pageSize }: DeliverySearch) {
  const conditions = [
    eq(webhookDeliveries.webhookId, webhookId),
    id === undefined ? undefined : eq(webhookDeliveries.id, id),
    state && eq(webhookDeliveries.state, state),
  ];
  return [
    db
      .select({ total: sql<number>`count(*)`.as("total") })
      .from(webhookDeliveries)
      .where(and(...conditions)),
    db
      .select({
        id: webhookDeliveries.id,
        state: webhookDeliveries.state,
        subject: webhookDeliveries.subject,
        attempts: webhookDeliveries.attempts,
        nextAt: webhookDeliveries.nextAt,
        uid: webhookEvents.uid,
        type: webhookEvents.type,
        at: webhookEvents.at,
        body: webhookEvents.body,
        tried:
          sql<string>`(SELECT json_group_array(json_object('at', one.at, 'url', one.url, 'timestamp', one.timestamp, 'signature', one.signature,
          'status', one.status, 'problem', one.problem, 'answer', one.answer, 'milliseconds', one.milliseconds))
          FROM (SELECT * FROM webhook_attempts WHERE delivery_id = webhook_deliveries.id ORDER BY id) AS one)`.as(
            "tried",
          ),
      })
      .from(webhookDeliveries)
      .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
      .where(and(...conditions, after === undefined ? undefined : sql`webhook_deliveries.id < ${after}`))
      .orderBy(desc(webhookDeliveries.id))
      .limit(pageSize + 1),
  ] as const;
}
