import { signal } from "@preact/signals";
import type { Office } from "../api/messages.ts";
import { client } from "./phone.ts";

export const OFFICE_STATES = ["conflict", "held", "incomplete", "all"] as const;
export type OfficeState = (typeof OFFICE_STATES)[number];

export const office = signal<Office | undefined>(undefined);
export const officeState = signal<OfficeState>("conflict");
export const isOfficeReached = signal(true);

const PATH = "/api/v1/booking/check-in-operations";

export async function loadOffice(state: OfficeState): Promise<void> {
  officeState.value = state;
  const answer = await client.call<Office>("GET", `${PATH}?state=${state}&page=1&page_size=50`);
  if (state !== officeState.peek()) return;
  isOfficeReached.value = answer.kind === "ok";
  if (answer.kind === "ok") office.value = answer.value;
}

/** Takes refused work as done, or sets it aside; either way it stays as evidence. */
export async function resolveOperation(opId: string, action: "accept" | "dismiss"): Promise<boolean> {
  const answer = await client.call("POST", `${PATH}/${opId}/resolution`, { json: { action } });
  await loadOffice(officeState.peek());
  return answer.kind === "ok";
}
