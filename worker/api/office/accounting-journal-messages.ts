import { z } from "zod";
import type { CivilDate } from "#domain/dates.ts";
import { JOURNAL_FORMATS } from "#domain/reporting/journal.ts";
import { civilDateSchema, integerTextSchema } from "#worker/api/primitives.ts";

const MAX_CONSULTANT = 9_999_999;
const MAX_CLIENT = 99_999;
const MAX_COMPANY = 999_999;

/** Period and format of an accounting export. */
export const accountingJournalQuery = z.object({
  date_from: civilDateSchema
    .optional()
    .meta({ description: "By default the first day of the year", example: "2026-01-01" }),
  date_to: civilDateSchema
    .optional()
    .meta({ description: "By default the last day of the year of date_from", example: "2026-01-31" }),
  format: z.enum(JOURNAL_FORMATS, `must be one of ${JOURNAL_FORMATS.join(", ")}`).default("csv"),
  consultant: integerTextSchema(MAX_CONSULTANT, 1)
    .default(1001)
    .meta({ type: "integer", description: "DATEV: the adviser" }),
  client: integerTextSchema(MAX_CLIENT, 1)
    .default(1)
    .meta({ type: "integer", description: "DATEV and A3: the company" }),
  company_id: integerTextSchema(MAX_COMPANY, 1)
    .optional()
    .meta({ type: "integer", description: "Required if the branches belong to several companies", example: 1 }),
});

/** Converts a query to a request. The period defaults to the calendar year. */
export function toAccountingJournalRequest(
  { date_from, date_to, company_id: companyId, ...rest }: z.output<typeof accountingJournalQuery>,
  today: CivilDate,
) {
  const dateFrom = date_from ?? (`${today.slice(0, 4)}-01-01` as CivilDate);
  return { ...rest, companyId, dateFrom, dateTo: date_to ?? (`${dateFrom.slice(0, 4)}-12-31` as CivilDate) };
}
