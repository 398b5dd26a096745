import { desc, type SQL, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { officeHistory } from "#worker/store/schema/office-history.ts";
import { users } from "#worker/store/schema/people.ts";
import { listTotalQuery } from "#worker/store/search.ts";

/** End of a page of changes. */
export interface ResourceChangeCursor {
  readonly at: number;
  readonly resource: string;
  readonly resourceId: string;
  readonly version: number;
}

/** Filters for changes. Times in epoch ms. */
export interface ResourceChangeSearch {
  readonly resource: string | undefined;
  /** User who reads the list. */
  readonly readerId: number;
  /** Kinds of resources that only administrators see, and kinds that only users of all branches see. */
  readonly administratorResources: readonly string[];
  readonly allBranchesResources: readonly string[];
  readonly userId: number | undefined;
  readonly from: number | undefined;
  readonly until: number | undefined;
  readonly after: ResourceChangeCursor | undefined;
  readonly pageSize: number;
}

/**
 * Returns the queries for a page of changes to office resources, newest first, and the number of matches up to the
 * count limit.
 */
export function resourceChangeQueries(db: Database, search: ResourceChangeSearch) {
  const {
    resource: kind,
    readerId,
    administratorResources,
    allBranchesResources,
    userId,
    from,
    until,
    after,
    pageSize,
  } = search;
  const conditions = where([
    isAmong(administratorResources, sql`(SELECT role = 'administrator' FROM users WHERE id = ${readerId})`),
    isAmong(allBranchesResources, sql`(SELECT all_branches FROM users WHERE id = ${readerId})`),
    ...(kind === undefined ? [] : [sql`office_history.resource = ${kind}`]),
    ...(userId === undefined ? [] : [sql`office_history.actor = ${`staff:${userId}`}`]),
    ...(from === undefined ? [] : [sql`office_history.at >= ${from}`]),
    ...(until === undefined ? [] : [sql`office_history.at < ${until}`]),
  ]);
  const { at, resource, resourceId, version } = officeHistory;
  const onward =
    after &&
    sql`(${at}, ${resource}, ${resourceId}, ${version}) < (${after.at}, ${after.resource}, ${after.resourceId}, ${after.version})`;
  return [
    db
      .select({
        resource,
        resourceId,
        version,
        at,
        actor: officeHistory.actor,
        event: officeHistory.event,
        detail: officeHistory.detail,
        staffName: sql<string | null>`${users.fullName}`.as("staff_name"),
      })
      .from(officeHistory)
      .leftJoin(users, sql`office_history.actor = 'staff:' || users.id`)
      .where(onward ? where([conditions, onward]) : conditions)
      .orderBy(desc(at), desc(resource), desc(resourceId), desc(version))
      .limit(pageSize + 1),
    listTotalQuery(db, { table: "office_history", where: conditions, pageSize, maintainedTotal: undefined }),
  ] as const;
}

// Returns the condition that changes of these kinds are only included if `holds` is true.
const isAmong = (kinds: readonly string[], holds: SQL): SQL =>
  sql`(office_history.resource NOT IN (SELECT value FROM json_each(${JSON.stringify(kinds)})) OR ${holds})`;

const where = (conditions: readonly SQL[]): SQL => sql.join([...conditions], sql` AND `);
