import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { getClientIpAddress } from "#worker/api/client-address.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createTooManyAttemptsFailure, type Failure, failures } from "#worker/api/failure.ts";
import { readBody } from "#worker/api/request-body.ts";
import { ACCOUNT_NAME_PATTERN } from "#worker/directory/companies.ts";
import { MAX_SLOTS_PER_MIGRATION_CALL } from "#worker/directory/slots.ts";
import { respondError } from "#worker/router/answers.ts";
import { createDirectoryRoutes, parseMigrations } from "#worker/router/directory-routes.ts";
import { renderOperatorPage } from "#worker/router/operator-page.ts";
import { openAccountInAnyState } from "#worker/tenancy/accounts.ts";
import { getCellName, getDirectory } from "#worker/tenancy/deployment.ts";
import { openLocalCells, openNumberedDatabase } from "#worker/tenancy/local-cells.ts";
import {
  continueExport,
  isOperator,
  isOperatorAccessEnabled,
  listBackups,
  type OperatorBatchResult,
  openBackup,
  openExport,
  restoreBackup,
  runOperatorStatements,
  saveRestoreOrigin,
} from "#worker/usecases/operations/operator-commands.ts";
import { classifyError } from "#worker/usecases/shared/classify-error.ts";

/**
 * Size of a batch with its values, because the Worker has 128 MB for its bytes, text and values. A restore sends four
 * megabytes at a time, an import all its rows at once.
 */
const BODY_LIMITS = { bytes: 24 * 1024 * 1024, milliseconds: 120_000 };
const MAX_STATEMENTS = 20_000;
const DAY = /^\d{4}-\d\d-\d\d$/;
const LIMIT_SECONDS = 60;

const refused = (status: 400 | 413 | 422, code: Failure["code"], message: string): Failure => ({
  status,
  code,
  message,
});

/**
 * Routes of the operator on the base domain, for commands with `--remote`: they read and write a company's data here,
 * with bound values, instead of values in the text of SQL (decision 0069).
 * Without the secret OPERATOR_KEY they don't exist. Wrong keys are limited for each address.
 */
export const operatorApp = new Hono<AppEnvironment>();

const onlyOperator = createMiddleware<AppEnvironment>(async (c, next) => {
  if (!isOperatorAccessEnabled(c.env)) return toErrorResponse(c, failures.unknownPath);
  if (isOperator(c.env, c.req.header("Authorization"))) return next();
  const key = `-/operator/${getClientIpAddress(c) ?? ""}`;
  const isWithin = (await c.env.IP_RATE_LIMITER?.limit({ key }))?.success ?? true;
  return toErrorResponse(c, isWithin ? failures.notSignedIn : createTooManyAttemptsFailure(LIMIT_SECONDS));
});

operatorApp.get("/", (c) =>
  isOperatorAccessEnabled(c.env) ? renderOperatorPage() : toErrorResponse(c, failures.unknownPath),
);

operatorApp.use(onlyOperator);

// Routes of the directory, for a deployment without a router.
operatorApp.route(
  "/",
  createDirectoryRoutes<Cloudflare.Env>({ directory: getDirectory, cells: (c) => openLocalCells(c.env) }),
);

operatorApp.post("/accounts/:account/batch", async (c) => {
  const tenant = await openAccountInAnyState(c.env, c.req.param("account"), Date.now());
  if (!tenant) return toErrorResponse(c, failures.unknownPath);
  return answerBatch(c, (statements) => runOperatorStatements(tenant, statements));
});

// Numbered databases of this cell, whatever company they belong to. For the directory's commands.
operatorApp.get("/slots", async (c) => c.json({ slots: await openLocalCells(c.env).list(getCellName(c.env)) }));

operatorApp.post("/slots/migrate", async (c) => {
  const { slots, migrations } = await c.req.json<{ readonly slots?: unknown; readonly migrations?: unknown }>();
  if (!Array.isArray(slots) || slots.length > MAX_SLOTS_PER_MIGRATION_CALL || !slots.every(Number.isInteger))
    return toErrorResponse(
      c,
      refused(400, "malformed_request", `slots must be up to ${MAX_SLOTS_PER_MIGRATION_CALL} numbers`),
    );
  return c.json({
    results: await openLocalCells(c.env).migrate(getCellName(c.env), slots, parseMigrations(migrations)),
  });
});

operatorApp.post("/slots/:slot/batch", async (c) => {
  const number = c.req.param("slot");
  const slot = openNumberedDatabase(c.env, Number(number));
  if (slot) return answerBatch(c, (statements) => runOperatorStatements(slot, statements));
  const message = `Cell ${getCellName(c.env)} binds no database ${number}. Deploy the cell first`;
  return toErrorResponse(c, refused(422, "slot_not_bound", message));
});

