import { canAccessBranch } from "#domain/access/sessions.ts";
import type { ResourceValues } from "#domain/catalogue/resources/fields.ts";
import { getResource } from "#domain/catalogue/resources/resources.ts";
import { findOpeningTimeProblems } from "#domain/catalogue/resources/rule-checks.ts";
import { createProblem } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { openingWeekQueries, toResources } from "#worker/store/catalogue/resources/resource-queries.ts";
import {
  deleteResourceStatements,
  insertResourceStatements,
  updateResourceStatements,
} from "#worker/store/catalogue/resources/resource-writes.ts";
import type { Query } from "#worker/store/database.ts";
import { findMissingRightRefusal, type OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import type { ResourceRefusal } from "./resource-refusals.ts";
import type { OpeningWeek, WeekdayOpeningTime } from "./stored-table.ts";
import { createResourceHistoryEntry, findForeignBranchRefusal } from "./validate-resource.ts";
import { getResourceWriteOptions, type ResourceWriteData, writeResource } from "./write-resource.ts";

const HOURS = getResource("opening-hours");

/** Returns a branch's opening hours of all weekdays. One round trip. */
export async function readOpeningWeek(
  request: StaffRequest,
  branchCode: string,
): Promise<Result<StaffAnswer<OpeningWeek>, ResourceRefusal>> {
  const { db } = request.tenant;
  const read = await readAsStaff(request, (): readonly Query[] => openingWeekQueries(db, branchCode));
  if (!read.ok) return read;
  const { staff, freshToken, rows, catalogue } = read.value;
  const refused = findMissingRightRefusal(staff, "see");
  if (refused) return refused;
  if (!catalogue.branches.has(branchCode) || !canAccessBranch(staff, branchCode)) return unknownBranch();
  return ok({ value: toWeek(branchCode, rows as readonly unknown[]), freshToken });
}

/** Replaces a branch's opening hours of all weekdays. Without times, the branch is always open. */
export function writeOpeningWeek(
  write: OfficeWrite,
  { branchCode, times, expectedVersion }: Omit<OpeningWeek, "version"> & { readonly expectedVersion: number },
): Promise<Result<StaffAnswer<OpeningWeek>, ResourceRefusal>> {
  const { db } = write.tenant;
  return writeResource(write, {
    ...getResourceWriteOptions(HOURS),
    content: { week: branchCode, times, expectedVersion },
    read: () => openingWeekQueries(db, branchCode),
    readBack: () => openingWeekQueries(db, branchCode),
    answer: (rows, { staff }) => (canAccessBranch(staff, branchCode) ? ok(toWeek(branchCode, rows)) : unknownBranch()),
    decide: (reading) => {
      if (!reading.catalogue.branches.has(branchCode)) return unknownBranch();
      const refused = findForeignBranchRefusal(HOURS, { rental_location_code: branchCode }, reading.staff);
      if (refused) return refused;
      const problems = findOpeningTimeProblems("times", times as readonly (WeekdayOpeningTime & ResourceValues)[]);
      if (problems.length > 0) return err({ kind: "problems", problems });
      const week = toWeek(branchCode, reading.rows);
      if (week.version !== expectedVersion) return err({ kind: "weekChanged", week });
      return ok({ resource: branchCode, statements: listStatements(db, reading, branchCode, times) });
    },
  });
}

const unknownBranch = () =>
  err({ kind: "problems" as const, problems: [createProblem("rental_location_code", "not_known")] });

interface IdVersions {
  readonly id: string;
  readonly last: number;
  readonly changes: number;
}

function toWeek(branchCode: string, rows: readonly unknown[]): OpeningWeek {
  const [versions, ...things] = rows as readonly [readonly IdVersions[], ...unknown[]];
  const times = toResources(HOURS, things).map(({ values }) => ({
    weekday: Number(values["weekday"]),
    opens: String(values["opens"]),
    closes: String(values["closes"]),
  }));
  const changes = versions.reduce((sum, item) => sum + item.changes, 0);
  return { branchCode, times, version: 1 + changes };
}

function listStatements(
  db: OfficeWrite["tenant"]["db"],
  reading: ResourceWriteData,
  branchCode: string,
  times: readonly WeekdayOpeningTime[],
): readonly Query[] {
  const [versions, ...things] = reading.rows as readonly [readonly IdVersions[], ...unknown[]];
  const last = new Map(versions.map((item) => [item.id, item.last]));
  const stored = new Map(toResources(HOURS, things).map((openingHours) => [openingHours.id, openingHours]));
  const requested = new Map(times.map((time) => [`${branchCode}~${time.weekday}~${time.opens}`, time]));
  const removed = [...stored.values()]
    .filter(({ id }) => !requested.has(id))
    .flatMap(({ id, version, values }) => {
      const entry = { id, version: version + 1, event: "removed", before: values } as const;
      return deleteResourceStatements(db, HOURS, createResourceHistoryEntry(reading, HOURS, entry));
    });
  const writeQueries = [...requested].flatMap(([id, { weekday, opens, closes }]) => {
    const known = stored.get(id);
    if (!known) {
      const after = { rental_location_code: branchCode, weekday, opens, closes };
      const entry = { id, version: (last.get(id) ?? 0) + 1, event: "created", after } as const;
      return insertResourceStatements(db, HOURS, after, {
        id: undefined,
        entry: createResourceHistoryEntry(reading, HOURS, entry),
        more: {},
      });
    }
    const before = { closes: known.values["closes"] ?? null };
    if (before.closes === closes) return [];
    const entry = { id, version: known.version + 1, event: "changed", before, after: { closes } } as const;
    const entries = [createResourceHistoryEntry(reading, HOURS, entry)];
    return updateResourceStatements(db, HOURS, { closes }, { id, entries, more: {} });
  });
  return [...removed, ...writeQueries];
}
