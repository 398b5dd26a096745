import { useEffect } from "preact/hooks";
import { linkTo, route } from "./route.ts";
import { isSetupGuideActive, readSetup, setSetupGuideActive, setupState } from "./setup-state.ts";
import { t } from "./texts.ts";

/** Setup progress and next step, shown on all pages of the setup guide. */
export function SetupBar({ isAway }: { readonly isAway: boolean }) {
  useEffect(() => {
    if (isSetupGuideActive.value && isAway) readSetup().catch(() => undefined);
  }, [route.value, isSetupGuideActive.value]);
  const setupStatus = setupState.value;
  const next = setupStatus?.steps.find(({ done }) => !done);
  // Hidden once all steps are done.
  if (!isSetupGuideActive.value || !isAway || !setupStatus || !next) return null;
  const { steps } = setupStatus;
  return (
    <aside class="setup-bar" aria-label={t("firstSteps")}>
      <p>
        {t("setupDoneOf", { done: steps.filter(({ done }) => done).length, all: steps.length })}
        <strong> · {t("setupNext", { step: t(`step.${next.name}`) })}</strong>
      </p>
      <a class="button main small" href={linkTo("start")}>
        {t("firstSteps")}
      </a>
      <button type="button" class="small" onClick={() => setSetupGuideActive(false)}>
        {t("setupLater")}
      </button>
    </aside>
  );
}
