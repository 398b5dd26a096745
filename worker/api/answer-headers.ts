import type { Context } from "hono";
import type { AppEnvironment } from "./environment.ts";

/** No answer has it. */
const ABSENT = "X-Absent";

/**
 * The headers of an answer that is there already, to be written. By `c.header` hono makes the whole answer anew for
 * each of them; here it is made anew once, and only where it came from elsewhere and cannot be written to.
 */
export function createAnswerHeaders(c: Context<AppEnvironment>): Headers {
  try {
    c.res.headers.delete(ABSENT);
  } catch {
    c.header(ABSENT, undefined);
  }
  return c.res.headers;
}
