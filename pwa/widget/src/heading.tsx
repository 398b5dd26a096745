import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

let isFirst = true;

/**
 * The title of a step. It takes the focus when the visitor comes to it, so that nobody has to look for what changed.
 */
export function Heading({ children }: { readonly children: ComponentChildren }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
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
