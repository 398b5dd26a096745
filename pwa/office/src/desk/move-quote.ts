import { type Answer, getContent } from "../api.ts";
import type { MoveQuote, Reason } from "./quote.ts";
import { listReasons } from "./refusals.ts";

/** What a move would do; a quote that is refused as a whole says so as one that may not be done. */
export function toMoveQuote(move: string, answer: Answer): MoveQuote {
  return getContent<MoveQuote>(answer) ?? refusedQuote(move, listReasons(answer));
}

/** A move that may not be done. */
export function refusedQuote(move: string, reasons: readonly Reason[]): MoveQuote {
  const nothing = { difference: "0", fee: "0", to_refund: "0", quote: null, transfer: null };
  return { move, allowed: false, reasons, warnings: [], ...nothing };
}
