import { signal } from "@preact/signals";
import type { SetupStepName } from "#domain/catalogue/setup.ts";
import type { Immutable } from "#shared/immutable.ts";
import type { AccountSetupMessage } from "#worker/api/office/resources/account-messages.ts";
import { hasUserRight } from "./account.ts";
import { sendOfficeRequest, toOfficePath } from "./api.ts";
import { reloadAccount } from "./read-account.ts";

/** Problem of the company's setup, as the office API lists it. */
export type SetupObstacle = Immutable<AccountSetupMessage["data"][number]>;

export type SetupGuideStep = Immutable<AccountSetupMessage["steps"][number]>;

/** Steps and problems of the company's setup. */
export interface SetupState {
  readonly obstacles: readonly SetupObstacle[];
  readonly steps: readonly SetupGuideStep[];
}

/** Setup status. Undefined if not loaded or not permitted. */
export const setupState = signal<SetupState | undefined>(undefined);

const SETUP_GUIDE_KEY = "office-led";

/** Whether the setup guide is shown on all pages. */
export const isSetupGuideActive = signal(sessionStorage.getItem(SETUP_GUIDE_KEY) !== null);

/** Shows or hides the setup guide on all pages of this tab. */
export function setSetupGuideActive(isActive: boolean): void {
  if (isActive) sessionStorage.setItem(SETUP_GUIDE_KEY, "yes");
  else sessionStorage.removeItem(SETUP_GUIDE_KEY);
  isSetupGuideActive.value = isActive;
}

/** Reloads the setup status. Throws if it can't be loaded. */
export async function readSetup(): Promise<SetupState | undefined> {
  if (!hasUserRight("administer")) return undefined;
  const { status, body } = await sendOfficeRequest<AccountSetupMessage>("POST", toOfficePath("/settings/dry-run"));
  if (status !== 200) throw new Error(String(status));
  setupState.value = {
    obstacles: body.data ?? [],
    steps: body.steps ?? [],
  };
  return setupState.value;
}

/** Reloads account data and setup status after a change of the company. */
export function reloadSetup(): void {
  void reloadAccount();
  if (isSetupGuideActive.value) readSetup().catch(() => undefined);
}

/** Whether customers can book and pay online. */
export const canCustomersPayOnline = ({ steps }: SetupState) => steps.every(({ blocks }) => !blocks);

/** Whether bookings are possible, by the company itself or with payment at pickup. */
export const canBookWithoutOnlinePayment = ({ steps }: SetupState) =>
  steps.every(({ name, blocks }) => !blocks || name === "payment");

// Setup step with the page that resolves each problem.
const SETUP_STEP_BY_PAGE: Readonly<Record<string, SetupStepName>> = {
  no_branch_group: "branches",
  no_branch: "branches",
  no_tax_number: "branches",
  wrong_tax_number: "branches",
  no_pickup_place: "places",
  no_return_place: "places",
  no_category: "categories",
  no_vehicle: "vehicles",
  no_price: "prices",
  no_method: "payment",
  no_option: "payment",
  gateway_closed: "payment",
  no_address: "website",
  one_administrator: "team",
};

/** Lists the problems of a step without duplicates. */
export function listObstacles({ obstacles }: SetupState, step: SetupStepName): readonly SetupObstacle[] {
  const own = obstacles.filter(({ code }) => SETUP_STEP_BY_PAGE[code] === step);
  return own.filter(({ code }, at) => own.findIndex((obstacle) => obstacle.code === code) === at);
}
