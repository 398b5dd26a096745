import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

let isFirst = true;

/** Somebody has pressed something before any step was there. */
export function noteTouch(): void {
  isFirst = false;
}

/**
 * The title of a step. It takes the focus when the visitor comes to it, so that nobody has to look for what changed;
 * before it is painted, so that no key that follows reaches what is gone.
 */
export function Heading({ children }: { readonly children: ComponentChildren }) {
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    // The first one belongs to the page, which nobody has touched yet.
    if (!isFirst) title.current?.focus();
    isFirst = false;
  }, []);
  return (
    <h2 tabIndex={-1} ref={title}>
      {children}
    </h2>
  );
}
