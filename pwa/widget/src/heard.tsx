import { useRef } from "preact/hooks";

interface Props {
  /** What the words are of: another object each time that it is found. */
  readonly of: object | undefined;
  readonly text: string;
}

/** Words within a live region, put there anew each time: the same ones twice would be heard once. */
export function LiveRegionMessage({ of, text }: Props) {
  const updateCounter = useRef({ of, count: 0 });
  if (updateCounter.current.of !== of) updateCounter.current = { of, count: updateCounter.current.count + 1 };
  return text === "" ? null : <span key={updateCounter.current.count}>{text}</span>;
}
