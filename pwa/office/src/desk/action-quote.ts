import { getSuccessfulContent, type OfficeResponse } from "../api.ts";
import type { ActionQuote, RefusalReason } from "./quote.ts";
import { listReasons } from "./refusals.ts";

/** Converts a response to a quote. A rejected quote becomes an action that isn't allowed. */
export function toActionQuote(action: ActionQuote["move"], answer: OfficeResponse<ActionQuote>): ActionQuote {
  return getSuccessfulContent(answer) ?? toRefusedActionQuote(action, listReasons(answer));
}

/** Creates the quote of an action that isn't allowed. */
export function toRefusedActionQuote(action: ActionQuote["move"], reasons: readonly RefusalReason[]): ActionQuote {
  const nothing = { difference: "0", fee: "0", to_refund: "0", quote: null, transfer: null };
  return { move: action, allowed: false, reasons, warnings: [], ...nothing };
}
