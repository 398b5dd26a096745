import { copyFile, mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { applyPendingMigrations, listMigrationFiles } from "#scripts/migrations.ts";
import { type SimulatedCloudflare, startCloudflare } from "#support/cloudflare.ts";
import { wrapSqlite } from "#support/sqlite-d1.ts";

// An administrator applies migrations with wrangler, the platform through the binding. Both must continue each other.

const all = resolve(import.meta.dirname, "../../migrations");
const files = listMigrationFiles(all);

let cloud: SimulatedCloudflare;
let folder: string;
beforeAll(async () => {
  cloud = await startCloudflare("migrations");
  folder = join(cloud.folder, "migrations");
});
afterAll(() => cloud.close());

/** Makes the first migrations the only ones. */
async function onlyFirst(count: number): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  for (const file of files.slice(0, count)) await copyFile(join(all, file), join(folder, file));
}

async function apply(by: "wrangler" | "binding", name: string): Promise<void> {
  if (by === "wrangler") {
    process.env["STAND_IN_MIGRATIONS"] = folder;
    const applied = await cloud.wrangler("d1", "migrations", "apply", name, "--remote");
    delete process.env["STAND_IN_MIGRATIONS"];
    expect(applied).toMatchObject({ exitCode: 0 });
    return;
  }
  const sqlite = new DatabaseSync(join(cloud.folder, `${name}.sqlite`));
  await applyPendingMigrations(wrapSqlite(sqlite).db, folder);
  sqlite.close();
}

function readState(name: string): { readonly applied: unknown; readonly schema: unknown } {
  const sqlite = new DatabaseSync(join(cloud.folder, `${name}.sqlite`));
  const applied = sqlite.prepare("SELECT id, name FROM d1_migrations ORDER BY id").all();
  const schema = sqlite
    .prepare("SELECT type, name, sql FROM sqlite_master WHERE name NOT IN ('d1_migrations') ORDER BY type, name")
    .all();
  const columns = sqlite.prepare(`SELECT name, type, "notnull", pk FROM pragma_table_info('d1_migrations')`).all();
  sqlite.close();
  return { applied: { applied, columns }, schema };
}

test("creates the same schema and migration list by wrangler, the binding or both", async () => {
  await onlyFirst(files.length);
  await apply("binding", "reference");
  const reference = readState("reference");
  expect(reference.applied).toMatchObject({ applied: files.map((name, index) => ({ id: index + 1, name })) });
  const step = fc.record({ by: fc.constantFrom("wrangler" as const, "binding" as const), to: fc.nat(files.length) });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 3 }), fc.constantFrom("wrangler", "binding"), async (steps, last) => {
      const name = `mixed-${run++}`;
      for (const { by, to } of [...steps.toSorted((a, b) => a.to - b.to), { by: last, to: files.length } as const]) {
        await onlyFirst(to);
        await apply(by, name);
      }
      expect(readState(name)).toEqual(reference);
    }),
    { numRuns: inject("isThorough") ? 40 : 2, examples: [[[], "wrangler"]] },
  );
});
