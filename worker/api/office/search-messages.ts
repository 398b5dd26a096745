import { z } from "zod";
import { formatQuoteNumber } from "#domain/quotes/quotes.ts";
import { searchedTextSchema } from "#worker/api/primitives.ts";

export const searchQuery = z.object({
  q: searchedTextSchema(60).meta({
    description: "Any part of a name, number, plate, document, mail or phone",
    example: "Ruiz",
  }),
});

const result = z
  .object({
    id: z.union([z.int(), z.string()]),
    title: z.string(),
    line: z.string().meta({ description: "Details that identify it" }),
    page: z.string().meta({ description: "Address of its page in the office", example: "/office/#/reservations/1" }),
  })
  .meta({ id: "SearchResult" });

const foundReservation = result
  .extend({ date_from: z.string(), time_from: z.string(), date_to: z.string(), status: z.string() })
  .meta({ id: "FoundReservation" });

export const searchAnswer = z
  .object({
    reservations: z.array(foundReservation),
    customers: z.array(result),
    vehicles: z.array(result),
    documents: z.array(result),
    quotes: z.array(result),
  })
  .meta({ id: "SearchResults", description: "At most five results of each kind" });

export type SearchMessage = z.output<typeof searchAnswer>;

type SearchResult = z.output<typeof result>;

const joinTexts = (...texts: readonly (string | null | undefined)[]) => texts.filter(Boolean).join(" · ");
const createResult = (page: string, id: number | string, title: string, line: string): SearchResult => {
  return { id, title, line, page: `/office/#/${page}` };
};

interface FoundReservation {
  readonly id: number;
  readonly customerName: string;
  readonly customerSurname: string;
  readonly dateFrom: string;
  readonly timeFrom: string;
  readonly dateTo: string;
  readonly status: string;
}

export function toFoundReservationMessage(row: FoundReservation): z.output<typeof foundReservation> {
  const name = `${row.customerName} ${row.customerSurname}`.trim();
  const line = joinTexts(`${row.dateFrom} ${row.timeFrom} – ${row.dateTo}`, row.status);
  const searchResult = createResult(`reservations/${row.id}`, row.id, joinTexts(String(row.id), name), line);
  return { ...searchResult, date_from: row.dateFrom, time_from: row.timeFrom, date_to: row.dateTo, status: row.status };
}

interface FoundCustomer {
  readonly id: number;
  readonly fullName: string | null;
  readonly name: string;
  readonly documentId: string | null;
  readonly email: string | null;
  readonly phoneNumber: string | null;
}

export function toFoundCustomerMessage(row: FoundCustomer): SearchResult {
  const line = joinTexts(row.documentId, row.email, row.phoneNumber);
  return createResult(`customers/${row.id}`, row.id, row.fullName ?? row.name, line);
}

interface FoundVehicle {
  readonly reference: string;
  readonly plate: string | null;
  readonly model: string | null;
  readonly categoryCode: string;
}

export function toFoundVehicleMessage(row: FoundVehicle): SearchResult {
  const line = joinTexts(row.reference, row.model, row.categoryCode);
  return createResult(`fleet/${encodeURIComponent(row.reference)}`, row.reference, row.plate ?? row.reference, line);
}

interface FoundQuote {
  readonly row: {
    readonly id: number;
    readonly year: number;
    readonly sequence: number;
    readonly customerName: string;
    readonly customerSurname: string;
    readonly dateFrom: string;
    readonly dateTo: string;
  };
}

export function toFoundQuoteMessage({ row }: FoundQuote): SearchResult {
  const name = `${row.customerName} ${row.customerSurname}`.trim();
  return createResult(
    `quotes/${row.id}`,
    row.id,
    formatQuoteNumber(row),
    joinTexts(name, `${row.dateFrom} – ${row.dateTo}`),
  );
}

interface FoundDocument {
  readonly id: number;
  readonly serie: string | null;
  readonly number: number | null;
  readonly date: string | null;
  readonly customerFullName: string;
  readonly concept: string;
}

export function toFoundDocumentMessage(row: FoundDocument): SearchResult {
  const title = row.number === null ? row.concept : `${row.serie}/${row.number}`;
  // Documents have no separate page, so link to the list.
  const page = `money/documents?q=${encodeURIComponent(row.number === null ? row.customerFullName : title)}`;
  return createResult(page, row.id, title, joinTexts(row.customerFullName, row.date));
}
