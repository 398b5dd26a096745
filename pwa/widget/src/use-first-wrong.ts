import { useLayoutEffect, useRef } from "preact/hooks";

/** A form whose first wrong field takes the focus with what is said of it: what is typed next is its own. */
export function useFirstWrong(wrong: object) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [wrong]);
  return form;
}
