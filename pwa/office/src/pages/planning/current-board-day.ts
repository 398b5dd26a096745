import { getCompanyDateTime } from "../../account.ts";
import { type Board, toBoardDay } from "./board.ts";

/** Returns the current time in days from the first day of a board. */
export function getCurrentBoardDay(boardStart: Board["from"]): number {
  const { date, time } = getCompanyDateTime();
  return toBoardDay(boardStart, date, time);
}
