import { and, count, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { SecurityEventFilters, SecurityEventKind } from "#domain/access/security-events.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { securityEvents } from "#worker/store/schema/access.ts";
import { users } from "#worker/store/schema/people.ts";

export interface NewSecurityEvent {
  readonly kind: SecurityEventKind;
  readonly userId?: number | undefined;
  readonly networkHash?: string | undefined;
  readonly detail?: Readonly<Record<string, string | number>>;
}

/** Records an event. Repetitions within an hour increase its count, so that a flood stays one row. */
export async function recordSecurityEvent(db: Database, event: NewSecurityEvent, at: number): Promise<void> {
  await db.batch([createSecurityEventStatement(db, event, at)]);
}

/** Returns the statement that records an event, for the batch that causes it. */
export function createSecurityEventStatement(
  db: Database,
  { detail = {}, ...event }: NewSecurityEvent,
  at: number,
): Query {
  const row = { ...event, at, lastAt: at, detail: JSON.stringify(detail) };
  // The unique index uses expressions, which the builder can't name.
  const counted = sql`WHERE true ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at`;
  return db.insert(securityEvents).select(selectRowToInsert(securityEvents, row, counted));
}

/** Returns the queries for a page of events, newest first, and the number of matches. */
export function securityEventQueries(db: Database, filter: SecurityEventFilters) {
  const { kind, userId, from, to, after, pageSize } = filter;
  const conditions: (SQL | undefined)[] = [
    kind && eq(securityEvents.kind, kind),
    userId === undefined ? undefined : eq(securityEvents.userId, userId),
    from === undefined ? undefined : gte(securityEvents.lastAt, from),
    to === undefined ? undefined : lt(securityEvents.lastAt, to),
  ];
  return [
    db
      .select({
        id: securityEvents.id,
        at: securityEvents.at,
        lastAt: securityEvents.lastAt,
        kind: securityEvents.kind,
        userId: securityEvents.userId,
        userName: users.fullName,
        networkHash: securityEvents.networkHash,
        detail: sql`${securityEvents.detail}`
          .mapWith(parseStoredJson<Readonly<Record<string, string | number | null>>>)
          .as("event_detail"),
        count: securityEvents.count,
      })
      .from(securityEvents)
      .leftJoin(users, eq(users.id, securityEvents.userId))
      .where(and(...conditions, after === undefined ? undefined : lt(securityEvents.id, after)))
      .orderBy(desc(securityEvents.id))
      .limit(pageSize + 1),
    db
      .select({ total: count() })
      .from(securityEvents)
      .where(and(...conditions)),
  ] as const;
}
