import { and, count, desc, eq, gte, lt, lte, max, type SQL, sql, sum } from "drizzle-orm";
import type { CallerKind, RejectedRequestFilter, RejectionReason } from "#domain/access/rejected-requests.ts";
import type { CivilDate } from "#domain/dates.ts";
import type { Database } from "#worker/store/database.ts";
import { rejectedRequests } from "#worker/store/schema/access.ts";
import { agencies } from "#worker/store/schema/people.ts";

/** Rejected requests of one key with one reason, to count. Times in epoch ms. */
export interface NewRejectedRequestCount extends RejectionReason {
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
export async function addRejectedRequestCounts(
  { $client }: Database,
  calls: readonly NewRejectedRequestCount[],
): Promise<void> {
  const statements = (["partner", "website"] as const).flatMap((kind) => {
    const own = calls.filter((call) => call.kind === kind);
    return own.length > 0 ? [$client.prepare(createInsertStatement(kind)).bind(JSON.stringify(own))] : [];
  });
  if (statements.length > 0) await $client.batch(statements);
}

/** Returns the queries for a page of rejected requests, newest first, the number of matches, and the filter options. */
export function rejectedRequestQueries(db: Database, filter: RejectedRequestFilter) {
  const { partner, agencyId, operation, code, dateFrom, dateTo, after, pageSize } = filter;
  const conditions: (SQL | undefined)[] = [
    partner === undefined ? undefined : eq(rejectedRequests.keyHash, partner),
    agencyId === undefined ? undefined : eq(rejectedRequests.agencyId, agencyId),
    operation === undefined ? undefined : eq(rejectedRequests.operation, operation),
    code === undefined ? undefined : eq(rejectedRequests.code, code),
    dateFrom && gte(rejectedRequests.day, dateFrom),
    dateTo && lte(rejectedRequests.day, dateTo),
  ];
  return [
    db
      .select({
        id: rejectedRequests.id,
        day: sql<CivilDate>`${rejectedRequests.day}`.as("rejected_day"),
        kind: rejectedRequests.kind,
        keyHash: rejectedRequests.keyHash,
        keyName: rejectedRequests.keyName,
        agencyId: rejectedRequests.agencyId,
        agencyName: agencies.name,
        operation: rejectedRequests.operation,
        code: rejectedRequests.code,
        field: rejectedRequests.field,
        count: rejectedRequests.count,
        firstAt: rejectedRequests.firstAt,
        lastAt: rejectedRequests.lastAt,
        message: rejectedRequests.lastMessage,
        requestId: rejectedRequests.lastRequestId,
      })
      .from(rejectedRequests)
      .leftJoin(agencies, eq(agencies.id, rejectedRequests.agencyId))
      .where(and(...conditions, after === undefined ? undefined : lt(rejectedRequests.id, after)))
      .orderBy(desc(rejectedRequests.id))
      .limit(pageSize + 1),
    db
      .select({ total: count(), calls: sum(rejectedRequests.count).mapWith(Number) })
      .from(rejectedRequests)
      .where(and(...conditions)),
    db
      .select({ kind: rejectedRequests.kind, keyHash: rejectedRequests.keyHash, name: max(rejectedRequests.keyName) })
      .from(rejectedRequests)
      .groupBy(rejectedRequests.kind, rejectedRequests.keyHash)
      .orderBy(max(rejectedRequests.keyName)),
    db
      .select({ operation: rejectedRequests.operation })
      .from(rejectedRequests)
      .groupBy(rejectedRequests.operation)
      .orderBy(rejectedRequests.operation),
  ] as const;
}
