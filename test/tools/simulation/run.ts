import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { createMigratedDatabase } from "#scripts/data/memory-database.ts";
import { createDemoRandom } from "#scripts/demo/random.ts";
import { createCompanyStatements, encryptPartnerSecrets } from "#support/company-rows.ts";
import { wrapSqlite } from "#support/sqlite-d1.ts";
import { encryptSecret } from "#worker/auth/secret-encryption.ts";
import { checkOrRepairLedger } from "#worker/imports/check-ledger.ts";
import { blockVehicle, countCashDrawer, recordVehicleExpense } from "./assertions.ts";
import type { BrokenInvariant } from "./broken-invariant.ts";
import { type FindPendingUnit, type PendingUnit, sendCheckInSteps } from "./check-in-steps.ts";
import { buyOnWebsite, type Clients, cancelAgencyBooking, createAgencyBooking, getFirstDay } from "./clients.ts";
import type { FaultPlan } from "./faults.ts";
import { createHistory, type History } from "./history.ts";
import { createInvariantChecks, findContradictedResponses } from "./invariants.ts";
import { applyOfficeAction, type FindBooking } from "./office.ts";
import { findContradictedOfficeResponses } from "./office-invariants.ts";
import { createSimulatedPlatform, type Platform } from "./platform.ts";
import type { Step } from "./steps.ts";
import { createTimeline, type Timeline } from "./timeline.ts";
import { setDatabaseClock } from "./virtual-clock.ts";
import type { LoadedWorker, WorkerEnvironment } from "./worker-build.ts";

export interface RunOptions {
  readonly seed: string;
  readonly steps: readonly Step[];
  readonly loadWorker: (nature: WorkerEnvironment) => Promise<LoadedWorker>;
  /** SQL that removes a database guard first, for negative tests. */
  readonly sabotageSql?: string;
}

export interface SimulationResult {
  readonly broken: readonly BrokenInvariant[];
  /** Number of simulated days after which the run ended or found a violation. */
  readonly afterDays: number;
  readonly history: History;
  readonly kills: number;
  readonly checks: number;
  readonly faults: ReadonlyMap<string, number>;
  /** Digest of the final state: equal runs end equally. */
  readonly digest: string;
}

const STARTS_AT = Date.UTC(2026, 9, 12, 6);
const MASTER_KEY = Buffer.alloc(32, "simulated master key").toString("base64");
const HOUR = 3_600_000;
const DAILY_CRON_INTERVAL_MS = 6 * HOUR;
/** Cron hour of nightly jobs, five minutes in a row. Otherwise cron runs when something is due. */
const NIGHT_HOUR = 5;
/** Days until handed-over vehicles are returned. Holds and emails end sooner. */
const AFTERWARDS = { driven: 25 * 24 * HOUR, otherwise: 2 * 24 * HOUR };
const FAULT_PLAN: FaultPlan = { lostCalls: 12, unheard: 12, doubled: 12, slow: 8 };
const CREATED = 1_700_000_000_000;
/** Hash of "Right-pass-1!" with minimal cost. */
const PASSWORD_HASH = "scrypt$ln=4,r=1,p=1$YSBzYWx0IG9mIHNpeHRlZQ==$uvA5UnARqUKZ5IjG3eFKB9DQjmrQ33xs9+e985nZJ9g=";

/** Thrown to stop a run at the first violation. */
class ViolationError extends Error {
  readonly broken: readonly BrokenInvariant[];
  constructor(broken: readonly BrokenInvariant[]) {
    super(broken[0]?.invariant);
    this.broken = broken;
  }
}

