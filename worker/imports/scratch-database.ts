import { DurableObject } from "cloudflare:workers";
import {
  type GivenFiles,
  type ImportedCounts,
  type ImportRefusal,
  type ImportTable,
  MOST_ACCOUNT_ROWS,
  MOST_IMPORT_ROWS,
  OFFICE_IMPORTS,
  type Restored,
  type TakenBack,
  type Tried,
} from "#domain/operations/imports.ts";
import { readTables } from "#worker/store/operations/file-tables.ts";
import { findBinding } from "#worker/tenancy/bindings.ts";
import { openCopies } from "#worker/tenancy/file-store.ts";
import type { ScratchCalls, ScratchRequest } from "#worker/tenancy/scratch.ts";
import { AccountChanged, makeTables } from "./copy.ts";
import { columnsThatFollow } from "./fill-in.ts";
import { checkOf, isTooLong, openGiven } from "./given-files.ts";
import { fieldsOf } from "./headings.ts";
import { type Beside, importSheets } from "./import.ts";
import { objectDatabase } from "./object-database.ts";
import { restoreCopy } from "./restore-copy.ts";
import type { SyncDatabase } from "./sync-database.ts";
import { packedTemplates } from "./templates.ts";
import { undoImport } from "./undo.ts";

/** Characters of a statement's values: D1 takes texts of 2 MB. */
const STATEMENT_CHARACTERS = 500_000;
/** After this, what a killed import has left of a company is deleted; one that goes on for longer keeps its copy. */
const LEFT_FOR_MILLISECONDS = 15 * 60_000;

/**
 * A database that is thrown away: imports are tried in it under the account's own rules, backups are restored into it.
 * One object for each account and purpose; it does one thing at a time and keeps nothing: what a killed one leaves, its
 * alarm deletes.
 */
export class ScratchDatabase extends DurableObject<Cloudflare.Env> implements ScratchCalls {
  #isBusy = false;

  /** Does all of an import but writing it. */
  check(account: string, given: GivenFiles): Promise<Tried> {
    return this.#alone((db, scratch) => this.#import(db, scratch, given), account);
  }

  /** Imports where nothing is wrong: all of it or nothing, and the request with it. */
  write(account: string, given: GivenFiles, request: ScratchRequest): Promise<Tried> {
    return this.#alone((db, scratch) => this.#import(db, scratch, given, request), account);
  }

