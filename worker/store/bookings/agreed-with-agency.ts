import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { bookingExtras, bookingLines, bookings } from "#worker/store/schema/bookings.ts";

type Row = typeof bookings.$inferSelect;
type LineRow = typeof bookingLines.$inferSelect;
type ExtraRow = typeof bookingExtras.$inferSelect;

// What of a booking changes while its vehicles are out, but for what its return is charged.
const AGREED = [
  ...(["dateTo", "timeTo", "returnPlaceId", "returnPlace", "days"] as const),
  ...(["itemCents", "extrasCents", "timeToCents", "returnPlaceCents", "driverAgeCents"] as const),
  ...(["productDepositCents", "productGuaranteeCents", "driverAgeDepositCents", "totalDepositCents"] as const),
  ...(["productDepositReductionCents", "productGuaranteeReductionCents"] as const),
] as const satisfies readonly (keyof Row)[];

/** A booking as its agency agreed to it; the total is without what the return was charged. */
type AgreedRow = Pick<Row, (typeof AGREED)[number]> & { readonly totalCents: number };

interface AgreedWithAgency {
  readonly booking: AgreedRow;
  readonly lines: readonly LineRow[];
  readonly extras: readonly ExtraRow[];
}

/** A name and an expression. */
type Pair = readonly [name: string, value: string];

const bookingColumns = getTableColumns(bookings);
const toColumnPairs = (columns: Readonly<Record<string, { readonly name: string }>>): readonly Pair[] =>
  Object.entries(columns).map(([name, column]) => [name, column.name]);

// D1 takes 32 arguments of a function, where the local runtime takes more.
const MAX_JSON_PAIRS = 15;

function toJsonSql(pairs: readonly Pair[]): string {
  const named = (some: readonly Pair[], path: string) =>
    some.map(([name, value]) => `'${path}${name}', ${value}`).join(", ");
  const first = `json_object(${named(pairs.slice(0, MAX_JSON_PAIRS), "")})`;
  const starts = Array.from(
    { length: Math.ceil(pairs.length / MAX_JSON_PAIRS) - 1 },
    (_, at) => (at + 1) * MAX_JSON_PAIRS,
  );
  return starts.reduce(
    (whole, start) => `json_set(${whole}, ${named(pairs.slice(start, start + MAX_JSON_PAIRS), "$.")})`,
    first,
  );
}

const selectJsonRows = (table: string, columns: Parameters<typeof toColumnPairs>[0]) =>
  `(SELECT json_group_array(${toJsonSql(toColumnPairs(columns))} ORDER BY id) FROM ${table} WHERE ${table}.booking_id = bookings.id)`;

/**
 * What is kept of an agency's booking when its first vehicle goes out, as an expression of the update that says so:
 * what its customer buys and is charged from then on is the contract's (docs/interfaces/rules.md#agencies).
 */
export const AGREED_WITH_AGENCY: SQL =
  sql.raw(`CASE WHEN agency_id IS NULL OR status <> 'confirmed' THEN agreed_with_agency
  ELSE json_object('booking', json(${toJsonSql([
    ...AGREED.map((name) => [name, bookingColumns[name].name] as const),
    ["totalCents", "total_cents - supplement_1_cents - supplement_2_cents - supplement_3_cents"],
  ])}),
    'lines', json(${selectJsonRows("booking_lines", getTableColumns(bookingLines))}),
    'extras', json(${selectJsonRows("booking_extras", getTableColumns(bookingExtras))})) END`);

/** The rows of an agency's booking as it was agreed with it. */
export function asAgreedWithAgency([rows, lines, extras]: readonly [
  readonly Row[],
  readonly LineRow[],
  readonly ExtraRow[],
]): readonly [readonly Row[], readonly LineRow[], readonly ExtraRow[]] {
  const [row] = rows;
  if (!row?.agreedWithAgency) return [rows, lines, extras];
  const agreed = JSON.parse(row.agreedWithAgency) as AgreedWithAgency;
  const closing = { supplement1Cents: 0, supplement2Cents: 0, supplement3Cents: 0 };
  return [[{ ...row, ...agreed.booking, ...closing }], agreed.lines, agreed.extras];
}
