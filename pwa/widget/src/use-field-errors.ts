import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { VisitorProblem } from "./problems.ts";

type ErrorsByField = Readonly<Record<string, string>>;

/** Focuses the first invalid field of a form, so that the user can correct it and hears its error. */
export function useFirstErrorFocus(errors: object) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [errors]);
  return form;
}

/** Errors of a form's fields, of the last check or by the server. */
export function useFieldErrors(problem?: VisitorProblem) {
  const [wrong, setWrong] = useState<ErrorsByField>({});
  // Only a check moves the focus. Typing, which clears an error, doesn't.
  const [checked, setChecked] = useState({});
  const form = useFirstErrorFocus(checked);
  /** Shows the errors of a check. Returns whether there is none. */
  const show = (errors: ErrorsByField) => {
    setWrong(errors);
    setChecked({});
    return Object.keys(errors).length === 0;
  };
  const clear = (name: string) => setWrong(({ [name]: _, ...others }) => others);
  useEffect(() => {
    if (problem?.wrong) show(problem.wrong);
  }, [problem]);
  return { wrong, form, show, clear };
}
