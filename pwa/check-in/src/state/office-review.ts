import { signal } from "@preact/signals";
import type { OperationResolutionRequest } from "#worker/api/check-in/operation-messages.ts";
import type { Office } from "../api/messages.ts";
import { client } from "./device-session.ts";
import { renewSettings } from "./settings.ts";

export const OFFICE_LIST_FILTERS = ["conflict", "held", "incomplete", "all"] as const;
export type OfficeListFilter = (typeof OFFICE_LIST_FILTERS)[number];

export const officeOperationList = signal<Office | undefined>(undefined);
export const officeListFilter = signal<OfficeListFilter>("conflict");
export const isOfficeListReachable = signal(true);
/** Whether the server denied the last user access to the list of work to review. */
export const isOfficeListForbidden = signal(false);

const PATH = "/api/v1/booking/check-in-operations";

const FORBIDDEN = 403;
const PAGE_SIZE = 50;
const RETRY_MS = 10_000;

let retrying: ReturnType<typeof setTimeout> | undefined;

/** Requests the first page of the office's list. Retries automatically while the server is unreachable. */
export async function loadOfficeOperations(state: OfficeListFilter): Promise<void> {
  clearTimeout(retrying);
  officeListFilter.value = state;
  // Pages are counted from 0.
  const answer = await client.call<Office>("GET", `${PATH}?state=${state}&page=0&page_size=${PAGE_SIZE}`);
  if (state !== officeListFilter.peek()) return;
  const isForbidden = answer.kind === "refused" && answer.status === FORBIDDEN;
  isOfficeListForbidden.value = isForbidden;
  isOfficeListReachable.value = answer.kind === "ok" || isForbidden;
  if (answer.kind === "ok") officeOperationList.value = answer.value;
  if (isForbidden) {
    officeOperationList.value = undefined;
    // The user is no longer a manager, so refresh their rights.
    await renewSettings();
  }
  if (answer.kind === "unreachable") retrying = setTimeout(() => void loadOfficeOperations(state), RETRY_MS);
}

/** Stops retrying once the user leaves the screen. */
export function stopOfficeListRetries(): void {
  clearTimeout(retrying);
  isOfficeListForbidden.value = false;
}

addEventListener("online", () => {
  if (!isOfficeListReachable.peek()) void loadOfficeOperations(officeListFilter.peek());
});

/** Accepts or dismisses rejected work. It's stored as evidence in both cases. */
export async function resolveOperation(opId: string, action: "accept" | "dismiss"): Promise<boolean> {
  const answer = await client.call<unknown, OperationResolutionRequest>("POST", `${PATH}/${opId}/resolution`, {
    json: { action },
  });
  await loadOfficeOperations(officeListFilter.peek());
  return answer.kind === "ok";
}