async function answerBatch(
  c: Context<AppEnvironment>,
  run: (statements: readonly Statement[]) => Promise<OperatorBatchResult>,
): Promise<Response> {
  const bytes = await readBody(c.req.raw, BODY_LIMITS);
  if (typeof bytes === "string")
    return toErrorResponse(
      c,
      refused(413, "too_large", "The batch is larger than 24 MiB. Import the files in several parts"),
    );
  const statements = parseStatements(new TextDecoder().decode(bytes));
  if (!statements)
    return toErrorResponse(
      c,
      refused(400, "malformed_request", `statements must be 1 to ${MAX_STATEMENTS} of {"sql", "values"}`),
    );
  const result = await run(statements);
  if (result.kind === "done") return c.json({ answers: result.answers });
  // The answer contains the database's message, because the operator may read the data. The log doesn't, because the
  // message may contain data.
  const { message } = result.error instanceof Error ? result.error : { message: "unknown" };
  if (classifyError(result.error) === "overloaded") return toErrorResponse(c, { ...failures.overloaded, message });
  return toErrorResponse(c, refused(422, "statement_refused", message));
}

operatorApp.get("/accounts/:account/backups", async (c) => {
  const tenant = await openAccountInAnyState(c.env, c.req.param("account"), Date.now());
  if (!tenant) return toErrorResponse(c, failures.unknownPath);
  return c.json({ days: await listBackups(tenant) });
});

operatorApp.get("/accounts/:account/backups/:day", async (c) => {
  const tenant = await openAccountInAnyState(c.env, c.req.param("account"), Date.now());
  const day = c.req.param("day");
  const stream = DAY.test(day) && tenant ? await openBackup(tenant, day) : undefined;
  if (!stream) return toErrorResponse(c, { ...failures.unknownPath, message: "There is no such backup" });
  return new Response(stream, { headers: { "Content-Type": "application/gzip" } });
});

operatorApp.post("/accounts/:account/export", async (c) => {
  const tenant = await openAccountInAnyState(c.env, c.req.param("account"), Date.now());
  if (!tenant) return toErrorResponse(c, failures.unknownPath);
  const at = c.req.query("at");
  if (at !== undefined && !/^\d{13}$/.test(at))
    return respondError(422, "invalid_input", "at: must be the time of the export");
  const step = await continueExport(tenant, at === undefined ? undefined : Number(at), Date.now());
  return c.json(step);
});

operatorApp.get("/accounts/:account/exports/:day", async (c) => {
  const tenant = await openAccountInAnyState(c.env, c.req.param("account"), Date.now());
  const day = c.req.param("day");
  const stream = DAY.test(day) && tenant ? await openExport(tenant, day) : undefined;
  if (!stream) return respondError(404, "export_not_found", "There is no export of this day");
  return new Response(stream, { headers: { "Content-Type": "application/zip" } });
});

/** Refusals of a restore: status and message with the next step. */
const RESTORE_REFUSALS = {
  accountNotEmpty: [409, "account_not_empty", "The account has data. Choose an empty one"],
  backupNotFound: [404, "backup_not_found", "There is no such backup. Choose another day or region"],
  backupDamaged: [422, "backup_damaged", "The backup is damaged. Choose another day"],
  backupNewer: [422, "backup_newer", "The backup is from a newer version. Deploy it, then migrate the databases"],
  restoreRunning: [409, "restore_running", "A restore or a backup check is running. Try again in a minute"],
  backupTooLarge: [422, "backup_too_large", "The backup is too large for this page. Use npm run restore"],
} as const;

operatorApp.post("/accounts/:account/restore", async (c) => {
  const account = c.req.param("account");
  const tenant = await openAccountInAnyState(c.env, account, Date.now());
  if (!tenant) return toErrorResponse(c, failures.unknownPath);
  const { from = "", day = "", confirm = "" } = c.req.query();
  if (confirm !== account)
    return respondError(422, "invalid_input", "confirm: must be the name of the company to restore into");
  if (!ACCOUNT_NAME_PATTERN.test(from))
    return respondError(422, "invalid_input", "from: must be the name of a company");
  if (!DAY.test(day) || Number.isNaN(Date.parse(day)))
    return respondError(422, "invalid_input", "day: must be a date as 2026-11-20");
  const result = await restoreBackup(tenant, { from, day, now: Date.now() });
  if (result.kind !== "restored") {
    const [status, code, message] = RESTORE_REFUSALS[result.kind];
    return respondError(status, code, message);
  }
  return c.json({ rows: result.rows, lost_secrets: result.lostSecrets, files: result.files });
});

operatorApp.put("/accounts/:account/origin/:origin", async (c) => {
  const tenant = await openAccountInAnyState(c.env, c.req.param("account"), Date.now());
  if (!tenant) return toErrorResponse(c, failures.unknownPath);
  await saveRestoreOrigin(tenant, c.req.param("origin"), Date.now());
  return c.body(null, 204);
});

interface Statement {
  readonly sql: string;
  readonly values: readonly (string | number | null)[];
}

function parseStatements(text: string): readonly Statement[] | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const statements: unknown = typeof body === "object" && body !== null && "statements" in body && body.statements;
  if (!Array.isArray(statements) || statements.length === 0 || statements.length > MAX_STATEMENTS) return undefined;
  return statements.every(isStatement) ? statements : undefined;
}

function isStatement(statement: unknown): statement is Statement {
  if (typeof statement !== "object" || statement === null) return false;
  const { sql, values } = statement as Readonly<Record<string, unknown>>;
  const isValue = (value: unknown) => value === null || typeof value === "string" || typeof value === "number";
  return typeof sql === "string" && sql !== "" && Array.isArray(values) && values.every(isValue);
}
