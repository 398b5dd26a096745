import { useRef, useState } from "preact/hooks";
import { addDays } from "./format.ts";
import { useLatestLoad } from "./use-latest.ts";

interface Proposal {
  readonly day: string;
  /** Whether the date is a default, not chosen by the visitor. Chosen dates stay, and the search validates them. */
  readonly isProposed: boolean;
  /** Pickup or return place. Empty while unknown. */
  readonly place: string;
  /** Loads the open days between two dates, both yyyy-mm-dd, in order. */
  readonly loadDays: (from: string, to: string) => Promise<readonly string[]>;
  readonly onMove: (day: string) => void;
}

const DAYS_AHEAD = 31;

/**
 * Moves a default date to the next open day within a month if the company is closed. Returns whether this is finished.
 * If open days can't be loaded, all count as open.
 */
export function useProposedOpenDay({ day, isProposed, place, loadDays, onMove }: Proposal): boolean {
  const [known, setKnown] = useState("");
  const move = useRef(onMove);
  move.current = onMove;
  const requestKey = isProposed && place && day ? `${place} ${day}` : "";
  useLatestLoad([requestKey], (isCurrent) => {
    if (!requestKey || requestKey === known) return;
    const offered = loadDays(day, addDays(day, DAYS_AHEAD)).catch((): readonly string[] => []);
    void offered.then(([open = day]) => {
      if (!isCurrent()) return;
      setKnown(`${place} ${open}`);
      if (open !== day) move.current(open);
    });
  });
  return requestKey === "" || requestKey === known;
}
