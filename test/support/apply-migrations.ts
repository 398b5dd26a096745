import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";

declare global {
  namespace Cloudflare {
    interface Env {
      /** What all migrations come to. Read by vitest.config.ts, as a Worker has no file system. */
      readonly SCHEMA: string[];
      readonly MIGRATIONS: D1Migration[];
      /** Empty and without a schema, for tests of migrations. */
      readonly BEHIND: D1Database;
    }
  }
}

// The files of a runtime share its storage: the first of them brings the schema for all.
const shared = globalThis as { areMigrated?: true };
if (!shared.areMigrated) {
  for (const database of [env.TENANT_ACME, env.TENANT_GLOBEX])
    await database.batch(env.SCHEMA.map((statement) => database.prepare(statement)));
  shared.areMigrated = true;
}
