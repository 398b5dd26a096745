import { z } from "zod";
import { toAmount } from "#domain/money.ts";
import { type MessageFormat, timestampTextSchema } from "#worker/api/integration/messages.ts";
import { integerTextSchema, textLineSchema } from "#worker/api/primitives.ts";
import { idCursorField } from "./cursor-messages.ts";

/** Reason for correcting a record, stored in the contract's history. */
export const taxRecordCorrectionBody = z.strictObject({
  reason: textLineSchema(200).meta({ example: "the rate has another code" }),
});
export type TaxRecordCorrectionRequest = z.input<typeof taxRecordCorrectionBody>;

const STATES = ["waiting", "accepted", "accepted_with_errors", "refused"] as const;

export const taxRecordsQuery = z.object({
  state: z.enum(STATES, `must be one of ${STATES.join(", ")}`).optional(),
  page_size: integerTextSchema(200, 1).default(50),
  after: idCursorField.optional(),
});

const verdict = {
  state: z.enum(STATES),
  code: z.string().nullable().meta({ description: "Error code of the tax agency. Null without one" }),
  description: z.string().nullable(),
  csv: z.string().nullable().meta({ description: "The tax agency's proof of the submission" }),
  attempts: z.int(),
  sent_at: timestampTextSchema.nullable(),
};

const taxRecordSchema = z
  .object({
    kind: z.enum(["registration", "annulment"]),
    position: z.int().meta({ description: "Place of the record in its chain" }),
    hash: z.string(),
    ...verdict,
  })
  .meta({ id: "MadeTaxRecord" });

/** Last record of a document. */
export const documentTaxRecordAnswer = z.object({
  record: z.record(z.string(), z.string()).meta({ description: "Hashed fields by the tax agency's names" }),
  hash: z.string(),
  previous_hash: z.string().meta({ description: "Hash of the previous record of the chain, empty for the first" }),
  qr_url: z.string(),
  ...verdict,
  xml: z.string().meta({ description: "The RegFactuSistemaFacturacion that carries it" }),
  records: z.array(taxRecordSchema).meta({ description: "All that were made of the document, the first first" }),
});

interface Verdict {
  readonly state: (typeof STATES)[number];
  readonly code: string | null;
  readonly description: string | null;
  readonly csv: string | null;
  readonly attempts: number;
  readonly sentAt: number | null;
}

interface StoredTaxRecord extends Verdict {
  readonly content: { readonly kind: "registration" | "annulment" };
  readonly position: number;
  readonly hash: string;
}

function toVerdictMessage({ state, code, description, csv, attempts, sentAt }: Verdict, messageFormat: MessageFormat) {
  return { state, code, description, csv, attempts, sent_at: sentAt === null ? null : messageFormat.timestamp(sentAt) };
}

export function toDocumentTaxRecordMessage(
  {
    row,
    fields,
    qrUrl,
    xml,
    allRecords,
  }: {
    readonly row: StoredTaxRecord & { readonly previousHash: string };
    readonly fields: Readonly<Record<string, string>>;
    readonly qrUrl: string;
    readonly xml: string;
    readonly allRecords: readonly StoredTaxRecord[];
  },
  messageFormat: MessageFormat,
): z.output<typeof documentTaxRecordAnswer> {
  return {
    record: { ...fields },
    hash: row.hash,
    previous_hash: row.previousHash,
    qr_url: qrUrl,
    ...toVerdictMessage(row, messageFormat),
    xml,
    records: allRecords.map((taxRecord) => ({
      kind: taxRecord.content.kind,
      position: taxRecord.position,
      hash: taxRecord.hash,
      ...toVerdictMessage(taxRecord, messageFormat),
    })),
  };
}

