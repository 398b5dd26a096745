/** Rows that operations read, measured by `npm run bench` in a large account (docs/benchmarks.md). */
export interface RowsReadByOperation {
  readonly search: number;
  readonly cartStep: number;
  readonly booking: number;
  readonly checkout: number;
  readonly bookingRead: number;
  readonly day: number;
  readonly fieldOperation: number;
  readonly extractionRow: number;
}

/**
 * Rows written by a booking, triggers and indexes included. `test/api/operations/rows-written.test.ts` measures them.
 */
export const ROWS_WRITTEN_BY_BOOKING = 40;
/** Rows written by a rental's delivery, collection, invoice and charges. Assumed. */
const ROWS_WRITTEN_BY_RENTAL = 60;

/** What a busy company does in a month. Assumed: 1,000 vehicles, 20,000 contracts a year, 300 searches per booking. */
const WORK = {
  searches: 510_000,
  cartSteps: 100_000,
  bookings: 1700,
  fieldOperations: 3400,
  staffRequests: 60_000,
  extractionPages: 6000,
  cronTurns: 8640,
  mails: 6800,
  jobs: 15_000,
} as const;

const EXTRACTION_PAGE_ROWS = 100;
const CRON_TURN_ROWS = 20;
/** Operations on the queue for each job, whose message is written, read and deleted. */
const OPERATIONS_PER_JOB = 3;
const ROWS_WRITTEN_BY_STAFF = 10_000;
const MILLISECONDS = { search: 5, step: 3, other: 10, cron: 2 } as const;
/** One of SAMPLE successful requests is logged and counted (`REQUEST_SAMPLE`). FAILED_SHARE is the share that fails. */
const SAMPLE = 20;
const FAILED_SHARE = 0.01;
/** Size of a database and of photos after a year, each with its second copy. */
const DATABASE_GB = 0.2;
const PHOTO_GB = 61;
const PHOTOS = 17_000;
/** Rows of a backup after a year: 20 for each contract. Verified every 28 days, without indexes. */
const BACKUP_ROWS = 400_000;
const MILLION = 1_000_000;

interface Price {
  readonly item: string;
  readonly unit: string;
  /** Number of units that the plan includes each month. */
  readonly included: number;
  readonly perUnit: number;
}

/** Prices of the Workers Paid plan as Cloudflare published them in November 2026, in USD. */
const PRICES = {
  requests: { item: "requests", unit: "million", included: 10, perUnit: 0.3 },
  cpu: { item: "CPU", unit: "million ms", included: 30, perUnit: 0.02 },
  rowsRead: { item: "D1 rows read", unit: "million", included: 25_000, perUnit: 0.001 },
  rowsWritten: { item: "D1 rows written", unit: "million", included: 50, perUnit: 1 },
  storage: { item: "D1 storage", unit: "GB", included: 5, perUnit: 0.75 },
  objects: { item: "calls of Durable Objects", unit: "million", included: 1, perUnit: 0.15 },
  drills: { item: "rows written by restore drills", unit: "million", included: 50, perUnit: 1 },
  files: { item: "R2 storage, with second copies", unit: "GB", included: 10, perUnit: 0.015 },
  fileWrites: { item: "R2 writes", unit: "million", included: 1, perUnit: 4.5 },
  queues: { item: "operations of queues", unit: "million", included: 1, perUnit: 0.4 },
  mails: { item: "mails", unit: "thousand", included: 3, perUnit: 0.35 },
  logs: { item: "log lines", unit: "million", included: 20, perUnit: 0.6 },
  points: { item: "points of Analytics Engine", unit: "million", included: 10, perUnit: 0.25 },
} as const satisfies Readonly<Record<string, Price>>;

type Item = keyof typeof PRICES;
const PLAN = 5;

/** Returns what one company uses in a month, in the units of the prices. */
export function estimateMonthlyUsage(rows: RowsReadByOperation): Readonly<Record<Item, number>> {
  const { searches, cartSteps, bookings, fieldOperations, staffRequests, extractionPages, cronTurns, jobs } = WORK;
  const requests = searches + cartSteps + bookings + fieldOperations + staffRequests + extractionPages;
  const read =
    searches * rows.search +
    cartSteps * rows.cartStep +
    bookings * (rows.booking + rows.checkout + rows.bookingRead) +
    fieldOperations * rows.fieldOperation +
    staffRequests * rows.day +
    extractionPages * EXTRACTION_PAGE_ROWS * rows.extractionRow +
    (cronTurns + jobs) * CRON_TURN_ROWS;
  const writtenRows = bookings * (ROWS_WRITTEN_BY_BOOKING + ROWS_WRITTEN_BY_RENTAL) + ROWS_WRITTEN_BY_STAFF;
  const milliseconds =
    searches * MILLISECONDS.search +
    cartSteps * MILLISECONDS.step +
    (bookings + fieldOperations + staffRequests + extractionPages + jobs) * MILLISECONDS.other +
    cronTurns * MILLISECONDS.cron;
  const counted = requests * (FAILED_SHARE + (1 - FAILED_SHARE) / SAMPLE);
  return {
    requests: (requests + jobs) / MILLION,
    cpu: milliseconds / MILLION,
    rowsRead: read / MILLION,
    rowsWritten: writtenRows / MILLION,
    storage: DATABASE_GB,
    objects: cartSteps / MILLION,
    drills: BACKUP_ROWS / MILLION,
    files: 2 * PHOTO_GB,
    fileWrites: (2 * PHOTOS) / MILLION,
    queues: (jobs * OPERATIONS_PER_JOB) / MILLION,
    mails: WORK.mails / 1000,
    logs: counted / MILLION,
    points: counted / MILLION,
  };
}

/** Line of a bill: its item and amount for each number of companies. */
interface BillLine {
  readonly item: string;
  readonly formula: string;
  readonly amounts: readonly number[];
}

/** Returns the lines of the monthly bill for these numbers of companies: (companies × usage − included) × price. */
export function calculateMonthlyBill(rows: RowsReadByOperation, companies: readonly number[]): readonly BillLine[] {
  const usage = estimateMonthlyUsage(rows);
  const lines = (Object.keys(PRICES) as Item[]).map((name): BillLine => {
    const { item, unit, included, perUnit } = PRICES[name];
    const used = Number(usage[name].toPrecision(3));
    return {
      item,
      formula: `(n × ${used} − ${included}) ${unit} × ${perUnit}`,
      amounts: companies.map((count) => Math.max(0, count * used - included) * perUnit),
    };
  });
  return [{ item: "plan", formula: `${PLAN}`, amounts: companies.map(() => PLAN) }, ...lines];
}
