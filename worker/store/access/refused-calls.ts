import { and, count, desc, eq, gte, lt, lte, max, type SQL, sql, sum } from "drizzle-orm";
import type { CallerKind, RefusalReason, RefusedApiCallsQueryInput } from "#domain/access/refused-calls.ts";
import type { CivilDate } from "#domain/dates.ts";
import type { Database } from "#worker/store/database.ts";
import { refusedCalls } from "#worker/store/schema/access.ts";
import { agencies } from "#worker/store/schema/people.ts";

/** Rejected requests of one key with one reason, to count. Times in epoch ms. */
export interface NewRefusedCalls extends RefusalReason {
  readonly day: CivilDate;
  readonly kind: CallerKind;
  readonly apiKey: string;
  /** SHA-256 in hex. It also identifies a key of a restored account. */
  readonly keyHash: string;
  readonly operation: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly requestId: string;
}

/**
 * Maximum number of stored rows per key and day. Made-up reasons can't fill the database or displace other keys' rows.
 */
const MAX_ROWS = 200;
/** Condition that a stored key is the request's key. A partner key restored from a backup is stored as a hash. */
const SAME_KEY = {
  partner: `keys.api_key IN (one.value ->> 'apiKey', one.value ->> 'keyHash')
      AND keys.api_key = one.value ->> iif(keys.hashed = 1, 'keyHash', 'apiKey')`,
  website: "keys.api_key = one.value ->> 'apiKey'",
} as const;
const KEYS = { partner: "partner_keys", website: "engine_keys" } as const;

// Returns the SQL that counts rejected requests. Requests with an unknown key aren't stored. For a disabled key, the
// stored reason is that it's disabled.
const createInsertStatement = (kind: CallerKind) => `
  INSERT INTO rejected_requests (day, kind, key_hash, key_name, agency_id, operation, code, field, kind_of_message, count, first_at, last_at, last_message, last_request_id)
  SELECT said.day, '${kind}', said.key_hash, said.name, said.agency_id, said.operation, said.code, said.field, said.kind_of_message,
    said.count, said.first_at, said.last_at, said.message, said.request_id
  FROM (
    SELECT one.value ->> 'day' AS day, one.value ->> 'keyHash' AS key_hash, keys.name,
      ${kind === "partner" ? "keys.agency_id" : "NULL AS agency_id"}, one.value ->> 'operation' AS operation,
      iif(keys.active = 0 AND one.value ->> 'code' IN ('bad_signature', 'bad_api_key'), 'key_switched_off', one.value ->> 'code') AS code,
      one.value ->> 'field' AS field, one.value ->> 'kindOfMessage' AS kind_of_message, one.value ->> 'count' AS count, one.value ->> 'firstAt' AS first_at,
      one.value ->> 'lastAt' AS last_at, one.value ->> 'message' AS message, one.value ->> 'requestId' AS request_id
    FROM json_each(?1) AS one
    JOIN ${KEYS[kind]} AS keys ON ${SAME_KEY[kind]}
  ) AS said
  WHERE (SELECT count(*) FROM rejected_requests AS known WHERE known.day = said.day AND known.kind = '${kind}' AND known.key_hash = said.key_hash) < ${MAX_ROWS}
    OR EXISTS (SELECT 1 FROM rejected_requests AS known WHERE known.day = said.day AND known.kind = '${kind}' AND known.key_hash = said.key_hash
      AND known.operation = said.operation AND known.code = said.code AND known.field = said.field AND known.kind_of_message = said.kind_of_message)
  ON CONFLICT (day, kind, key_hash, operation, code, field, kind_of_message) DO UPDATE SET
    count = count + excluded.count, key_name = excluded.key_name, agency_id = excluded.agency_id,
    first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at),
    last_message = iif(excluded.last_at >= last_at, excluded.last_message, last_message),
    last_request_id = iif(excluded.last_at >= last_at, excluded.last_request_id, last_request_id)`;

/** Counts rejected requests in the row of their key, operation, reason and day. One round trip. */
export async function countRefusedCalls({ $client }: Database, calls: readonly NewRefusedCalls[]): Promise<void> {
  const statements = (["partner", "website"] as const).flatMap((kind) => {
    const own = calls.filter((call) => call.kind === kind);
    return own.length > 0 ? [$client.prepare(createInsertStatement(kind)).bind(JSON.stringify(own))] : [];
  });
  if (statements.length > 0) await $client.batch(statements);
}

/** Returns a page of rejected requests, newest first, the number of matches, and the filter options. */
export function refusedCallQueries(db: Database, question: RefusedApiCallsQueryInput) {
  const { partner, agencyId, operation, code, dateFrom, dateTo, after, pageSize } = question;
  const conditions: (SQL | undefined)[] = [
    partner === undefined ? undefined : eq(refusedCalls.keyHash, partner),
    agencyId === undefined ? undefined : eq(refusedCalls.agencyId, agencyId),
    operation === undefined ? undefined : eq(refusedCalls.operation, operation),
    code === undefined ? undefined : eq(refusedCalls.code, code),
    dateFrom && gte(refusedCalls.day, dateFrom),
    dateTo && lte(refusedCalls.day, dateTo),
  ];
  return [
    db
      .select({
        id: refusedCalls.id,
        day: sql<CivilDate>`${refusedCalls.day}`.as("refused_day"),
        kind: refusedCalls.kind,
        keyHash: refusedCalls.keyHash,
        keyName: refusedCalls.keyName,
        agencyId: refusedCalls.agencyId,
        agencyName: agencies.name,
        operation: refusedCalls.operation,
        code: refusedCalls.code,
        field: refusedCalls.field,
        count: refusedCalls.count,
        firstAt: refusedCalls.firstAt,
        lastAt: refusedCalls.lastAt,
        message: refusedCalls.lastMessage,
        requestId: refusedCalls.lastRequestId,
      })
      .from(refusedCalls)
      .leftJoin(agencies, eq(agencies.id, refusedCalls.agencyId))
      .where(and(...conditions, after === undefined ? undefined : lt(refusedCalls.id, after)))
      .orderBy(desc(refusedCalls.id))
      .limit(pageSize + 1),
    db
      .select({ total: count(), calls: sum(refusedCalls.count).mapWith(Number) })
      .from(refusedCalls)
      .where(and(...conditions)),
    db
      .select({ kind: refusedCalls.kind, keyHash: refusedCalls.keyHash, name: max(refusedCalls.keyName) })
      .from(refusedCalls)
      .groupBy(refusedCalls.kind, refusedCalls.keyHash)
      .orderBy(max(refusedCalls.keyName)),
    db
      .select({ operation: refusedCalls.operation })
      .from(refusedCalls)
      .groupBy(refusedCalls.operation)
      .orderBy(refusedCalls.operation),
  ] as const;
}