const listedRecord = z
  .object({
    id: z.int(),
    kind: z.enum(["registration", "annulment"]),
    document_id: z.int(),
    reservation_id: z.int().nullable(),
    issuer: z.string(),
    number: z.string(),
    date: z.string(),
    total: z.string(),
    customer_full_name: z.string(),
    position: z.int(),
    hash: z.string(),
    generated_at: timestampTextSchema,
    ...verdict,
    is_mended: z.boolean().meta({ description: "Whether the tax agency accepted a later record of the document" }),
    to_do: z.string().nullable().meta({ description: "What a user can do about it. Null if nothing is needed" }),
  })
  .meta({ id: "TaxRecord" });

const chain = z
  .object({
    issuer: z.string(),
    next_at: timestampTextSchema.nullable(),
    failed_since: timestampTextSchema
      .nullable()
      .meta({ description: "Since when nothing could be sent. Null if it works" }),
    problem: z.string().nullable(),
  })
  .meta({ id: "TaxChain" });

export const taxRecordList = z.object({
  data: z.array(listedRecord),
  total: z.int(),
  next: z.string().nullable(),
  counts: z.record(z.string(), z.int()).meta({ description: "How many there are of each state" }),
  unsent: z.int().meta({ description: "Records that the tax agency does not have yet" }),
  chains: z.array(chain),
});
export type TaxRecordListMessage = z.output<typeof taxRecordList>;

interface TaxRecordListRow extends Verdict {
  readonly id: number;
  readonly kind: "registration" | "annulment";
  readonly documentId: number;
  readonly bookingId: number | null;
  readonly issuer: string;
  readonly number: string;
  readonly date: string;
  readonly totalCents: number;
  readonly customer: string;
  readonly isMended: number;
  readonly position: number;
  readonly hash: string;
  readonly generatedAt: number;
}

interface ListedChain {
  readonly issuer: string;
  readonly nextAt: number | null;
  readonly failedSince: number | null;
  readonly problem: string | null;
}

/** Converts a record of the list. */
export function toListedTaxRecordMessage(
  row: TaxRecordListRow,
  messageFormat: MessageFormat,
): z.output<typeof listedRecord> {
  return {
    id: row.id,
    kind: row.kind,
    document_id: row.documentId,
    reservation_id: row.bookingId,
    issuer: row.issuer,
    number: row.number,
    date: row.date,
    total: toAmount(row.totalCents, messageFormat.decimals),
    customer_full_name: row.customer,
    position: row.position,
    hash: row.hash,
    generated_at: messageFormat.timestamp(row.generatedAt),
    ...toVerdictMessage(row, messageFormat),
    is_mended: row.isMended === 1,
    to_do: row.isMended === 1 ? null : toDo(row),
  };
}

export function toTaxRecordPageMessage(
  page: {
    readonly rows: readonly TaxRecordListRow[];
    readonly total: number;
    readonly next: number | undefined;
    readonly counts: Readonly<Record<string, number>>;
    readonly chains: readonly ListedChain[];
  },
  messageFormat: MessageFormat,
): z.output<typeof taxRecordList> {
  const moment = (at: number | null) => (at === null || at === 0 ? null : messageFormat.timestamp(at));
  return {
    data: page.rows.map((row) => toListedTaxRecordMessage(row, messageFormat)),
    total: page.total,
    next: page.next === undefined ? null : String(page.next),
    counts: { ...page.counts },
    unsent: page.counts["waiting"] ?? 0,
    chains: page.chains.map(({ issuer, nextAt, failedSince, problem }) => ({
      issuer,
      next_at: moment(nextAt),
      failed_since: moment(failedSince),
      problem,
    })),
  };
}

// A clock error doesn't require a correction (Validaciones 4.3.1).
const HARMLESS = ["2004", "2009"];

function toDo({ state, code }: Verdict): string | null {
  if (state === "refused")
    return "Put right what it says and amend the record; where the paper itself is wrong, issue a credit note";
  if (state !== "accepted_with_errors" || HARMLESS.includes(code ?? "")) return null;
  return "Put right what it says and amend the record";
}
