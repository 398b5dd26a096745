import { type Answer, getContent } from "../api.ts";
import type { MoveQuote, Reason } from "./quote.ts";
import { listReasons } from "./refusals.ts";

/** Converts a response to a quote. A rejected quote becomes an action that isn't allowed. */
export function toMoveQuote(move: MoveQuote["move"], answer: Answer<MoveQuote>): MoveQuote {
  return getContent(answer) ?? refusedQuote(move, listReasons(answer));
}

/** Creates the quote of an action that isn't allowed. */
export function refusedQuote(move: MoveQuote["move"], reasons: readonly Reason[]): MoveQuote {
  const nothing = { difference: "0", fee: "0", to_refund: "0", quote: null, transfer: null };
  return { move, allowed: false, reasons, warnings: [], ...nothing };
}
