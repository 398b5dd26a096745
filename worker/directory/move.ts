import { ACCOUNT_MOVING_CODE } from "#worker/store/failures.ts";
import type { Cells } from "./cells.ts";
import {
  type CompanyMoveDatabases,
  type CopyProgress,
  copyNextRowPage,
  emptyMoveTargetDatabase,
  verifyNextRowPage,
} from "./copy.ts";
import {
  claimDatabase,
  createMoveTokenGuard,
  DATABASE_OWNER_TABLE,
  listCompanyTables,
  readDatabaseOwner,
  wipeDatabase,
} from "./owner.ts";
import { findPlacement } from "./placements.ts";
import { DirectoryRefusalError } from "./refusal.ts";
import { SLOT_QUARANTINE_MS } from "./slots.ts";

/** Step of a company's move to another cell. */
export type MoveStep = "prepare" | "pause" | "copy" | "verify" | "switch" | "cleanup" | "cancel";

/** Unfinished move of a company, as stored in the directory. */
export interface CompanyMove {
  readonly account: string;
  readonly from_cell: string;
  readonly from_slot: number;
  readonly to_cell: string;
  readonly to_slot: number;
  readonly step: MoveStep;
  readonly position: string | null;
  readonly rows: number;
  readonly operator: string;
  readonly lease_until: number;
}

/** Operator of a move and time limit of a call. */
export interface AccountMoveRequest {
  readonly account: string;
  /** Random id of a command or page. Another one must wait until the lease ends. */
  readonly operator: string;
  readonly now: () => number;
  readonly until: number;
}

/** State after a call. Undefined step: the move has ended. */
export interface MoveState {
  readonly step: MoveStep | undefined;
  readonly rows: number;
}

/** Time for which a move belongs to an operator after each sign of life. */
export const MOVE_LEASE_MS = 60_000;

const COLUMNS = "account, from_cell, from_slot, to_cell, to_slot, step, position, rows, operator, lease_until";

/** Starts moving an active company to a spare database of another cell, of the same region and schema. */
export async function startCompanyMove(
  directory: D1Database,
  { account, operator, now }: AccountMoveRequest,
  to: string,
) {
  const at = now();
  await directory.batch([
    directory
      .prepare(`INSERT INTO moves (account, from_cell, from_slot, to_cell, to_slot, step, started_at, operator, lease_until)
        SELECT accounts.name, accounts.cell, accounts.slot, spare.cell, spare.slot, 'prepare', ?4, ?3, ?5
        FROM accounts JOIN slots AS source ON source.cell = accounts.cell AND source.slot = accounts.slot
        JOIN slots AS spare ON spare.cell = ?2 AND spare.state = 'spare' AND spare.error IS NULL
          AND spare.jurisdiction = source.jurisdiction AND spare.schema_version = source.schema_version
        WHERE accounts.name = ?1 AND accounts.state = 'active' AND accounts.cell <> ?2
        ORDER BY spare.slot LIMIT 1 ON CONFLICT DO NOTHING`)
      .bind(account, to, operator, at, at + MOVE_LEASE_MS),
    directory
      .prepare(`UPDATE slots SET state = 'used' WHERE state = 'spare'
        AND (cell, slot) = (SELECT to_cell, to_slot FROM moves WHERE account = ?)`)
      .bind(account),
  ]);
  if (!(await findCompanyMove(directory, account))) throw await explain(directory, account, to);
}

async function explain(directory: D1Database, account: string, to: string): Promise<DirectoryRefusalError> {
  const row = await directory
    .prepare("SELECT cell, state FROM accounts WHERE name = ?")
    .bind(account)
    .first<{ cell: string; state: string }>();
  if (!row) return new DirectoryRefusalError(404, "account_not_found", `The directory has no company ${account}`);
  if (row.state !== "active")
    return new DirectoryRefusalError(409, "state_forbidden", `${account} is ${row.state}. Only active companies move`);
  if (row.cell === to) return new DirectoryRefusalError(409, "same_cell", `${account} is already in cell ${to}`);
  return new DirectoryRefusalError(
    409,
    "no_spare_database",
    `Cell ${to} has no spare database with the region and schema of ${account}. Add one, or migrate both cells`,
  );
}

