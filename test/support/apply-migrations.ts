import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";

declare global {
  namespace Cloudflare {
    interface Env {
      /** Result of all migrations. Read by vitest.config.ts, because a Worker has no file system. */
      readonly SCHEMA: string[];
      readonly MIGRATIONS: D1Migration[];
      /** Empty database without a schema, for migration tests. */
      readonly BEHIND: D1Database;
      /** Directory of companies, empty until a test migrates it. */
      readonly CELL_DIRECTORY: D1Database;
      readonly DIRECTORY_MIGRATIONS: D1Migration[];
    }
  }
}

// Test files of a runtime share its storage, so the first one creates the schema.
const shared = globalThis as { areMigrated?: true };
if (!shared.areMigrated) {
  for (const database of [env.TENANT_ACME, env.TENANT_GLOBEX])
    await database.batch(env.SCHEMA.map((statement) => database.prepare(statement)));
  shared.areMigrated = true;
}
