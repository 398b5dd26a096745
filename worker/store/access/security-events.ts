import { and, count, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { EventQuestion, SecurityEventKind } from "#domain/access/security-events.ts";
import type { Database } from "#worker/store/database.ts";
import { parsed } from "#worker/store/reporting/parsed.ts";
import { securityEvents } from "#worker/store/schema/access.ts";
import { users } from "#worker/store/schema/people.ts";

export interface NewSecurityEvent {
  readonly kind: SecurityEventKind;
  readonly userId?: number | undefined;
  readonly networkHash?: string | undefined;
  readonly detail?: Readonly<Record<string, string | number>>;
}

/** Notes what happened; the same within an hour is counted, so that a flood is one row. */
export async function noteEvent(db: Database, event: NewSecurityEvent, at: number): Promise<void> {
  const { kind, userId = null, networkHash = null, detail = {} } = event;
  // The unique index is over expressions, which no builder names.
  const text = `INSERT INTO security_events (at, last_at, kind, user_id, network_hash, detail) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at`;
  await db.$client.batch([db.$client.prepare(text).bind(at, at, kind, userId, networkHash, JSON.stringify(detail))]);
}

/** A page of events, the latest first, and how many match. */
export function securityEventQueries(db: Database, question: EventQuestion) {
  const { kind, userId, from, to, after, pageSize } = question;
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
          .mapWith(parsed<Readonly<Record<string, string | number | null>>>)
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
