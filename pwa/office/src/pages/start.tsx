import { useEffect, useState } from "preact/hooks";
import type { SetupStepName } from "#domain/catalogue/setup.ts";
import { account } from "../account.ts";
import { LoadErrorMessage } from "../desk/load-error.tsx";
import { SettingsCrumbs } from "../desk/settings-crumbs.tsx";
import { linkTo, linkToWithQuery } from "../route.ts";
import {
  canCustomersPayOnline,
  listObstacles,
  readSetup,
  type SetupGuideStep,
  type SetupState,
  setSetupGuideActive,
  setupState,
} from "../setup-state.ts";
import { type TextKey, t, tOr } from "../texts.ts";
import { WidgetEmbedCode } from "./start/embed-code.tsx";
import { SameOpeningHoursForm } from "./start/same-opening-hours.tsx";

interface StepAction {
  readonly text: TextKey;
  readonly href: string;
}

/**
 * Setup guide from an empty company to the first online payment. Each step lists its requirements and is checked
 * automatically.
 */
export default function SetupGuide() {
  const [problem, setProblem] = useState("");
  const read = () => {
    setProblem("");
    readSetup().then(
      // Activate the guide only if customers can't pay online yet. Companies that already sell don't need it.
      (setupStatus) => setupStatus && !canCustomersPayOnline(setupStatus) && setSetupGuideActive(true),
      () => setProblem(t("notLoaded")),
    );
  };
  useEffect(read, []);
  const setupStatus = setupState.value;
  return (
    <main>
      <SettingsCrumbs />
      <h1>{t("firstSteps")}</h1>
      <p>{t("setupLead")}</p>
      <LoadErrorMessage problem={problem} onRetry={read} />
      {!setupStatus && !problem && <p>{t("loading")}</p>}
      {setupStatus && <Steps setup={setupStatus} onChange={read} />}
    </main>
  );
}

function Steps({ setup: setupStatus, onChange }: { readonly setup: SetupState; readonly onChange: () => void }) {
  const { steps } = setupStatus;
  const next = steps.find(({ done }) => !done);
  return (
    <>
      <Outcome setup={setupStatus} />
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.name} class="panel" data-done={step.done} aria-current={step === next ? "step" : undefined}>
            <h2>{t(`step.${step.name}`)}</h2>
            <span class="state" data-state={step.done ? "in_progress" : "pending_confirmation"}>
              {t(step.done ? "setupDone" : "setupOpen")}
            </span>
            <p class="soft">{t(getStepTextKey(step))}</p>
            <Missing setup={setupStatus} step={step} />
            {isWithoutHours(step) && <SameOpeningHoursForm branches={step.missing} onDone={onChange} />}
            {step.name === "website" && <WidgetEmbedCode />}
            <div class="buttons">
              {listStepActions(step).map(({ text, href }, at) => (
                <a key={href} class={step === next && at === 0 ? "button main" : "button"} href={href}>
                  {t(text)}
                </a>
              ))}
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

// If websites need a key, the company has no booking page of its own.
const getStepTextKey = ({ name }: SetupGuideStep): TextKey =>
  name === "website" && !account.value.books_at_own_address ? "stepAbout.websiteKeyed" : `stepAbout.${name}`;

function Outcome({ setup: setupStatus }: { readonly setup: SetupState }) {
  const { steps } = setupStatus;
  const completedCount = steps.filter((step) => step.done).length;
  return (
    <section class="panel" aria-live="polite">
      <p class="strong">{t("setupDoneOf", { done: completedCount, all: steps.length })}</p>
      <progress
        max={steps.length}
        value={completedCount}
        aria-label={t("setupDoneOf", { done: completedCount, all: steps.length })}
      />
      {canCustomersPayOnline(setupStatus) && (
        <p class="calm">
          {t("setupSells")}{" "}
          {account.value.books_at_own_address ? (
            <>
              {completedCount === steps.length && t("setupAll")}{" "}
              <a href="/" target="_blank" rel="noreferrer">
                {t("setupTry")}
              </a>
            </>
          ) : (
            t("setupElsewhere")
          )}
        </p>
      )}
    </section>
  );
}

function Missing({ setup: setupStatus, step }: { readonly setup: SetupState; readonly step: SetupGuideStep }) {
  if (step.done) return null;
  const names = step.name === "payment" ? step.missing.map((text) => tOr(`option.${text}`, text)) : step.missing;
  return (
    <ul class="plain">
      {listObstacles(setupStatus, step.name).map(({ code, why }) => (
        <li key={code}>{tOr(`obstacle.${code}`, why)}</li>
      ))}
      {names.length > 0 && <li>{t("setupMissing", { what: names.join(", ") })}</li>}
    </ul>
  );
}

const isWithoutHours = ({ name, done, missing }: SetupGuideStep) => name === "hours" && !done && missing.length > 0;
const isWithoutGroup = () => setupState.value?.obstacles.some(({ code }) => code === "no_branch_group") ?? false;
const settingsFor = (group: string) => linkToWithQuery({ group }, "list", "settings");

// Actions of an open step. Completed steps link to their data.
const STEP_ACTIONS: Readonly<Record<SetupStepName, () => readonly StepAction[]>> = {
  branches: () =>
    isWithoutGroup()
      ? [{ text: "stepDo.group", href: linkTo("list", "branch-groups", "new") }]
      : [{ text: "stepDo.branches", href: linkTo("list", "branches", "new") }],
  places: () => [{ text: "stepDo.places", href: linkTo("list", "places", "new") }],
  hours: () => [{ text: "stepDo.otherHours", href: linkTo("opening-week") }],
  categories: () => [{ text: "stepDo.categories", href: linkTo("list", "categories", "new") }],
  vehicles: () => [{ text: "stepDo.vehicles", href: linkTo("fleet", "new") }],
  prices: () => [{ text: "stepDo.prices", href: linkTo("prices-table") }],
  payment: () => [
    { text: "stepDo.gateway", href: linkTo("list", "gateways", "new") },
    { text: "stepDo.offered", href: settingsFor("payment") },
  ],
  website: () => [{ text: "stepDo.website", href: settingsFor("websites") }],
  team: () => [{ text: "stepDo.team", href: linkTo("list", "users", "new") }],
};

const LISTS: Readonly<Record<SetupStepName, string>> = {
  branches: linkTo("list", "branches"),
  places: linkTo("list", "places"),
  hours: linkTo("opening-week"),
  categories: linkTo("list", "categories"),
  vehicles: linkTo("fleet"),
  prices: linkTo("prices-table"),
  payment: linkTo("list", "gateways"),
  website: settingsFor("websites"),
  team: linkTo("list", "users"),
};

function listStepActions({ name, done }: SetupGuideStep): readonly StepAction[] {
  const see: StepAction = { text: "setupSee", href: LISTS[name] };
  const isThere = account.value.rental_locations.length > 0;
  if (done) return [see];
  return name === "branches" && isThere ? [see, ...STEP_ACTIONS[name]()] : STEP_ACTIONS[name]();
}
