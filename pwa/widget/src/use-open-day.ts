import { useEffect, useRef, useState } from "preact/hooks";
import { addDays } from "./format.ts";

interface Proposal {
  readonly day: string;
  /** Whether the form proposes the day and nobody chose it: what is chosen stays, and the search says what is wrong. */
  readonly isProposed: boolean;
  /** Where it begins or ends; empty while that is not known. */
  readonly place: string;
  /** The open days between two days, both ends yyyy-mm-dd, in their order. */
  readonly loadDays: (from: string, to: string) => Promise<readonly string[]>;
  readonly onMove: (day: string) => void;
}

const DAYS_AHEAD = 31;

/**
 * Moves a day that the form proposes to the next open one of a month where the company is closed on it. Answers whether
 * that is done; a calendar that cannot be asked closes no day.
 */
export function useOpenDay({ day, isProposed, place, loadDays, onMove }: Proposal): boolean {
  const [known, setKnown] = useState("");
  const move = useRef(onMove);
  move.current = onMove;
  const requestKey = isProposed && place && day ? `${place} ${day}` : "";
  useEffect(() => {
    if (!requestKey || requestKey === known) return;
    let isLate = false;
    const offered = loadDays(day, addDays(day, DAYS_AHEAD)).catch((): readonly string[] => []);
    void offered.then(([open = day]) => {
      if (isLate) return;
      setKnown(`${place} ${open}`);
      if (open !== day) move.current(open);
    });
    return () => {
      isLate = true;
    };
  }, [requestKey]);
  return requestKey === "" || requestKey === known;
}
