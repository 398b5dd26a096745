import { useRef } from "preact/hooks";

interface Props {
  /** Source of the text. Each error is a new object. */
  readonly of: object | undefined;
  readonly text: string;
}

/** Live region that re-creates its text each time, because an identical text would be announced only once. */
export function LiveRegionMessage({ of, text }: Props) {
  const updateCounter = useRef({ of, count: 0 });
  if (updateCounter.current.of !== of) updateCounter.current = { of, count: updateCounter.current.count + 1 };
  return text === "" ? null : <span key={updateCounter.current.count}>{text}</span>;
}
