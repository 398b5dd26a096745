import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

let isFirst = true;

/** Records that the visitor has interacted before the first step appeared. */
export function enableHeadingFocus(): void {
  isFirst = false;
}

/**
 * Title of a step. Gets the focus on navigation, so that the change is announced. Set before painting, so that no key
 * press reaches removed elements.
 */
export function Heading({ children }: { readonly children: ComponentChildren }) {
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    // Don't take the focus from the page before the visitor has interacted.
    if (!isFirst) title.current?.focus();
    isFirst = false;
  }, []);
  return (
    <h2 tabIndex={-1} part="heading" ref={title}>
      {children}
    </h2>
  );
}
