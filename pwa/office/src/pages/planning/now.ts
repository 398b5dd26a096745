import { nowThere } from "../../account.ts";
import { type Board, toBoardDay } from "./board.ts";

/** How far now is from the first day of a board, in days. */
export function nowOn(from: Board["from"]): number {
  const { date, time } = nowThere();
  return toBoardDay(from, date, time);
}
