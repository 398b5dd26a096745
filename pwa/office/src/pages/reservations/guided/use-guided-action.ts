import { useEffect, useState } from "preact/hooks";
import type { OfficeResponse } from "../../../api.ts";
import type { FormValues } from "../../../desk/fields.ts";
import { type RefusalTexts, toRefusalTexts } from "../../../desk/refusals.ts";
import type { Reservation, ReservationDetail } from "../../../desk/reservation.ts";
import { useSubmitOnce } from "../../../desk/submit-once.ts";
import { useFocusAfterError } from "../../../desk/use-error-focus.ts";
import { useReservationVersions } from "../../../desk/use-newest-reservation.ts";
import { t } from "../../../texts.ts";
import { readFormDraft, saveFormDraft } from "../../form-drafts.ts";
import { translateGuided as g } from "./texts.ts";

export const NO_REFUSAL_TEXTS: RefusalTexts = { fields: {}, notice: "" };

/** Properties of a guided action. */
export interface GuidedFormProps {
  readonly of: ReservationDetail;
  readonly title: string;
  readonly onChanged: (after: Partial<ReservationDetail>) => void;
  readonly onDone: (after: Partial<ReservationDetail>) => void;
  readonly onClose: (isOutdated: boolean) => void;
}

interface Guided {
  readonly list: string;
  readonly title: string;
  readonly of: Reservation;
  readonly onDone: (after: Partial<ReservationDetail>) => void;
}

export type GuidedState = ReturnType<typeof useGuidedAction>;

/**
 * State of a guided action: typed values as a draft, the reservation as it was seen and as it is now, and the sending
 * of the whole action at its end.
 */
export function useGuidedAction({ list, title, of, onDone }: Guided) {
  const { seen, now, setNewer, continueWith } = useReservationVersions(of);
  const [typed, setTyped] = useState<FormValues>(() => readFormDraft(list, String(of.id)));
  const [wrong, setWrong] = useState(NO_REFUSAL_TEXTS);
  const take = (answer: OfficeResponse<ReservationDetail> | undefined): boolean => {
    if (!answer) setWrong({ fields: {}, notice: t("notSent") });
    else if (answer.body.code === "changed_meanwhile" && answer.body.reservation) setNewer(answer.body.reservation);
    else if (answer.status >= 300) setWrong(toRefusalTexts(answer));
    else return true;
    return false;
  };
  const { isBusy, send } = useSubmitOnce<ReservationDetail>({
    draft: [list, String(of.id)],
    title,
    take: (answer) => {
      if (take(answer) && answer) onDone(answer.body);
    },
  });
  const form = useFocusAfterError(wrong, isBusy);
  return {
    ...{ seen, now, continueWith, typed, wrong, setWrong, isBusy, send, form, take },
    setValue: (name: string, value: unknown) => {
      // Add to the stored values, because those of the last render may lack values typed in the meantime.
      const next = { ...readFormDraft(list, String(of.id)), [name]: value };
      saveFormDraft(list, String(of.id), next);
      setTyped(next);
      setWrong(NO_REFUSAL_TEXTS);
    },
  };
}

type FieldProblems = Readonly<Record<string, string>>;

interface StepChecks<Step extends string> {
  /** Whether the data for the checks is loaded. */
  readonly isLoaded: boolean;
  /** Returns the problems of a step by field. */
  readonly findProblems: (step: Step) => FieldProblems;
}

/**
 * Open step of a guided action, stored with its draft. A draft that is opened again continues at its step, or at the
 * first earlier step with a problem once its data is loaded.
 */
export function useGuidedStep<Step extends string>(
  steps: readonly [Step, ...Step[]],
  { typed, setValue, setWrong }: Pick<GuidedState, "typed" | "setValue" | "setWrong">,
  { isLoaded, findProblems }: StepChecks<Step>,
) {
  const step = steps.find((name) => name === typed["step"]) ?? steps[0];
  const setStep = (name: Step) => setValue("step", name);
  const [isChecked, setChecked] = useState(false);
  const current = steps.indexOf(step);
  // Opens the first of these steps with a problem. Returns whether there is one.
  const openProblem = (checkedSteps: readonly Step[]): boolean => {
    const problem = checkedSteps
      .map((name) => ({ name, fields: findProblems(name) }))
      .find(({ fields }) => Object.keys(fields).length > 0);
    if (!problem) return false;
    setStep(problem.name);
    setWrong({ fields: problem.fields, notice: g("fixStep") });
    return true;
  };
  useEffect(() => {
    if (!isLoaded || isChecked) return;
    setChecked(true);
    openProblem(steps.slice(0, current));
  }, [isLoaded]);
  return {
    step,
    setStep,
    /** Opens the first step with a problem up to the current one. Returns whether there is one. */
    openFirstProblem: () => openProblem(steps.slice(0, current + 1)),
  };
}
