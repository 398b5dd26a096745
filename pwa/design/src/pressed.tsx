import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface PressedProps {
  readonly times?: number;
  readonly children: ComponentChildren;
}

/** Presses the first button of its content, to show what the component does then. */
export function AutoPressed({ times = 1, children }: PressedProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const press = (left: number) => {
      if (left === 0) return;
      place.current?.querySelector<HTMLElement>("button")?.click();
      setTimeout(() => press(left - 1));
    };
    press(times);
  }, []);
  return <div ref={place}>{children}</div>;
}
