import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { bookingExtras, bookingLines, bookings } from "#worker/store/schema/bookings.ts";

type Row = typeof bookings.$inferSelect;
type LineRow = typeof bookingLines.$inferSelect;
type ExtraRow = typeof bookingExtras.$inferSelect;

// Booking fields whose agreed values are stored for the agency, because they may change while the vehicles are out.
// Excludes return costs.
const AGREED = [
  ...(["dateTo", "timeTo", "returnPlaceId", "returnPlace", "days"] as const),
  ...(["itemCents", "extrasCents", "timeToCents", "returnPlaceCents", "driverAgeCents"] as const),
  ...(["productDepositCents", "productGuaranteeCents", "driverAgeDepositCents", "totalDepositCents"] as const),
  ...(["productDepositReductionCents", "productGuaranteeReductionCents"] as const),
] as const satisfies readonly (keyof Row)[];

/** Booking as agreed with its agency. The total excludes return costs. */
type AgreedRow = Pick<Row, (typeof AGREED)[number]> & { readonly totalCents: number };

interface AgreedWithAgency {
  readonly booking: AgreedRow;
  readonly lines: readonly LineRow[];
  readonly extras: readonly ExtraRow[];
}

/** Name of a JSON member, and the SQL expression of its value. */
type Pair = readonly [name: string, value: string];

const bookingColumns = getTableColumns(bookings);
const toColumnPairs = (columns: Readonly<Record<string, { readonly name: string }>>): readonly Pair[] =>
  Object.entries(columns).map(([name, column]) => [name, column.name]);

// D1 allows 32 function arguments. The local runtime allows more.
const MAX_JSON_PAIRS = 15;

function toJsonSql(pairs: readonly Pair[]): string {
  const joinPairs = (some: readonly Pair[], path: string) =>
    some.map(([name, value]) => `'${path}${name}', ${value}`).join(", ");
  const first = `json_object(${joinPairs(pairs.slice(0, MAX_JSON_PAIRS), "")})`;
  const starts = Array.from(
    { length: Math.ceil(pairs.length / MAX_JSON_PAIRS) - 1 },
    (_, at) => (at + 1) * MAX_JSON_PAIRS,
  );
  return starts.reduce(
    (jsonSql, start) => `json_set(${jsonSql}, ${joinPairs(pairs.slice(start, start + MAX_JSON_PAIRS), "$.")})`,
    first,
  );
}

const selectJsonRows = (table: string, columns: Parameters<typeof toColumnPairs>[0]) =>
  `(SELECT json_group_array(${toJsonSql(toColumnPairs(columns))} ORDER BY id) FROM ${table} WHERE ${table}.booking_id = bookings.id)`;

/**
 * Expression that stores an agency booking's values when its first vehicle goes out, in the same update. Later
 * purchases and surcharges of its customer belong to the contract only (docs/interfaces/rules.md#agencies).
 */
export const AGENCY_BOOKING_SNAPSHOT_SQL: SQL =
  sql.raw(`CASE WHEN agency_id IS NULL OR status <> 'confirmed' THEN agreed_with_agency
  ELSE json_object('booking', json(${toJsonSql([
    ...AGREED.map((name) => [name, bookingColumns[name].name] as const),
    ["totalCents", "total_cents - supplement_1_cents - supplement_2_cents - supplement_3_cents"],
  ])}),
    'lines', json(${selectJsonRows("booking_lines", getTableColumns(bookingLines))}),
    'extras', json(${selectJsonRows("booking_extras", getTableColumns(bookingExtras))})) END`);

/** Returns an agency's booking with the agreed values. */
export function toBookingAgreedWithAgency([rows, lines, extras]: readonly [
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