  /** Takes the last import back. */
  undo(account: string, request: ScratchRequest): Promise<TakenBack> {
    return this.#alone(async (db, scratch): Promise<TakenBack> => {
      if (await isTooLarge(db)) return TOO_LARGE;
      const done = await undoImport(db, {
        scratch: await scratch(),
        statementCharacters: STATEMENT_CHARACTERS,
        now: request.now,
        beside: (id) => [requestStatement(db, id, request)],
      });
      const { bad: reasons, removed, restored } = done;
      return reasons.length > 0 ? { kind: "importNotUndoable", reasons } : { kind: "undone", removed, restored };
    }, account);
  }

  /** What the office imports, and what its files may say. */
  async tables(account: string): Promise<readonly ImportTable[]> {
    const tables = (await readTables(this.#database(account))).filter(({ name }) => OFFICE_IMPORTS.has(name));
    return tables.map((table) => ({
      name: table.name,
      fields: fieldsOf(table).map(({ field, column, kind, names, isRequired, allowed }) => ({
        field,
        kind,
        names: names?.table,
        isRequired: isRequired && !columnsThatFollow(table.name).has(column),
        words: allowed ?? [],
      })),
    }));
  }

  /** Files to fill in, as a zip. */
  templates(account: string): Promise<Uint8Array<ArrayBuffer>> {
    return packedTemplates(this.#database(account), (table) => OFFICE_IMPORTS.has(table));
  }

  /** Restores a backup of the account and looks at what is there then; undefined while another is. */
  restore(account: string, path: string): Promise<Restored | undefined> {
    const bucket = this.env.BACKUPS;
    if (!bucket) throw new Error("no bucket of copies is bound");
    const { rows } = openCopies(bucket, account);
    return this.#alone(async (db, scratch) => {
      const packed = await rows.get(path);
      if (!packed) throw new Error("there is no such backup");
      const copy = await scratch();
      await makeTables(db, copy);
      return restoreCopy(copy, packed);
    }, account).then((done) => ("kind" in done ? undefined : done));
  }

  async #import(db: D1Database, scratch: Scratch, given: GivenFiles, request?: ScratchRequest): Promise<Tried> {
    if (await isTooLarge(db)) return TOO_LARGE;
    const sheets = await openGiven(given);
    if (isTooLong(sheets)) return { kind: "importTooLarge", of: "file", most: MOST_IMPORT_ROWS };
    const done = await importSheets(db, {
      sheets,
      scratch,
      isDry: request === undefined,
      statementCharacters: STATEMENT_CHARACTERS,
      mapping: given.mapping,
      isTaken: (table) => OFFICE_IMPORTS.has(table),
      isOffice: true,
      ...(request && { now: request.now, beside: besideOf(db, request) }),
    });
    if (!request || done.bad.length > 0) return { kind: "checked", check: checkOf(sheets, done, given) };
    const files = done.files.map(
      ({ file, table, added, changed, unchanged }): ImportedCounts => ({ file, table, added, changed, unchanged }),
    );
    return { kind: "written", id: done.id, files };
  }

  async #alone<T>(work: (db: D1Database, scratch: Scratch) => Promise<T>, account: string): Promise<T | ImportRefusal> {
    if (this.#isBusy) return { kind: "importRunning" };
    this.#isBusy = true;
    const { storage } = this.ctx;
    try {
      return await work(this.#database(account), async () => {
        await storage.deleteAll();
        await this.#deleteLater();
        return objectDatabase(storage);
      });
    } catch (error) {
      if (error instanceof AccountChanged) return { kind: "importOvertaken" };
      throw error;
    } finally {
      await storage.deleteAll();
      this.#isBusy = false;
    }
  }

  /** Deletes the copy that was killed with its work. */
  override async alarm(): Promise<void> {
    if (this.#isBusy) return this.#deleteLater();
    await this.ctx.storage.deleteAll();
  }

  #deleteLater(): Promise<void> {
    return this.ctx.storage.setAlarm(Date.now() + LEFT_FOR_MILLISECONDS);
  }

  #database(account: string): D1Database {
    const found = findBinding(this.env, account);
    if (!found) throw new Error("there is no such account");
    return found;
  }
}

type Scratch = () => Promise<SyncDatabase>;

const TOO_LARGE = { kind: "importTooLarge", of: "account", most: MOST_ACCOUNT_ROWS } as const;

// What there is most of, before anything is copied.
async function isTooLarge(db: D1Database): Promise<boolean> {
  const { results } = await db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name IN (SELECT value FROM json_each(?))")
    .bind(JSON.stringify(MANY))
    .all<{ name: string }>();
  const counts = results.map(({ name }) => `(SELECT count(*) FROM ${name})`).join(" + ");
  const rows = await db.prepare(`SELECT ${counts || "0"} AS n`).first<number>("n");
  return Number(rows) > MOST_ACCOUNT_ROWS;
}

const MANY = [
  ...["bookings", "booking_lines", "booking_units", "booking_extras", "booking_history", "customers", "charges"],
  ...["documents", "document_items", "document_taxes", "expenses", "vehicles", "vehicle_history", "ledger_entries"],
];

function besideOf(db: D1Database, request: ScratchRequest): Beside {
  return (id) => [
    db.prepare("UPDATE imports SET actor = ? WHERE id = ?").bind(request.actor, id),
    requestStatement(db, id, request),
  ];
}

// Fails where the same key was used meanwhile, and takes the whole batch back.
function requestStatement(db: D1Database, id: number, { key, fingerprint, now }: ScratchRequest): D1PreparedStatement {
  return db
    .prepare("INSERT INTO office_requests (request_key, fingerprint, resource, at) VALUES (?, ?, ?, ?)")
    .bind(key, fingerprint, String(id), now);
}
