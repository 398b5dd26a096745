import { z } from "zod";
import { BOOKING_STATUSES } from "#domain/bookings/bookings.ts";
import { parseCivilDate, parseTimestamp } from "#domain/dates.ts";
import { type BasisPoints, type Cents, formatRateAsPercent, toAmount } from "#domain/money.ts";
import { toPrintableLines } from "#domain/plain-text.ts";
import type { LedgerAccounts } from "#domain/reporting/accounts.ts";
import type { AcrissFields } from "#worker/api/acriss-messages.ts";
import { civilDateSchema, createRefineOptions, integerTextSchema, MAX_ID } from "#worker/api/primitives.ts";

// spec: docs/interfaces/integration.md. The API defines the spelling of every member in these messages.

const MAX_PAGE = 1_000_000;
const MAX_ROWS = 500;

/** Formatting rules for the amounts and times of one account. */
export interface MessageFormat {
  readonly decimals: number;
  readonly currency: string;
  /** The account's own address, for links to its pages. */
  readonly ownUrl: string;
  /** Formats an instant (epoch ms) in the account's time zone. */
  readonly timestamp: (at: number, separator?: " " | "T") => string;
  /**
   * Returns a branch's code, or null if the account has only one branch. `ofChannels` does the same for sales channels.
   */
  readonly ofBranches: (code: string | null) => string | null;
  readonly ofChannels: (code: string | null) => string | null;
  /** Ledger accounts of the company. */
  readonly accounts?: LedgerAccounts | undefined;
  /** Codes of tax rates that the law doesn't define. */
  readonly rateCodes?: Readonly<Record<string, string>> | undefined;
  /** Returns the ACRISS code of a category. */
  readonly acriss: (categoryCode: string) => AcrissFields;
}

/** Instant in the query: a timestamp, or a date meaning its first instant in the account's time zone. */
const updatedFrom = z
  .string()
  .refine(
    (text) => parseCivilDate(text) !== undefined || parseTimestamp(text) !== undefined,
    createRefineOptions("moment"),
  )
  .meta({
    example: "2026-01-01 00:00:00.000+01:00",
    description:
      "Only what changed since. A date starts at midnight of the account. Begin a minute before your last extraction, because changes carry their request's time. Repeated entities have the same id.",
  });

const flag = z
  .enum(["true", "false"], "must be true or false")
  .transform((text) => (text === "true" ? 1 : 0))
  .meta({ type: "string", enum: ["true", "false"] });

const code = z.string().min(1, "must not be empty").max(50, "must have at most 50 characters");

// Forms send fields without a choice as empty text.
function dayOrEmpty(description: string) {
  return z
    .union([z.literal("").transform(() => undefined), civilDateSchema], "must be a date that exists, yyyy-mm-dd")
    .optional()
    .meta({ type: "string", format: "date", description });
}

const FILTERS = {
  updated_from: updatedFrom.optional(),
  date_from: civilDateSchema.meta({ example: "2026-01-01" }).optional(),
  date_to: civilDateSchema.meta({ example: "2030-12-31" }).optional(),
  // Existing clients of the report use these names.
  from: dayOrEmpty("Same as `date_from`"),
  to: dayOrEmpty("Same as `date_to`"),
  status: z.enum(BOOKING_STATUSES, `must be one of ${BOOKING_STATUSES.join(", ")}`).optional(),
  accounting_processed: flag.optional(),
  charge_accounting_processed: flag.optional(),
  rental_location_code: code.optional(),
  rental_storage_id: integerTextSchema(MAX_ID).optional(),
};

const CURSOR =
  "The id (code, reference) of the last entity seen: the page begins after it. Extract all of a list by the first page and then by " +
  "`after` until a page is not full: each page costs the same, however deep. Not together with `page`.";
const key = {
  number: integerTextSchema(MAX_ID).meta({ type: "integer", description: CURSOR }),
  text: code.meta({ description: CURSOR }),
};

const page = integerTextSchema(MAX_PAGE)
  .optional()
  .meta({ type: "integer", minimum: 0, default: 0, description: "Page number, from 0, in the order of ids" });
const pageSize = integerTextSchema(MAX_ROWS, 1);
const everything = z.object({
  page,
  page_size: pageSize,
  after: z.union([key.number, key.text]).optional(),
  ...FILTERS,
});

/** Parsed query of any list, with all filters. */
export type ListQuery = z.output<typeof everything>;

/** Creates the query schema of a list from its default size, the type of its ids and its filters. */
export function createListQuery(
  defaultPageSize: number,
  idKind: keyof typeof key,
  filters: readonly (keyof typeof FILTERS)[],
): typeof everything {
  const schema = z
    .object({
      page,
      page_size: pageSize
        .optional()
        .transform((count) => count ?? defaultPageSize)
        .meta({ type: "integer", minimum: 1, maximum: MAX_ROWS, default: defaultPageSize }),
      after: key[idKind].optional(),
      ...Object.fromEntries(filters.map((name) => [name, FILTERS[name]])),
    })
    .superRefine((query: Pick<ListQuery, "page" | "after">, context) => {
      if (query.page !== undefined && query.after !== undefined)
        context.addIssue({ code: "custom", path: ["after"], message: "must not be given together with page" });
    });
  return schema as unknown as typeof everything;
}

export const idParams = z.object({ id: integerTextSchema(MAX_ID).meta({ type: "integer", example: 1 }) });

/** Creates the `{data, total}` schema. `total` counts all matches of the filters, regardless of the page. */
export function createPageAnswerSchema<T extends z.ZodType>(entity: T) {
  return z.object({ data: z.array(entity), total: z.number() });
}

/** RFC 8288: link to the next page after a full one. */
export const linkHeader = z.object({
  Link: z.string().optional().meta({
    description: "Link to the next page with the same filters, if the page is full. Following it misses no record",
    example: '</api/v1/integration/invoices?accounting_processed=false&after=31>; rel="next"',
  }),
});

/** Returns the address of the page after an entity, based on the requested address. */
export function createNextPageUrl(url: string, after: string): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.delete("page");
  searchParams.set("after", after);
  return `<${pathname}?${searchParams}>; rel="next"`;
}

export const nullableText = z.string().nullable();
export const timestampTextSchema = z.string().meta({ example: "2026-11-20 10:30:00.000+01:00" });

/** Formats an amount, or returns null if it is unknown. */
export function formatMoneyOrNull(cents: Cents | null, { decimals }: MessageFormat): string | null {
  return cents === null ? null : toAmount(cents, decimals);
}

export function formatPercentage(rate: BasisPoints): string {
  return formatRateAsPercent(rate);
}

const MAX_MESSAGE_LENGTH = 1000;

export const accountingResultBody = z
  .discriminatedUnion(
    "status",
    [
      z.object({ status: z.literal("processed").optional() }),
      z.object({
        status: z.literal("error"),
        message: z
          .string("must be text")
          .transform(toPrintableLines)
          .refine((text) => text.length > 0, createRefineOptions("empty"))
          .refine((text) => [...text].length <= MAX_MESSAGE_LENGTH, createRefineOptions("too_long", MAX_MESSAGE_LENGTH))
          .meta({ type: "string", minLength: 1, maxLength: MAX_MESSAGE_LENGTH }),
      }),
    ],
    "must be processed or error",
  )
  .meta({ description: "Absent or empty: processed. An error is stored for analysis" });

export const accountingResultAnswer = z.object({
  success: z.literal(true),
  id: z.number(),
  accounting_processed: z.boolean(),
});