/** Simulates a list of steps until the first violation. */
export async function runSimulation({ seed, steps, loadWorker, sabotageSql }: RunOptions): Promise<SimulationResult> {
  const timeline = createTimeline(STARTS_AT);
  const database = await companyDatabase();
  setDatabaseClock(database, timeline.now);
  if (sabotageSql) database.exec(sabotageSql);
  const stores = { database, carts: new Map(), files: new Map(), backups: new Map() };
  const platform = createSimulatedPlatform({
    timeline,
    stores,
    seed,
    faultPlan: FAULT_PLAN,
    masterKey: MASTER_KEY,
    loadWorker,
  });
  const history = createHistory();
  const invariants = createInvariantChecks(database);
  const clients: Clients = { timeline, platform, history, firstDay: getFirstDay(STARTS_AT) };
  const eyes = { counter: createCounter(invariants.rows), findBooking: createBookingFinder(invariants.rows) };
  let checks = 0;
  const stopWhere = (broken: readonly BrokenInvariant[]) => {
    checks += 1;
    if (broken.length > 0) throw new ViolationError(broken);
  };
  const afterEach = () => {
    const { wrote, broken } = invariants.afterStep(timeline.now());
    if (wrote) stopWhere(broken);
    if (history.faults[0] !== undefined)
      throw new ViolationError([
        { invariant: "no answer is a defect", evidence: [history.faults[0], ...platform.defects].join("\n") },
      ]);
  };
  timeline.spawn(createDemoRandom(`${seed} start`), platform.start);
  for (const step of steps) timeline.schedule(step.at, () => act(step, { clients, seed, eyes, audit }));
  planClock(timeline, platform, getEndTime(steps));
  function audit() {
    stopWhere(invariants.all(timeline.now()));
  }
  let broken: readonly BrokenInvariant[] = [];
  try {
    await timeline.run(afterEach);
    audit();
    stopWhere([
      ...findContradictedResponses(invariants.rows, history),
      ...findContradictedOfficeResponses(invariants.rows, history, timeline.now()),
      ...lostPhotos(history, stores.files),
      ...(await checkLedgerBalance(database)),
    ]);
  } catch (error) {
    if (!(error instanceof ViolationError)) throw error;
    broken = error.broken;
  }
  const digest = digestDatabase(database);
  for (const { storage } of [...stores.carts.values(), { storage: database }]) storage.close();
  return {
    broken,
    afterDays: Math.round((timeline.now() - STARTS_AT) / (24 * HOUR)),
    history,
    kills: platform.kills(),
    checks,
    faults: platform.faults.counts,
    digest,
  };
}

/** Views of people on site. */
interface Eyes {
  readonly counter: FindPendingUnit;
  readonly findBooking: FindBooking;
}

interface Scene {
  readonly clients: Clients;
  readonly seed: string;
  readonly eyes: Eyes;
  readonly audit: () => void;
}

function act(step: Step, { clients, seed, eyes, audit }: Scene): void {
  const { timeline, platform } = clients;
  if (step.does === "clock") platform.setClock(step.wrongBy);
  else if (step.does === "kill") {
    platform.kill(step.downFor);
    audit();
  } else timeline.spawn(createDemoRandom(`${seed} ${step.id}`), () => runStep(step, clients, eyes));
}

type Work = Exclude<Step, { does: "clock" | "kill" }>;

function runStep(step: Work, clients: Clients, { counter, findBooking }: Eyes): Promise<void> {
  switch (step.does) {
    case "book":
      return createAgencyBooking(clients, step);
    case "cancel":
      return cancelAgencyBooking(clients, step);
    case "buy":
      return buyOnWebsite(clients, step);
    case "drive":
      return sendCheckInSteps(clients, step, counter);
    case "office":
      return applyOfficeAction(clients, step, findBooking);
    case "spend":
      return recordVehicleExpense(clients, step);
    case "block":
      return blockVehicle(clients, step);
    case "count":
      return countCashDrawer(clients, step);
  }
}

function getEndTime(steps: readonly Step[]): number {
  const endsAt = ({ at, does }: Step) => at + (does === "drive" ? AFTERWARDS.driven : AFTERWARDS.otherwise);
  return Math.max(0, ...steps.map(endsAt));
}

function planClock(timeline: Timeline, platform: Platform, until: number): void {
  for (let at = HOUR; at < until; at += DAILY_CRON_INTERVAL_MS) {
    timeline.schedule(at, () => platform.runCron("due"));
    if (new Date(STARTS_AT + at).getUTCHours() !== NIGHT_HOUR) continue;
    for (let minute = 1; minute <= 5; minute++)
      timeline.schedule(at + minute * 60_000, () => platform.runCron("* * * * *"));
  }
}

