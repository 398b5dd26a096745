import { copySeason, copySeasonSellingRule } from "#domain/catalogue/resources/copy-season.ts";
import type { ResourceValues } from "#domain/catalogue/resources/fields.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { getResource } from "#domain/catalogue/resources/resources.ts";
import { createProblem, type Problem } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  nextResourceIdQuery,
  resourceQueries,
  type StoredResource,
  seasonCopyChangesQueries,
  seasonPricesAndRulesQueries,
  toResources,
} from "#worker/store/catalogue/resources/resource-queries.ts";
import {
  deleteNumberedResourcesStatements,
  insertNumberedResourcesStatements,
} from "#worker/store/catalogue/resources/resource-writes.ts";
import type { Query } from "#worker/store/database.ts";
import type { OfficeWrite } from "#worker/usecases/office/office-context.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import type { ResourceRefusal } from "./resource-refusals.ts";
import { createResourceHistoryEntry, type ResourceWriteResult } from "./validate-resource.ts";
import { getResourceWriteOptions, type ResourceWriteData, writeResource, writeResourceOnce } from "./write-resource.ts";

const SEASONS: Resource = getResource("seasons");
const PRICES: Resource = getResource("prices");
const RULES: Resource = getResource("selling-rules");

/** Copied season with the numbers of its prices and selling rules. */
export interface SeasonCopyResult {
  readonly season: StoredResource;
  readonly prices: number;
  readonly sellingRules: number;
}

interface CopyRequest {
  readonly id: string;
  readonly year: number;
  readonly name: string | undefined;
}

/** Copies a season to another year, with its prices and the selling rules that apply in it. */
export function copySeasonOnce(
  write: OfficeWrite,
  { id, year, name }: CopyRequest,
): Promise<Result<StaffAnswer<SeasonCopyResult>, ResourceRefusal>> {
  const { db } = write.tenant;
  return writeResource(write, {
    ...getResourceWriteOptions(SEASONS),
    content: { copySeason: id, year, name },
    read: (): readonly Query[] => [
      ...[SEASONS, PRICES, RULES].map((resource) => nextResourceIdQuery(db, resource)),
      ...resourceQueries(db, SEASONS, id),
      ...seasonPricesAndRulesQueries(db, id),
    ],
    decide: (reading) => {
      const [ids, rows] = [reading.rows.slice(0, 3), reading.rows.slice(3)];
      const [seasonId = 1, priceId = 1, ruleId = 1] = (ids as readonly (readonly { readonly id: number }[])[]).map(
        ([row]) => row?.id,
      );
      const { season, prices, rules } = toParts(rows);
      if (!season) return err({ kind: "resourceNotFound" });
      const copied = copySeason(season.values, year, name);
      if (!copied) return err({ kind: "problems", problems: [createProblem("periods", "missing")] });
      const problems = findProblems(reading, copied.values);
      if (problems.length > 0) return err({ kind: "problems", problems });
      const create = (resource: Resource, first: number, all: readonly ResourceValues[]) =>
        all.map((values, index) => {
          const newId = String(first + index);
          const created = { id: newId, version: 1, event: "created", after: values } as const;
          return { id: first + index, values, entry: createResourceHistoryEntry(reading, resource, created) };
        });
      const [copy] = create(SEASONS, seasonId, [copied.values]);
      const copies = {
        seasons: copy ? [{ ...copy, entry: { ...copy.entry, copyOf: id } }] : [],
        prices: create(
          PRICES,
          priceId,
          prices.map(({ values }) => ({ ...values, season_id: seasonId })),
        ),
        rules: create(
          RULES,
          ruleId,
          rules.map(({ values }) => copySeasonSellingRule(values, seasonId, copied.years)),
        ),
      };
      return ok({
        resource: String(seasonId),
        statements: [
          ...insertNumberedResourcesStatements(db, SEASONS, copies.seasons),
          ...insertNumberedResourcesStatements(db, PRICES, copies.prices),
          ...insertNumberedResourcesStatements(db, RULES, copies.rules),
        ],
      });
    },
    readBack: (copyId) => [...resourceQueries(db, SEASONS, copyId), ...seasonPricesAndRulesQueries(db, copyId)],
    answer: (rows) => {
      const { season, prices, rules } = toParts(rows);
      return season
        ? ok({ season, prices: prices.length, sellingRules: rules.length })
        : err({ kind: "resourceNotFound" as const });
    },
  });
}

/** Removes a copied season with its prices and selling rules, unless any of them has changed since. */
export function undoSeasonCopy(write: OfficeWrite, id: string): ResourceWriteResult {
  const { db } = write.tenant;
  return writeResourceOnce(write, SEASONS, {
    content: { undoSeasonCopy: id },
    isRemoval: true,
    read: () => [
      ...seasonCopyChangesQueries(db, id),
      ...resourceQueries(db, SEASONS, id),
      ...seasonPricesAndRulesQueries(db, id),
    ],
    decide: (reading) => {
      const [copies, ...rows] = reading.rows as readonly [
        readonly { readonly copyOf: string | null; readonly changes: number }[],
        ...unknown[],
      ];
      const { season, prices, rules } = toParts(rows);
      const [copy] = copies;
      if (!season || !copy || copy.copyOf === null) return err({ kind: "resourceNotFound" });
      if (copy.changes > 0) return err({ kind: "resourceChanged", storedResource: season });
      const remove = (resource: Resource, all: readonly StoredResource[]) =>
        deleteNumberedResourcesStatements(
          db,
          resource,
          all.map(({ id: partId, version, values }) => {
            const removed = { id: partId, version: version + 1, event: "removed", before: values } as const;
            return createResourceHistoryEntry(reading, resource, removed);
          }),
        );
      const statements = [...remove(RULES, rules), ...remove(PRICES, prices), ...remove(SEASONS, [season])];
      return ok({ resource: id, statements });
    },
  });
}

// The rows of a season with its periods, of its prices with their brackets, and of its selling rules.
function toParts(rows: readonly unknown[]) {
  return {
    season: toResources(SEASONS, rows.slice(0, 2))[0],
    prices: toResources(PRICES, rows.slice(2, 4)),
    rules: toResources(RULES, rows.slice(4)),
  };
}

// Returns the problems of the copied season. An overlap with other seasons is reported for the field `year`, because
// the dates follow from it.
function findProblems({ catalogue }: ResourceWriteData, values: ResourceValues): readonly Problem[] {
  const problems = SEASONS.check?.(values, { id: undefined, catalogue }) ?? [];
  return problems.slice(0, 1).map((seasonProblem) => ({ ...seasonProblem, field: "year" }));
}