/** Reads an unfinished move. */
export async function findCompanyMove(directory: D1Database, account: string): Promise<CompanyMove | undefined> {
  const query = directory.prepare(`SELECT ${COLUMNS} FROM moves WHERE account = ?`).bind(account);
  return (await query.first<CompanyMove>()) ?? undefined;
}

/** Cancels a move before the switch: the company keeps its cell. `continueCompanyMove` completes it. */
export async function cancelCompanyMove(directory: D1Database, request: AccountMoveRequest): Promise<void> {
  const move = await lease(directory, request);
  if (move.step === "switch" || move.step === "cleanup")
    throw new DirectoryRefusalError(409, "move_almost_done", "The data is complete in the new cell. Continue the move");
  await save(directory, request, move.step, { step: "cancel", position: undefined, rows: move.rows });
}

/**
 * Continues a move until it ends or the time is over. Each step can be repeated, so a killed command loses nothing. The
 * company's old database refuses writes from `pause` until it is emptied, so there is never a second active one.
 */
export async function continueCompanyMove(
  directory: D1Database,
  cells: Cells,
  request: AccountMoveRequest,
): Promise<MoveState> {
  let move = await lease(directory, request);
  for (;;) {
    const databases = await openDatabases(cells, move);
    const step = move.step;
    // `databases` caches the list of tables, which doesn't change within a step.
    while (move.step === step) {
      const result = await runStep(directory, request, move, databases);
      if (result === "ended") return { step: undefined, rows: move.rows };
      move = result;
      if (request.now() >= request.until) return { step: move.step, rows: move.rows };
    }
  }
}

// Each call has its own token, because an earlier call of the same operator may still be running after its answer was
// lost or its move was cancelled.
async function openDatabases(cells: Cells, move: CompanyMove): Promise<CompanyMoveDatabases> {
  const from = cells.open(move.from_cell, move.from_slot);
  const to = cells.open(move.to_cell, move.to_slot);
  const token = crypto.randomUUID();
  if (move.step === "copy" || move.step === "verify") await setToken(to, move.account, token);
  return { from, to, token };
}

async function runStep(
  directory: D1Database,
  request: AccountMoveRequest,
  move: CompanyMove,
  databases: CompanyMoveDatabases,
): Promise<"ended" | CompanyMove> {
  const next = (step: MoveStep) => save(directory, request, move.step, { step, position: undefined, rows: move.rows });
  switch (move.step) {
    case "prepare":
      await prepare(databases, move);
      return next("pause");
    case "pause":
      await setToken(databases.from, move.account, databases.token);
      await setMoving(directory, request, move);
      await refuseWrites(databases);
      return next("copy");
    case "copy":
    case "verify": {
      const work = move.step === "copy" ? copyNextRowPage : verifyNextRowPage;
      const progress = await work(databases, toProgress(move));
      if (progress) return save(directory, request, move.step, { step: move.step, ...progress });
      return next(move.step === "copy" ? "verify" : "switch");
    }
    case "switch":
      await switchOver(directory, request, databases, move);
      return lease(directory, request);
    case "cleanup":
      await assertServedFromCopy(directory, move);
      await wipeDatabase(databases.from, move.account);
      await directory
        .prepare("DELETE FROM moves WHERE account = ? AND operator = ?")
        .bind(move.account, request.operator)
        .run();
      return "ended";
    case "cancel":
      await undo(directory, request, databases, move);
      return "ended";
  }
}

const toProgress = ({ position, rows }: CompanyMove): CopyProgress => ({
  position: position === null ? undefined : (JSON.parse(position) as CopyProgress["position"]),
  rows,
});

