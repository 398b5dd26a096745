import { useLayoutEffect, useRef } from "preact/hooks";
import type { RefusalTexts } from "./refusals.ts";

/** Focuses the first invalid field after a rejection, or otherwise the pressed button. */
export function useFocusAfterError(refusal: RefusalTexts, isBusy: boolean) {
  const form = useRef<HTMLFormElement>(null);
  const hasSubmitted = useRef(false);
  useLayoutEffect(() => {
    if (isBusy) hasSubmitted.current = true;
    if (isBusy || !form.current) return;
    const isRefused = refusal.notice !== "" || Object.keys(refusal.fields).length > 0;
    const field = isRefused && form.current.querySelector<HTMLElement>("[aria-invalid=true]");
    if (field) field.focus();
    // The pressed button lost the focus while disabled. Return it only if the form was submitted.
    else if (hasSubmitted.current && document.activeElement === document.body)
      form.current.querySelector<HTMLElement>("[type=submit]")?.focus();
  }, [refusal, isBusy]);
  return form;
}
