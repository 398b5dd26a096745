import { signal } from "@preact/signals";
import type { ResolutionRequest } from "#worker/api/check-in/operation-messages.ts";
import type { Office } from "../api/messages.ts";
import { client } from "./phone.ts";
import { renewSettings } from "./settings.ts";

export const OFFICE_STATES = ["conflict", "held", "incomplete", "all"] as const;
export type OfficeState = (typeof OFFICE_STATES)[number];

export const office = signal<Office | undefined>(undefined);
export const officeState = signal<OfficeState>("conflict");
export const isOfficeReached = signal(true);
/** Whether the server denied the last user access to the list of work to review. */
export const isOfficeForbidden = signal(false);

const PATH = "/api/v1/booking/check-in-operations";

const FORBIDDEN = 403;
const PAGE_SIZE = 50;
const RETRY_MS = 10_000;

let retrying: ReturnType<typeof setTimeout> | undefined;

/** Requests the first page of the office's list. Retries automatically while the server is unreachable. */
export async function loadOffice(state: OfficeState): Promise<void> {
  clearTimeout(retrying);
  officeState.value = state;
  // Pages are counted from 0.
  const answer = await client.call<Office>("GET", `${PATH}?state=${state}&page=0&page_size=${PAGE_SIZE}`);
  if (state !== officeState.peek()) return;
  const isForbidden = answer.kind === "refused" && answer.status === FORBIDDEN;
  isOfficeForbidden.value = isForbidden;
  isOfficeReached.value = answer.kind === "ok" || isForbidden;
  if (answer.kind === "ok") office.value = answer.value;
  if (isForbidden) {
    office.value = undefined;
    // The user is no longer a manager, so refresh their rights.
    await renewSettings();
  }
  if (answer.kind === "unreachable") retrying = setTimeout(() => void loadOffice(state), RETRY_MS);
}

/** Stops retrying once the user leaves the screen. */
export function leaveOffice(): void {
  clearTimeout(retrying);
  isOfficeForbidden.value = false;
}

addEventListener("online", () => {
  if (!isOfficeReached.peek()) void loadOffice(officeState.peek());
});

/** Accepts or dismisses rejected work. It's stored as evidence in both cases. */
export async function resolveOperation(opId: string, action: "accept" | "dismiss"): Promise<boolean> {
  const answer = await client.call<unknown, ResolutionRequest>("POST", `${PATH}/${opId}/resolution`, {
    json: { action },
  });
  await loadOffice(officeState.peek());
  return answer.kind === "ok";
}