async function setMoving(directory: D1Database, { operator }: AccountMoveRequest, move: CompanyMove): Promise<void> {
  const moving = await directory
    .prepare(`UPDATE accounts SET state = 'moving'
      WHERE name = ?1 AND cell = ?3 AND slot = ?4 AND state IN ('active', 'moving')
        AND EXISTS (SELECT 1 FROM moves WHERE account = ?1 AND operator = ?2 AND step = 'pause') RETURNING name`)
    .bind(move.account, operator, move.from_cell, move.from_slot)
    .first();
  if (!moving) throw await explainState(directory, move);
}

async function explainState(directory: D1Database, { account }: CompanyMove): Promise<DirectoryRefusalError> {
  const placement = await findPlacement(directory, account);
  const place = placement ? `${placement.state} in cell ${placement.cell}` : "not in the directory";
  return new DirectoryRefusalError(
    409,
    "state_forbidden",
    `${account} is ${place}, so nothing was switched or deleted. If it's paused, resume it. Then continue or cancel its move`,
  );
}

// The old database is the only complete one until the directory names the copy.
async function assertServedFromCopy(directory: D1Database, move: CompanyMove): Promise<void> {
  const placement = await findPlacement(directory, move.account);
  if (placement?.cell !== move.to_cell || placement.slot !== move.to_slot) throw await explainState(directory, move);
}

async function assertOwner(db: D1Database, account: string): Promise<void> {
  const owner = await readDatabaseOwner(db);
  if (owner?.account === account) return;
  throw new DirectoryRefusalError(
    409,
    "database_taken",
    `The database of ${account} belongs to ${owner?.account ?? "no company"}. Correct the directory first`,
  );
}

async function prepare(
  { from, to, token }: CompanyMoveDatabases,
  { account, to_cell, to_slot }: CompanyMove,
): Promise<void> {
  await assertOwner(from, account);
  await claimDatabase(to, account, `Database ${to_slot} of cell ${to_cell}`);
  await setToken(to, account, token);
  await emptyMoveTargetDatabase({ from, to, token });
}

async function setToken(db: D1Database, account: string, token: string | null): Promise<void> {
  await db.prepare(`UPDATE ${DATABASE_OWNER_TABLE} SET token = ?2 WHERE account = ?1`).bind(account, token).run();
}

const FENCE = "moving_";

// Makes the old database refuse writes by triggers. An isolate that still remembers the old location then can't write
// to it.
async function refuseWrites({ from, token }: CompanyMoveDatabases): Promise<void> {
  const tables = await listCompanyTables(from);
  const triggers = tables.flatMap(({ name }) =>
    ["INSERT", "UPDATE", "DELETE"].map((event) =>
      from.prepare(`CREATE TRIGGER IF NOT EXISTS ${FENCE}${event.toLowerCase()}_${name} BEFORE ${event} ON ${name}
        BEGIN SELECT RAISE(ABORT, '${ACCOUNT_MOVING_CODE}'); END`),
    ),
  );
  await from.batch([createMoveTokenGuard(from, token), ...triggers]);
}

