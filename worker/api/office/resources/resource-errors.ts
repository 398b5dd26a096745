import type { Context } from "hono";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { RESOURCE_NOT_FOUND_CODES } from "#domain/failure-codes.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import {
  createInvalidFieldsFailure,
  createPermissionDeniedFailure,
  type Failure,
  failures,
} from "#worker/api/failure.ts";
import { answerFailure, type ErrorResponse } from "#worker/api/interface.ts";
import { getCurrencyDecimals } from "#worker/api/office/answers.ts";
import type { ReferenceCount, ResourceRefusal } from "#worker/usecases/catalogue/resources/resource-refusals.ts";
import { addSignedCalendarLinks } from "#worker/usecases/shared/calendar-links.ts";
import { toOpeningWeekMessage } from "./opening-week-messages.ts";
import { toPriceTableMessage } from "./price-table-messages.ts";
import { toResourceMessage } from "./resource-messages.ts";

const RESOURCE_CHANGED_FAILURE = {
  status: 409,
  code: "changed_meanwhile",
  message: "expected_version: version conflict, the resource was modified",
} as const;

type ChangedRefusal = Extract<ResourceRefusal, { readonly kind: "resourceChanged" | "tableChanged" | "weekChanged" }>;
type RefusalWithoutCurrentState = Exclude<ResourceRefusal, ChangedRefusal>;

function toFailure({ singular }: Resource, refusal: RefusalWithoutCurrentState): Failure {
  const resourceLabel = singular.replaceAll("_", " ");
  switch (refusal.kind) {
    case "notSignedIn":
    case "deviceForgotten":
    case "secondFactorMissing":
    case "secondFactorStale":
    case "otherRole":
      return failures[refusal.kind];
    case "rightMissing":
      return createPermissionDeniedFailure(refusal.right);
    case "branchOfOthers":
    case "keyReused":
      return failures[refusal.kind];
    case "resourceNotFound":
      return { status: 404, code: getNotFoundCode(singular), message: `There is no such ${resourceLabel}` };
    case "problems":
      return createInvalidFieldsFailure(refusal.problems);
    case "taken":
      return {
        status: 409,
        code: "taken",
        message: `${refusal.fields.join(", ")}: another ${resourceLabel} has it already`,
        detail: refusal.fields.map((field) => ({ field, message: "another one has it already" })),
      };
    case "inUse":
      return {
        status: 409,
        code: "in_use",
        message: `It is used by ${refusal.uses.map((use) => `${formatUseCount(use)} ${use.by}`).join(", ")}`,
        detail: refusal.uses.map((use) => ({ field: use.by, message: formatUseCount(use) })),
      };
  }
}

const getNotFoundCode = (singular: string) =>
  RESOURCE_NOT_FOUND_CODES.find((code) => code === `${singular}_not_found`) ?? "unknown_path";

// Formats the number of uses. Counting stops at a limit, so a higher number is shown as `100+`.
const formatUseCount = ({ times, isMore }: ReferenceCount) => (isMore ? `${times}+` : String(times));

/** Returns the response with a resource, as a member named after its type. */
export async function toResourceResponse(
  c: Context<AppEnvironment>,
  resource: Resource,
  storedResource: Parameters<typeof toResourceMessage>[1],
): Promise<Readonly<Record<string, ReturnType<typeof toResourceMessage>>>> {
  const [resourceLabel = storedResource] = await addSignedCalendarLinks(c.get("tenant"), resource, [storedResource]);
  return { [resource.singular]: toResourceMessage(resource, resourceLabel, await getCurrencyDecimals(c)) };
}

/** Responds to a rejected resource request. If the data changed concurrently, returns its current state. */
export async function toResourceErrorResponse(
  c: Context<AppEnvironment>,
  resource: Resource,
  refusal: ResourceRefusal,
): Promise<ErrorResponse> {
  if (!isChanged(refusal)) return toErrorResponse(c, toFailure(resource, refusal));
  const detail = [{ field: "expected_version", message: "is not the version any more" }];
  const current = await toCurrentState(c, resource, refusal);
  return answerFailure(
    c,
    { error: RESOURCE_CHANGED_FAILURE.message, code: RESOURCE_CHANGED_FAILURE.code, detail, ...current },
    RESOURCE_CHANGED_FAILURE,
  );
}

function isChanged(refusal: ResourceRefusal): refusal is ChangedRefusal {
  return refusal.kind === "resourceChanged" || refusal.kind === "tableChanged" || refusal.kind === "weekChanged";
}

async function toCurrentState(c: Context<AppEnvironment>, resource: Resource, refusal: ChangedRefusal) {
  switch (refusal.kind) {
    case "tableChanged":
      return { table: toPriceTableMessage(refusal.table, await getCurrencyDecimals(c)) };
    case "weekChanged":
      return { week: toOpeningWeekMessage(refusal.week) };
    case "resourceChanged":
      return toResourceResponse(c, resource, refusal.storedResource);
  }
}
