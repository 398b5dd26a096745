import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Submits the form of its content, to show what the component does then. */
export function AutoSubmitted({ children }: { readonly children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector("form")?.requestSubmit(), []);
  return <div ref={place}>{children}</div>;
}
