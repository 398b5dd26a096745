import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { findLoadedBooking } from "../../state/day.ts";
import { replaceRoute, route, toHref } from "../../state/route.ts";
import { lastRemovedItem, restoreRemovedItem } from "../../state/undo-removal.ts";
import { changeOpenWork, draftKeyClosedInOtherTab, openWorkByKey, openWorkDraft } from "../../state/work.ts";
import { getWorkSteps, isWorkStepDone, type WorkStep } from "../../state/work-steps.ts";
import { Icon } from "../../ui/icon.tsx";
import { createLazyComponent } from "../../ui/lazy.tsx";
import { EmptyState } from "../../ui/parts.tsx";
import { Screen } from "../../ui/screen.tsx";
import { DamageStep } from "./damage-step.tsx";
import { calculateUnsettledAmounts } from "./draft-settlement.ts";
import { ExtrasStep } from "./extras-step.tsx";
import { MoneyStep } from "./money-step.tsx";
import { PhotosStep } from "./photos-step.tsx";
import { ReadingsStep } from "./readings-step.tsx";
import { ReviewStep } from "./review-step.tsx";
import { SignStep } from "./sign-step.tsx";
import type { StepProps } from "./step-props.ts";
import { VehicleStep } from "./vehicle-step.tsx";
import { WorkNotNeededWarning } from "./work-not-needed-warning.tsx";

const ReplacementStep = createLazyComponent(() => import("./replacement-step.tsx"));

const SCREENS: Readonly<Record<WorkStep, ComponentType<StepProps>>> = {
  vehicle: VehicleStep,
  readings: ReadingsStep,
  photos: PhotosStep,
  damage: DamageStep,
  replacement: ReplacementStep,
  photos_out: (props) => <PhotosStep {...props} vehicle="replacement" />,
  damage_out: (props) => <DamageStep {...props} vehicle="replacement" />,
  extras: ExtrasStep,
  money: MoneyStep,
  sign: SignStep,
  review: ReviewStep,
};

/** Step-by-step hand-over or return. It can be interrupted and resumed at any step. */
export default function WorkScreen() {
  const [, key = "", named, part] = route.value;
  const [opening, setOpening] = useState<Awaited<ReturnType<typeof openWorkByKey>>>();
  useEffect(() => {
    void openWorkByKey(key).then(setOpening);
  }, [key]);
  const draft = openWorkDraft.value;
  if (!draft || draft.key !== key) {
    const isGone = opening === "gone" || draftKeyClosedInOtherTab.value === key;
    return (
      <Screen title={t("work")} back={toHref("day")}>
        {isGone && <EmptyState icon="check" title={t("workGone")} />}
        {opening === "locked" && <EmptyState icon="key" title={t("workLocked")} />}
      </Screen>
    );
  }
  return <OpenWork draft={draft} requestedStep={named} part={part} />;
}

interface OpenProps {
  readonly draft: WorkDraft;
  readonly requestedStep: string | undefined;
  /** The open part of the step, such as a damage. */
  readonly part: string | undefined;
}

function OpenWork({ draft, requestedStep, part }: OpenProps) {
  const steps = getWorkSteps(draft.kind);
  const step =
    steps.find((step) => step === requestedStep) ?? steps.find((step) => step === draft.step) ?? steps[0] ?? "review";
  const index = steps.indexOf(step);
  useEffect(() => {
    if (requestedStep !== step) replaceRoute("work", draft.key, step);
    if (draft.step !== step) void changeOpenWork({ step });
    // Removed items can be restored until the user continues.
    lastRemovedItem.value = undefined;
  }, [requestedStep, step, draft.key]);
  const onNext = () => {
    location.hash = toHref("work", draft.key, steps[index + 1] ?? "review");
  };
  const Content = SCREENS[step];
  const before = steps[index - 1];
  const earlier = before ? toHref("work", draft.key, before) : toHref("booking", draft.booking_id);
  return (
    <Content
      key={step}
      draft={draft}
      part={part}
      onNext={onNext}
      frame={(action, content, actionKey) => (
        <Screen
          title={t(`step_${step}`)}
          eyebrow={`${t(`kind_${draft.kind}`)} · ${draft.label}`}
          back={part ? toHref("work", draft.key, step) : earlier}
          aside={
            <a class="round" href={toHref("booking", draft.booking_id)} aria-label={t("leaveWork")}>
              <Icon name="close" />
            </a>
          }
          action={
            <>
              <PutBack />
              {action}
            </>
          }
          {...(actionKey === undefined ? {} : { actionKey })}
        >
          <Steps draft={draft} step={step} />
          <WorkNotNeededWarning draft={draft} />
          {content}
        </Screen>
      )}
    />
  );
}

/** Restores the item removed last. */
function PutBack() {
  if (!lastRemovedItem.value) return null;
  return (
    <p class="note" role="status">
      <span class="grow">{t("removed", { what: lastRemovedItem.value.label })}</span>
      <button type="button" class="small" onClick={restoreRemovedItem}>
        {t("undo")}
      </button>
    </p>
  );
}

// Scrolls to the link of the current step, because the step names together are wider than a phone's screen.
const keepInSight = (link: HTMLElement | null) => link?.scrollIntoView({ block: "nearest", inline: "center" });

function Steps({ draft, step }: { readonly draft: WorkDraft; readonly step: WorkStep }) {
  const isSettled = findLoadedBooking(draft.booking_id) !== undefined && calculateUnsettledAmounts(draft).sum === 0;
  return (
    <nav class="steps" aria-label={t("steps")}>
      <ol>
        {getWorkSteps(draft.kind).map((item, index) => {
          const isDone = isWorkStepDone(draft, item, isSettled);
          return (
            <li key={item}>
              <a
                href={toHref("work", draft.key, item)}
                ref={item === step ? keepInSight : null}
                aria-current={item === step ? "step" : undefined}
              >
                {isDone ? <Icon name="check" size={18} /> : <b>{index + 1}</b>}
                <span>{t(`step_${item}`)}</span>
                {isDone && <span class="hidden">{t("doneStep")}</span>}
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
