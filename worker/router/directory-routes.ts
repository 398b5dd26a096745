import { type Context, Hono } from "hono";
import type { Cells, Migration } from "#worker/directory/cells.ts";
import { assignSpareDatabase, deleteCompany, setCompanyServed } from "#worker/directory/companies.ts";
import { dismissFailedJobs, scheduleFailedJobsForRetry } from "#worker/directory/failed-jobs.ts";
import { cancelCompanyMove, continueCompanyMove, findCompanyMove, startCompanyMove } from "#worker/directory/move.ts";
import { readDirectoryOverview } from "#worker/directory/overview.ts";
import { DirectoryRefusalError } from "#worker/directory/refusal.ts";
import { MAX_SLOTS_PER_MIGRATION_CALL, migrateSlots, registerCell } from "#worker/directory/slots.ts";
import { respondError, respondUnknownPath } from "./answers.ts";

type DirectoryContext<Bindings extends object> = Context<{ Bindings: Bindings }>;

/** Access of the routes to the directory and the cells, which differs between the router and a single cell. */
interface DirectoryAccess<Bindings extends object> {
  readonly directory: (env: Bindings) => D1Database | undefined;
  readonly cells: (c: DirectoryContext<Bindings>) => Cells;
}

/** Maximum time of one call that moves a company. The caller repeats the call until the move ends. */
const MOVE_CALL_MS = 20_000;

/**
 * Operator's routes of the directory, below /operator. The caller checks the operator's key. Each changing call can be
 * repeated after it was interrupted.
 */
export function createDirectoryRoutes<Bindings extends object>(
  access: DirectoryAccess<Bindings>,
): Hono<{ Bindings: Bindings }> {
  const routes = new Hono<{ Bindings: Bindings }>();
  const openCells = access.cells;
  const directory = (c: DirectoryContext<Bindings>): D1Database => {
    const database = access.directory(c.env);
    if (database) return database;
    throw new DirectoryRefusalError(404, "directory_missing", "This deployment has no directory: bind it as DIRECTORY");
  };

  routes.get("/directory", async (c) => c.json(await readDirectoryOverview(directory(c))));

  routes.post("/directory/cells/:cell/register", async (c) => {
    return c.json(await registerCell(directory(c), openCells(c), parseCell(c.req.param("cell"))));
  });

  routes.post("/directory/cells/:cell/migrate", async (c) => {
    const { migrations, limit = MAX_SLOTS_PER_MIGRATION_CALL } = await readBody(c);
    const request = {
      cell: parseCell(c.req.param("cell")),
      migrations: parseMigrations(migrations),
      limit: parseLimit(limit),
    };
    return c.json(await migrateSlots(directory(c), openCells(c), request, Date.now()));
  });

  routes.put("/directory/accounts/:account", async (c) => {
    const { jurisdiction = "", cell } = await readBody(c);
    if (jurisdiction !== "" && jurisdiction !== "eu" && jurisdiction !== "us")
      throw invalid("jurisdiction", "must be eu, us or empty");
    const place = { jurisdiction, cell: cell === undefined ? undefined : parseCell(cell) };
    return c.json(await assignSpareDatabase(directory(c), openCells(c), c.req.param("account"), place, Date.now()));
  });

  routes.post("/directory/accounts/:account/pause", async (c) => {
    await setCompanyServed(directory(c), c.req.param("account"), false);
    return c.body(null, 204);
  });

  routes.post("/directory/accounts/:account/resume", async (c) => {
    await setCompanyServed(directory(c), c.req.param("account"), true);
    return c.body(null, 204);
  });

  routes.delete("/directory/accounts/:account", async (c) => {
    const account = c.req.param("account");
    if (c.req.query("confirm") !== account) throw invalid("confirm", "must be the name of the company");
    await deleteCompany(directory(c), openCells(c), account, Date.now());
    return c.body(null, 204);
  });

  routes.post("/directory/accounts/:account/move", async (c) => {
    const { to, operator, cancel = false } = await readBody(c);
    if (typeof operator !== "string" || !/^[\w-]{8,64}$/.test(operator))
      throw invalid("operator", "must be a random id of 8 to 64 characters");
    const account = c.req.param("account");
    const request = { account, operator, now: Date.now, until: Date.now() + MOVE_CALL_MS };
    const known = await findCompanyMove(directory(c), account);
    if (known && to !== undefined && to !== known.to_cell)
      throw new DirectoryRefusalError(
        409,
        "move_in_progress",
        `${account} is moving to cell ${known.to_cell}. Finish or cancel that move first`,
      );
    if (cancel === true) await cancelCompanyMove(directory(c), request);
    else if (!known) await startCompanyMove(directory(c), request, parseCell(to, "to"));
    return c.json(await continueCompanyMove(directory(c), openCells(c), request));
  });

  routes.post("/directory/accounts/:account/jobs/retry", async (c) => {
    await scheduleFailedJobsForRetry(directory(c), c.req.param("account"), c.req.query("kind"));
    return c.body(null, 204);
  });

  routes.post("/directory/accounts/:account/jobs/dismiss", async (c) => {
    await dismissFailedJobs(directory(c), c.req.param("account"), c.req.query("kind"));
    return c.body(null, 204);
  });

  routes.notFound(() => respondUnknownPath());
  routes.onError((error) => {
    if (error instanceof DirectoryRefusalError)
      return respondError(error.status, error.code, error.message, error.status === 503 ? { retryAfter: 10 } : {});
    // The answer contains the database's message, because the operator may read the data. The log doesn't, because the
    // message may contain data.
    console.log(JSON.stringify({ level: "error", operation: "operate_directory", defect: error.name }));
    return respondError(503, "directory_unavailable", `${error.message}. Nothing is lost: repeat the command`, {
      retryAfter: 10,
    });
  });
  return routes;
}

const invalid = (field: string, problem: string) =>
  new DirectoryRefusalError(422, "invalid_input", `${field}: ${problem}`);

async function readBody(c: Context): Promise<Readonly<Record<string, unknown>>> {
  const text = await c.req.text();
  if (text === "") return {};
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null) return body as Readonly<Record<string, unknown>>;
  } catch {
    // Invalid JSON gets the same error as JSON that isn't an object.
  }
  throw invalid("body", "must be a JSON object");
}

function parseCell(cell: unknown, field = "cell"): string {
  if (typeof cell === "string" && /^\d\d$/.test(cell)) return cell;
  throw invalid(field, "must be the two digits of a cell");
}

function parseLimit(limit: unknown): number {
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 1 && limit <= MAX_SLOTS_PER_MIGRATION_CALL)
    return limit;
  throw invalid("limit", `must be a whole number from 1 to ${MAX_SLOTS_PER_MIGRATION_CALL}`);
}

/** Parses migrations with their statements. */
export function parseMigrations(migrations: unknown): readonly Migration[] {
  const isMigration = (item: unknown): item is Migration => {
    if (typeof item !== "object" || item === null) return false;
    const { name, statements } = item as Readonly<Record<string, unknown>>;
    const areTexts = Array.isArray(statements) && statements.every((sql) => typeof sql === "string" && sql !== "");
    return typeof name === "string" && /^\d{4}_\w+\.sql$/.test(name) && areTexts;
  };
  if (Array.isArray(migrations) && migrations.length > 0 && migrations.every(isMigration)) return migrations;
  throw invalid("migrations", 'must be a list of {"name", "statements"}');
}
