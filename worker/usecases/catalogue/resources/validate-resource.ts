import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { ResourceValues } from "#domain/catalogue/resources/fields.ts";
import type { ParsedResourceValues } from "#domain/catalogue/resources/parse.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import {
  excludeFieldProblems,
  findResourceCheckProblems,
  listRefusedFields,
} from "#domain/catalogue/resources/rule-problems.ts";
import { serializeResourceValues } from "#domain/catalogue/resources/serialize.ts";
import { err, type Result } from "#domain/result.ts";
import type { StoredResource } from "#worker/store/catalogue/resources/resource-queries.ts";
import type { ResourceHistoryEntry } from "#worker/store/catalogue/resources/resource-writes.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { findMissingReferences } from "./related-resources.ts";
import type { ResourceRefusal } from "./resource-refusals.ts";
import { findResourceRuleProblems, type HashedOrEncryptedSecrets } from "./resource-rules.ts";
import type { ResourceWriteData } from "./write-resource.ts";

/** Submitted fields of a resource. */
export type ResourceInput = Readonly<Record<string, unknown>>;
export type ResourceWriteResult = Promise<Result<StaffAnswer<StoredResource>, ResourceRefusal>>;

interface DecisionContext {
  readonly reading: ResourceWriteData;
  readonly input: ResourceInput;
  /** Id of an existing resource. */
  readonly id: string | undefined;
  readonly secrets: HashedOrEncryptedSecrets;
  /** Existing referenced resources. */
  readonly relatedData: readonly unknown[];
}

/** Refuses an invalid resource with all its problems, then a valid one of a branch where the user doesn't work. */
export function findInvalidResourceRefusal(
  resource: Resource,
  parsed: ParsedResourceValues,
  { reading, input, id, secrets, relatedData }: DecisionContext,
): Result<never, ResourceRefusal> | undefined {
  const { catalogue, staff } = reading;
  const { date: today } = toCivilNow(catalogue.settings.timezone, reading.at);
  const otherProblems = [
    ...findMissingReferences(resource, input, { staff, answers: relatedData }),
    ...findResourceRuleProblems(resource, parsed.values, { id, staff, secrets, said: input, today }),
  ];
  const problems = [
    ...parsed.problems,
    ...findResourceCheckProblems(resource, parsed, { id, catalogue }),
    ...excludeFieldProblems(otherProblems, listRefusedFields(parsed.problems)),
  ];
  if (problems.length > 0) return err({ kind: "problems", problems });
  return findForeignBranchRefusal(resource, parsed.values, staff);
}

/** Refuses to write a resource of a different branch or of all branches, unless the user works at all branches. */
export function findForeignBranchRefusal(
  { branch, vehicleField }: Resource,
  values: ResourceValues,
  staff: SignedInUser,
): Result<never, ResourceRefusal> | undefined {
  if (staff.branches === "all") return undefined;
  const appliesToAllBranches = vehicleField !== undefined && typeof values[vehicleField] !== "string";
  const code = branch === undefined ? undefined : values[branch];
  // Refuses a new branch, because it isn't among the user's branches yet. Refuses a rule for all branches, because it
  // applies to every user.
  const isOthers = code !== undefined && !(typeof code === "string" && canAccessBranch(staff, code));
  return appliesToAllBranches || isOthers ? err({ kind: "branchOfOthers" }) : undefined;
}

type Entry = Omit<ResourceHistoryEntry, "at" | "actor" | "before" | "after"> & {
  readonly before?: ResourceValues;
  readonly after?: ResourceValues;
};

/** Creates a history entry with serialized values. */
export function createResourceHistoryEntry(
  { actor, at, catalogue }: ResourceWriteData,
  resource: Resource,
  { before, after, ...entry }: Entry,
): ResourceHistoryEntry {
  const { currencyDecimals } = catalogue.settings;
  const serializeEntry = (values: ResourceValues | undefined) =>
    values && serializeInput(resource, values, currencyDecimals);
  return { ...entry, at, actor, before: serializeEntry(before), after: serializeEntry(after) };
}

// Formats the given fields for the history. For secrets, it only contains that they changed.
function serializeInput(resource: Resource, values: ResourceValues, decimals: number) {
  const fields = resource.fields.filter(({ name }) => values[name] !== undefined);
  return serializeResourceValues({ fields }, values, decimals);
}

/** Removes secrets from the input for its stored fingerprint. */
export function maskSecrets({ fields }: Resource, resourceInput: ResourceInput): ResourceInput {
  const secret = new Set(fields.filter(({ kind }) => kind === "secret").map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(resourceInput).map(([name, value]) => [name, secret.has(name) ? true : value]),
  );
}
