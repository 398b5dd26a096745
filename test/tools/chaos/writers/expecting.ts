import type { Expectation } from "../history.ts";
import type { WriterContext } from "./context.ts";

/** A question to the account's database. */
export type Question = Pick<Expectation, "account" | "sql" | "values">;

/** From now on so many rows of the question are there, at every kill; `name` says what that is. */
export function expectRows(
  { history }: Pick<WriterContext, "history">,
  name: string,
  question: Question,
  rows: number | readonly [number, number],
): void {
  const [atLeast, atMost] = typeof rows === "number" ? [rows, rows] : rows;
  history.expectations.set(name, { ...question, atLeast, atMost });
}

/**
 * Does what brings so many rows of a question: until it is answered there are as many as before or as then; afterwards
 * as many as then, or as before where it answers undefined, refused. Answers what it answers.
 */
export async function expecting<T>(
  context: Pick<WriterContext, "history">,
  name: string,
  { before, after, ...question }: Question & { readonly before: number; readonly after: number },
  doing: () => Promise<T | undefined>,
): Promise<T | undefined> {
  expectRows(context, name, question, [Math.min(before, after), Math.max(before, after)]);
  const actionResult = await doing();
  expectRows(context, name, question, actionResult === undefined ? before : after);
  return actionResult;
}