async function allowWrites({ from, token }: CompanyMoveDatabases): Promise<void> {
  const { results } = await from
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB '${FENCE}*'`)
    .all<{ name: string }>();
  await from.batch([
    createMoveTokenGuard(from, token),
    ...results.map(({ name }) => from.prepare(`DROP TRIGGER ${name}`)),
  ]);
}

async function switchOver(
  directory: D1Database,
  { operator, now }: AccountMoveRequest,
  { to }: CompanyMoveDatabases,
  move: CompanyMove,
): Promise<void> {
  const { account, from_cell, from_slot, to_cell, to_slot } = move;
  // Late statements of earlier calls fail from now on.
  await setToken(to, account, null);
  const isMine = "EXISTS (SELECT 1 FROM moves WHERE account = ?1 AND operator = ?2 AND step = 'switch')";
  const isSwitched = "EXISTS (SELECT 1 FROM accounts WHERE name = ?1 AND (cell, slot) = (?3, ?4))";
  const [switched] = await directory.batch([
    directory
      .prepare(`UPDATE accounts SET cell = ?5, slot = ?6, state = 'active'
        WHERE name = ?1 AND cell = ?3 AND slot = ?4 AND state IN ('active', 'moving') AND ${isMine} RETURNING name`)
      .bind(account, operator, from_cell, from_slot, to_cell, to_slot),
    directory
      .prepare(`UPDATE slots SET state = 'retired', schema_version = NULL, free_at = ?7
        WHERE cell = ?5 AND slot = ?6 AND ${isMine} AND ${isSwitched}`)
      .bind(account, operator, to_cell, to_slot, from_cell, from_slot, now() + SLOT_QUARANTINE_MS),
    directory
      .prepare(`UPDATE moves SET step = 'cleanup'
        WHERE account = ?1 AND operator = ?2 AND step = 'switch' AND ${isSwitched}`)
      .bind(account, operator, to_cell, to_slot),
  ]);
  if (switched?.results.length === 0) await assertServedFromCopy(directory, move);
}

async function undo(
  directory: D1Database,
  { operator, now }: AccountMoveRequest,
  databases: CompanyMoveDatabases,
  move: CompanyMove,
): Promise<void> {
  const { account, to_cell, to_slot } = move;
  await assertOwner(databases.from, account);
  // A target database without an owner is still an empty spare database, so nothing must be deleted.
  if (await readDatabaseOwner(databases.to)) await wipeDatabase(databases.to, account);
  await setToken(databases.from, account, databases.token);
  await allowWrites(databases);
  await setToken(databases.from, account, null);
  const isMine = "EXISTS (SELECT 1 FROM moves WHERE account = ?1 AND operator = ?2 AND step = 'cancel')";
  await directory.batch([
    directory
      .prepare(`UPDATE accounts SET state = 'active' WHERE name = ?1 AND state = 'moving' AND ${isMine}`)
      .bind(account, operator),
    directory
      .prepare(`UPDATE slots SET state = 'retired', schema_version = NULL, free_at = ?5
        WHERE cell = ?3 AND slot = ?4 AND ${isMine}`)
      .bind(account, operator, to_cell, to_slot, now() + SLOT_QUARANTINE_MS),
    directory
      .prepare("DELETE FROM moves WHERE account = ? AND operator = ? AND step = 'cancel'")
      .bind(account, operator),
  ]);
}

/** Claims the move for this operator. Refuses while another one works on it. */
async function lease(directory: D1Database, { account, operator, now }: AccountMoveRequest): Promise<CompanyMove> {
  const at = now();
  const move = await directory
    .prepare(`UPDATE moves SET operator = ?2, lease_until = ?4
      WHERE account = ?1 AND (operator = ?2 OR lease_until <= ?3) RETURNING ${COLUMNS}`)
    .bind(account, operator, at, at + MOVE_LEASE_MS)
    .first<CompanyMove>();
  if (move) return move;
  const other = await findCompanyMove(directory, account);
  if (!other) throw new DirectoryRefusalError(404, "move_not_found", `${account} isn't being moved`);
  const until = new Date(other.lease_until).toISOString();
  throw new DirectoryRefusalError(
    409,
    "move_in_progress",
    `Another operator is moving ${account}. Try again after ${until}`,
  );
}

async function save(
  directory: D1Database,
  { account, operator, now }: AccountMoveRequest,
  from: MoveStep,
  { step, position, rows }: CopyProgress & { readonly step: MoveStep },
): Promise<CompanyMove> {
  const text = position === undefined ? null : JSON.stringify(position);
  // A page may continue and cancel a move at the same time, as the same operator.
  const savedMove = await directory
    .prepare(`UPDATE moves SET step = ?3, position = ?4, rows = ?5, lease_until = ?6
      WHERE account = ?1 AND operator = ?2 AND step = ?7 RETURNING ${COLUMNS}`)
    .bind(account, operator, step, text, rows, now() + MOVE_LEASE_MS, from)
    .first<CompanyMove>();
  if (savedMove) return savedMove;
  throw new DirectoryRefusalError(409, "move_in_progress", `Another operator is moving ${account}`);
}