async function companyDatabase(): Promise<DatabaseSync> {
  const database = createMigratedDatabase("migrations");
  const { db } = wrapSqlite(database);
  await db.batch(createCompanyStatements(db, await encryptPartnerSecrets(MASTER_KEY, "acme")));
  const secret = await encryptSecret(MASTER_KEY, "acme", "sq7HjrUOBfKmC576ILgskD5srU870gJ7");
  const merchant = { merchantCode: "999008881", terminal: "1", signatureVersion: "HMAC_SHA512_V2" };
  await db.batch([
    db.prepare(`UPDATE settings SET payment_methods = '["tpvA256"]', payment_options = '["deposit","total"]',
      engine_origins = '["https://shop.example"]', hold_minutes = 60`),
    db
      .prepare(
        "INSERT INTO payment_gateways (method, environment, merchant, secret_sealed, created_at, last_update) VALUES ('tpvA256', 'test', ?, ?, 1, 1)",
      )
      .bind(JSON.stringify(merchant), secret),
    db
      .prepare(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, customer_id, all_branches, language, created_at, last_update)
        VALUES (3, 'staff', 'boss', 'boss@example.com', 'Bea Boss', ?, 'administrator', NULL, 1, 'de', ${CREATED}, ${CREATED})`)
      .bind(PASSWORD_HASH),
    db.prepare(`INSERT INTO agents (id, name, commission_calculation, commission_fixed_cents, commission_basis_points)
      VALUES (1, 'Hotel Sol', 'percentage', 0, 1055), (2, 'Taxi Luna', 'fixed_amount', 1500, 0)`),
    db.prepare("INSERT INTO expense_accounts VALUES (1, 'Fleet')"),
    db.prepare("INSERT INTO expense_concepts VALUES (1, 1, 'Tyres')"),
    db.prepare(`INSERT INTO extras (code, name, price_per, price_cents, max_quantity, vat_basis_points, active, position)
      VALUES ('FINE', 'Multa', 'rental', 0, 1, 2100, 0, 9)`),
    db.prepare("INSERT OR IGNORE INTO upkeep (id, since) VALUES (1, ?)").bind(STARTS_AT),
  ]);
  return database;
}

function createCounter(rows: ReturnType<typeof createInvariantChecks>["rows"]): FindPendingUnit {
  return (reference) =>
    rows<PendingUnit>(
      `SELECT bookings.id AS bookingId, unit.id AS unitId, bookings.version AS version, vehicle.reference AS vehicle, return_branch_code AS branch, coalesce(vehicle.usage_units, 0) AS kilometres,
        unixepoch(date_from || ' ' || time_from) * 1000 AS "from", unixepoch(date_to || ' ' || time_to) * 1000 AS "to"
      FROM bookings JOIN booking_units AS unit ON unit.booking_id = bookings.id JOIN booking_lines AS line ON line.id = booking_line_id
      JOIN vehicles AS vehicle ON vehicle.category_code = line.category_code AND vehicle.branch_group_id = 1
      WHERE agency_reservation_id = ? AND status IN ('confirmed', 'in_progress') AND delivered_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM booking_units AS out WHERE out.vehicle_reference = vehicle.reference AND out.collected_at IS NULL)
      ORDER BY unit.id, vehicle.reference LIMIT 1`,
      reference,
    )[0];
}

function createBookingFinder(rows: ReturnType<typeof createInvariantChecks>["rows"]): FindBooking {
  return ({ reference, freeAccessId }) =>
    rows<{ readonly id: number }>(
      "SELECT id FROM bookings WHERE agency_reservation_id = ? OR free_access_id = ?",
      reference,
      freeAccessId,
    )[0]?.id;
}

function lostPhotos(history: History, files: ReadonlyMap<string, Uint8Array>): readonly BrokenInvariant[] {
  return [...history.photos]
    .filter((photo) => ![...files.keys()].some((key) => key.endsWith(photo.split("/")[1] ?? "")))
    .map((photo) => ({ invariant: "what was acknowledged is there", evidence: `photo ${photo}` }));
}

async function checkLedgerBalance(database: DatabaseSync): Promise<readonly BrokenInvariant[]> {
  const ledgerReport = await checkOrRepairLedger(wrapSqlite(database).db, false);
  const isRight = ledgerReport.different.length === 0 && ledgerReport.wrongSums === 0;
  return isRight ? [] : [{ invariant: "the ledger is what the contracts say", evidence: JSON.stringify(ledgerReport) }];
}

function digestDatabase(database: DatabaseSync): string {
  const hash = createHash("sha256");
  for (const table of [
    "bookings",
    "booking_history",
    "charges",
    "stock_allocations",
    "check_in_operations",
    "ledger_entries",
  ])
    hash.update(JSON.stringify(database.prepare(`SELECT * FROM ${table}`).all()));
  return hash.digest("hex");
}
