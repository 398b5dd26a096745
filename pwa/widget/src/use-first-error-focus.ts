import { useLayoutEffect, useRef } from "preact/hooks";

/** Focuses the first invalid field of a form, so that the user can correct it and hears its error. */
export function useFirstErrorFocus(errors: object) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [errors]);
  return form;
}
