import { signal } from "@preact/signals";
import type { SetupStepName } from "#domain/catalogue/setup.ts";
import { may, takeAccount } from "./account.ts";
import { ask, office } from "./api.ts";
import { readAccount } from "./read-account.ts";

/** What keeps the account from something, as the office tells it. */
export interface Obstacle {
  readonly code: string;
  readonly why: string;
  readonly page: string;
}

export interface Step {
  readonly name: SetupStepName;
  readonly done: boolean;
  readonly blocks: boolean;
  readonly missing: readonly string[];
}

export interface Setup {
  readonly obstacles: readonly Obstacle[];
  readonly steps: readonly Step[];
}

/** How far the company is set up; undefined until it was read, or where somebody may not see it. */
export const setup = signal<Setup | undefined>(undefined);

const LED = "office-led";

/** Whether the office leads this person from step to step, on whatever page they are. */
export const isSetupGuideActive = signal(sessionStorage.getItem(LED) !== null);

export function lead(isActive: boolean): void {
  if (isActive) sessionStorage.setItem(LED, "yes");
  else sessionStorage.removeItem(LED);
  isSetupGuideActive.value = isActive;
}

/** Reads anew how far the company is; what cannot be read throws. */
export async function readSetup(): Promise<Setup | undefined> {
  if (!may("administer")) return undefined;
  const { status, body } = await ask("POST", office("/settings/dry-run"));
  if (status !== 200) throw new Error(String(status));
  setup.value = {
    obstacles: (body["data"] ?? []) as readonly Obstacle[],
    steps: (body["steps"] ?? []) as readonly Step[],
  };
  return setup.value;
}

/** Something of the company is another now: what every page knows of it, and how far it is set up, are read anew. */
export function noteChange(): void {
  // What is not read anew now comes with the next sign-in.
  readAccount()
    .then((account) => typeof account === "object" && takeAccount(account))
    .catch(() => undefined);
  if (isSetupGuideActive.value) readSetup().catch(() => undefined);
}

/** Whether customers can book and pay anything online. */
export const canSell = ({ steps }: Setup) => steps.every(({ blocks }) => !blocks);

/** Whether anything can be booked: by the company itself, and by who pays when they come. */
export const canBook = ({ steps }: Setup) => steps.every(({ name, blocks }) => !blocks || name === "payment");

// The page that mends an obstacle belongs to a step.
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

/** What keeps a step open, each once. */
export function listObstacles({ obstacles }: Setup, step: SetupStepName): readonly Obstacle[] {
  const own = obstacles.filter(({ code }) => SETUP_STEP_BY_PAGE[code] === step);
  return own.filter(({ code }, at) => own.findIndex((obstacle) => obstacle.code === code) === at);
}
