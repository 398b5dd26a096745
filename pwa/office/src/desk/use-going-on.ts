import { useLayoutEffect, useRef } from "preact/hooks";
import type { Refused } from "./refusals.ts";

/** A form that whoever was refused goes on in: from its first wrong field, or from the button that was pressed. */
export function useFocusAfterError(wrong: Refused, isBusy: boolean) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (isBusy || !form.current) return;
    const isRefused = wrong.notice !== "" || Object.keys(wrong.fields).length > 0;
    const field = isRefused && form.current.querySelector<HTMLElement>("[aria-invalid=true]");
    if (field) field.focus();
    // A button that could not be pressed while it was answered has lost the focus.
    else if (document.activeElement === document.body)
      form.current.querySelector<HTMLElement>("[type=submit]")?.focus();
  }, [wrong, isBusy]);
  return form;
}
