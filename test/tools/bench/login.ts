import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { bundleWorker, type LocalServer, startLocalServer } from "#scripts/local-runtime.ts";
import { migrateLocalDatabases } from "#scripts/migrations.ts";
import {
  type Client,
  createClient,
  createJsonCall,
  createUnexpectedAnswerError,
  parseJson,
} from "#tools/platform/client.ts";
import { runTool } from "#tools/platform/run-tool.ts";
import { hashPassword } from "#worker/auth/passwords.ts";
import { getDatabase } from "./account-operations.ts";
import { getMedian } from "./statistics.ts";

// The duration of a sign-in must not reveal whether a user exists, so medians must differ by less than this.
const ALLOWED_DIFFERENCE = 0.1;
const SAMPLES = Number(process.env["SAMPLES"] || 60);
const PASSWORD = "Right-pass-1!";
const BATCH = 50;

interface Kind {
  readonly name: string;
  readonly username: (sample: number) => string;
  readonly password: string;
  readonly connected: boolean;
}

const useKnown = (sample: number) => `user${sample}@example.com`;
const useUnknown = (sample: number) => `none${sample}@example.com`;
const WRONG = { password: "Wrong-pass-1!", connected: false };
const KINDS = [
  { name: "known user, wrong password", username: useKnown, ...WRONG },
  { name: "unknown user", username: useUnknown, ...WRONG },
  { name: "known user, right password", username: useKnown, password: PASSWORD, connected: true },
] as const satisfies readonly Kind[];

async function fill(server: LocalServer): Promise<void> {
  const db = getDatabase(await server.openDatabases(), "acme");
  const hash = await hashPassword(PASSWORD);
  await db
    .prepare(`INSERT INTO settings (id, account_name, country_code, currency, timezone, languages, default_language)
      VALUES (1, 'Bench', 'ES', 'EUR', 'Europe/Madrid', '["es"]', 'es')`)
    .run();
  for (let first = 0; first < SAMPLES; first += BATCH) {
    await db.batch(
      Array.from({ length: BATCH }, (_, index) =>
        db
          .prepare(`INSERT INTO users (kind, username, email, full_name, password_hash, role, created_at, last_update)
            VALUES ('staff', ?1, ?1, 'Somebody', ?2, 'operator', 1, 1)`)
          .bind(`user${first + index}@example.com`, hash),
      ),
    );
  }
}

/** Signs in and returns the duration in milliseconds. */
async function measureTime(client: Client, kind: Kind, sample: number): Promise<number> {
  const content = { username: kind.username(sample), password: kind.password };
  const call = createJsonCall({ account: "acme", method: "POST", path: "/api/v1/login" }, content);
  const startedAt = performance.now();
  const answer = await client.send(call, "anew");
  const milliseconds = performance.now() - startedAt;
  if (parseJson(answer).connected !== kind.connected) throw createUnexpectedAnswerError(call, answer);
  return milliseconds;
}

/** Measures the medians of each kind in alternation, so that other load affects all equally. */
async function measure(client: Client): Promise<readonly number[]> {
  const times = KINDS.map((): number[] => []);
  for (let sample = 0; sample < SAMPLES; sample++) {
    for (const [index, kind] of KINDS.entries()) times[index]?.push(await measureTime(client, kind, sample));
  }
  return times.map((kindTimes) => getMedian(kindTimes, Number));
}

async function benchLogin(stateDir: string): Promise<boolean> {
  await migrateLocalDatabases(stateDir);
  const bundle = await bundleWorker({ development: false, folder: join(stateDir, "bundle") });
  const server = await startLocalServer({
    stateDir,
    bundle,
    bindings: { MASTER_KEY: randomBytes(32).toString("base64"), LOG_LEVEL: "error" },
  });
  try {
    await fill(server);
    const client = createClient(server.port);
    await measureTime(client, { ...KINDS[1], username: () => "first@example.com" }, 0);
    const medians = await measure(client);
    for (const [index, { name }] of KINDS.entries()) console.log(`${name.padEnd(28)} ${medians[index]?.toFixed(1)} ms`);
    const [known = 0, unknown = 0] = medians;
    const difference = Math.abs(known - unknown) / Math.max(known, unknown);
    console.log(
      `known and unknown differ by ${(100 * difference).toFixed(1)} % (medians of ${SAMPLES}; less than 10 % allowed)`,
    );
    return difference < ALLOWED_DIFFERENCE;
  } finally {
    await server.dispose();
  }
}

await runTool("bench-login", async (stateDir) => ((await benchLogin(stateDir)) ? 0 : 1));
