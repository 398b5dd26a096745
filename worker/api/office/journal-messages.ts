import { z } from "zod";
import { civilDate, integerText } from "#worker/api/primitives.ts";

const MAX_CONSULTANT = 9_999_999;
const MAX_CLIENT = 99_999;

/** Period and format of an accounting export. */
export const journalQuery = z.object({
  date_from: civilDate.meta({ example: "2026-01-01" }),
  date_to: civilDate.meta({ example: "2026-12-31" }),
  format: z.enum(["csv", "datev"], "must be csv or datev").default("csv"),
  consultant: integerText(MAX_CONSULTANT, 1).default(1001).meta({ type: "integer", description: "DATEV: the adviser" }),
  client: integerText(MAX_CLIENT, 1).default(1).meta({ type: "integer", description: "DATEV: the company" }),
});

/** Converts a query to a request. */
export function toJournalRequest({ date_from: dateFrom, date_to: dateTo, ...rest }: z.output<typeof journalQuery>) {
  return { ...rest, dateFrom, dateTo };
}
