import { useRef } from "preact/hooks";

interface Props {
  /** What the words are of: another object each time that it is found. */
  readonly of: object | undefined;
  readonly text: string;
}

/** Words within a live region, put there anew each time: the same ones twice would be heard once. */
export function Heard({ of, text }: Props) {
  const turn = useRef({ of, count: 0 });
  if (turn.current.of !== of) turn.current = { of, count: turn.current.count + 1 };
  return text === "" ? null : <span key={turn.current.count}>{text}</span>;
}
