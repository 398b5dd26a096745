import { useEffect, useRef } from "preact/hooks";
import { route } from "../route.ts";

interface MenuOptions {
  /** Whether a click outside closes the menu. Not with selects, whose lists take the focus away. */
  readonly closesOnBlur?: boolean;
}

/**
 * Returns the properties of a menu made of `details`, and a function that closes it. It closes on Escape, when the
 * focus moves to another element, and on another page.
 */
export function useMenu({ closesOnBlur = false }: MenuOptions = {}) {
  const ref = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (ref.current) ref.current.open = false;
  };
  useEffect(close, [route.value]);
  const menu = {
    ref,
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      close();
      ref.current?.querySelector("summary")?.focus();
    },
    onFocusOut: ({ relatedTarget }: FocusEvent) => {
      const isOutside = !ref.current?.contains(relatedTarget as Node | null);
      if (isOutside && (relatedTarget !== null || closesOnBlur)) close();
    },
  };
  return { menu, close };
}
