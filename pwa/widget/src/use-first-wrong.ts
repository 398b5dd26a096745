import { useEffect, useRef } from "preact/hooks";

/** A form whose first wrong field takes the focus when something is found wrong. */
export function useFirstWrong(wrong: Readonly<Partial<Record<string, string>>>) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [wrong]);
  return form;
}
