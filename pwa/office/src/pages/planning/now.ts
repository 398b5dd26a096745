import { nowThere } from "../../account.ts";
import { type Board, toBoardDay } from "./board.ts";

/** Returns the current time in days from the first day of a board. */
export function nowOn(from: Board["from"]): number {
  const { date, time } = nowThere();
  return toBoardDay(from, date, time);
}
