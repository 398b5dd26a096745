import { z } from "zod";
import {
  COMPLETING,
  COMPLETING_FIELDS,
  type CompletingKind,
  type Completion,
} from "#domain/communications/completing.ts";
import { timestamp, type Writing } from "#worker/api/integration/messages.ts";
import {
  birthDate,
  civilDate,
  country,
  emailAddress,
  shapeOf,
  textLine,
  wholeNumberText,
} from "#worker/api/primitives.ts";

const LARGEST_ID = 999_999_999_999;
const KEPT = ["waiting", "dry", "sent", "accepted", "refused", "annulling", "annulled"] as const;
const STATES = ["not_due", "from_before", "missing_data", "due", "by_hand", ...KEPT] as const;

const communication = z
  .object({
    id: z.int().nullable().meta({ description: "Null before it is made" }),
    kind: z.enum(["RV", "AV"]).meta({ description: "RV: the reservation; AV: a vehicle that went out, each its own" }),
    unit_id: z.int().nullable(),
    part: z.int().meta({ description: "From 1: each further additional driver is told by a part of its own" }),
    state: z.enum(STATES).meta({
      description:
        "by_hand: the branch's register is one that a person tells; from_before: agreed before the account told anybody, and told when it changes",
    }),
    register: z.string().nullable().meta({ description: "Of what a person tells: whose" }),
    missing: z.array(z.string()).meta({ description: "What is to be asked for before the hand-over, by its names" }),
    wished: z.array(z.string()).meta({ description: "What the law's sheet names too: it goes without it" }),
    province: z
      .string()
      .nullable()
      .meta({ description: "Of the customer's post code: whose municipalities to choose from" }),
    xml: z.string().nullable().meta({ description: "As it is or would be sent; null where something is missing" }),
    code: z.string().nullable().meta({ description: "The ministry's, once accepted" }),
    error: z
      .string()
      .nullable()
      .meta({ description: "What the ministry said; to_annul_by_hand: it waits for a person" }),
  })
  .meta({ id: "Communication" });

export const communicationList = z.array(communication);
export const tryAnswer = z.object({ works: z.boolean(), problem: z.string().nullable() });

const SAID = {
  name: textLine(50),
  number: textLine(25),
  phone: textLine(20),
  email: emailAddress(100),
  text: textLine(60),
  municipality: z.string("must be text").regex(/^\d{5}$/, "must be the five digits of the municipality"),
  zip: textLine(10),
  country,
  date: civilDate,
} satisfies Readonly<Record<CompletingKind, z.ZodType<string>>>;

const said = shapeOf(
  COMPLETING_FIELDS,
  (name): z.ZodOptional<z.ZodType<string>> =>
    (name === "driver_date_of_birth" ? birthDate : SAID[COMPLETING[name]]).optional(),
);

/** What is said of a reservation's people; by the names that `missing` has. */
export const completionBody = z
  .strictObject({ expected_version: z.int("must be a whole number").min(1), ...said })
  .meta({ id: "CommunicationCompletion" });

export function toCompletion(body: z.output<typeof completionBody>) {
  const { expected_version: expectedVersion, ...rest } = body;
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return { expectedVersion, said: Object.fromEntries(given) as Completion };
}

interface Communication {
  readonly kind: "RV" | "AV";
  readonly unitId: number | null;
  readonly part: number;
  readonly isDue: boolean;
  readonly isFromBefore: boolean;
  readonly missing: readonly string[];
  readonly wished: readonly string[];
  readonly province: string | undefined;
  readonly byHand: string | undefined;
  readonly xml: string | undefined;
  readonly kept:
    | {
        readonly id: number;
        readonly state: string;
        readonly xml: string;
        readonly code: string | null;
        readonly error: string | null;
      }
    | undefined;
}

export function fromCommunications(wanted: readonly Communication[]): z.output<typeof communicationList> {
  return wanted.map((one) => ({
    id: one.kept?.id ?? null,
    kind: one.kind,
    unit_id: one.unitId,
    part: one.part,
    state: STATES.find((state) => state === one.kept?.state) ?? stateOf(one),
    register: one.byHand ?? null,
    missing: [...one.missing],
    wished: [...one.wished],
    province: one.province ?? null,
    xml: one.kept?.xml ?? one.xml ?? null,
    code: one.kept?.code ?? null,
    error: one.kept?.error ?? null,
  }));
}

function stateOf({ isDue, isFromBefore, missing, byHand }: Communication): (typeof STATES)[number] {
  if (!isDue) return "not_due";
  if (isFromBefore) return "from_before";
  if (byHand !== undefined) return "by_hand";
  return missing.length > 0 ? "missing_data" : "due";
}

export const communicationsQuery = z.object({
  state: z.enum(KEPT, `must be one of ${KEPT.join(", ")}`).optional(),
  page_size: wholeNumberText(200, 1).default(50),
  after: wholeNumberText(LARGEST_ID).optional().meta({ description: "`next` of the page before" }),
});

const listed = z
  .object({
    id: z.int(),
    reservation_id: z.int(),
    customer: z.string(),
    rental_location_code: z.string(),
    kind: z.enum(["RV", "AV"]),
    state: z.enum(KEPT),
    code: z.string().nullable(),
    error: z
      .string()
      .nullable()
      .meta({ description: "What the ministry said; to_annul_by_hand: it waits for a person" }),
    can_be_sent_again: z.boolean().meta({ description: "Refused, and of a reservation that is not cancelled" }),
    attempts: z.int(),
    created_at: timestamp,
    answered_at: timestamp.nullable(),
  })
  .meta({ id: "ListedCommunication" });

export const communicationPage = z.object({
  data: z.array(listed),
  total: z.int(),
  next: z.string().nullable(),
  counts: z.record(z.string(), z.int()).meta({ description: "How many there are of each state" }),
  mode: z.enum(["none", "dry_run", "ses"]).meta({ description: "Whether what is rented now is communicated at all" }),
});

interface Listed {
  readonly id: number;
  readonly bookingId: number;
  readonly customer: string;
  readonly branchCode: string;
  readonly kind: "RV" | "AV";
  readonly state: (typeof KEPT)[number];
  readonly code: string | null;
  readonly error: string | null;
  readonly isToSendAgain: boolean;
  readonly attempts: number;
  readonly createdAt: number;
  readonly answeredAt: number | null;
}

export function fromCommunicationPage(
  page: {
    readonly rows: readonly Listed[];
    readonly total: number;
    readonly next: number | undefined;
    readonly counts: Readonly<Record<string, number>>;
    readonly mode: "none" | "dry_run" | "ses";
  },
  writing: Writing,
): z.output<typeof communicationPage> {
  return {
    data: page.rows.map((one) => ({
      id: one.id,
      reservation_id: one.bookingId,
      customer: one.customer,
      rental_location_code: one.branchCode,
      kind: one.kind,
      state: one.state,
      code: one.code,
      error: one.error,
      can_be_sent_again: one.isToSendAgain,
      attempts: one.attempts,
      created_at: writing.timestamp(one.createdAt),
      answered_at: one.answeredAt === null ? null : writing.timestamp(one.answeredAt),
    })),
    total: page.total,
    next: page.next === undefined ? null : String(page.next),
    counts: { ...page.counts },
    mode: page.mode,
  };
}
