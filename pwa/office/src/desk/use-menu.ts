import { useEffect, useRef } from "preact/hooks";
import { route } from "../route.ts";

/**
 * Returns the properties of a menu made of `details`, and a function that closes it. It closes on Escape, on a press
 * outside, when the focus moves to another element, and on another page.
 */
export function useDropdownMenu() {
  const ref = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (ref.current) ref.current.open = false;
  };
  const closeOutside = (target: EventTarget | null) => {
    if (target !== null && !ref.current?.contains(target as Node)) close();
  };
  useEffect(close, [route.value]);
  useEffect(() => {
    const onPress = ({ target }: Event) => closeOutside(target);
    addEventListener("pointerdown", onPress);
    return () => removeEventListener("pointerdown", onPress);
  }, []);
  const menu = {
    ref,
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      close();
      ref.current?.querySelector("summary")?.focus();
    },
    onFocusOut: ({ relatedTarget }: FocusEvent) => closeOutside(relatedTarget),
  };
  return { menu, close };
}
