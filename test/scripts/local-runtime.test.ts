import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDroppingLineWriter } from "#scripts/line-writer.ts";
import { type LocalServer, startLocalServer } from "#scripts/local-runtime.ts";

let folder: string;
let server: LocalServer;
let lines = 0;

// Each response is followed by more output than a pipe buffer holds.
const FLOOD = `const flood = () => { for (let line = 0; line < 400; line++) console.log("x".repeat(1000)); };`;
const FRONT = `${FLOOD}
  export class ShoppingCart {}
  export default { async fetch() { flood(); return new Response("ok"); } };`;
const OFFICE = `${FLOOD}
  export class TempDatabase {}
  export default {
    async fetch() { return new Response("not the clock", { status: 404 }); },
    async scheduled() { flood(); },
  };`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "local-runtime-"));
  await writeFile(join(folder, "index.js"), FRONT);
  await mkdir(join(folder, "office"));
  await writeFile(join(folder, "office", "index.js"), OFFICE);
  const bundle = { folder, gzipKilobytes: 0 };
  server = await startLocalServer({
    stateDir: folder,
    bundle,
    bindings: { MASTER_KEY: "x" },
    output: () => {
      lines += 1;
    },
  });
}, 60_000);

afterAll(async () => {
  await server.dispose();
  await rm(folder, { recursive: true, force: true });
});

test("triggers the cron job under a flood of requests and log lines, and the server still answers", async () => {
  const ask = async () => (await fetch(`http://127.0.0.1:${server.port}/`)).text();
  for (let round = 0; round < 10; round++) {
    const responses = Array.from({ length: 20 }, ask);
    await Promise.all([...responses, server.runScheduledJobs()]);
  }
  expect(await ask()).toBe("ok");
  // Output of the responding Worker and of the one with cron, all passed to the listener.
  const lineCount = (1 + 10 * 21) * 400;
  await expect.poll(() => lines).toBe(lineCount);
}, 60_000);

test("drops log lines without a reader instead of waiting, and reports their number to the next reader", async () => {
  const slow = new PassThrough({ highWaterMark: 10 });
  const write = createDroppingLineWriter(slow);
  for (const line of ["first line", "second", "third"]) write(line);
  slow.read();
  await new Promise((resolve) => setImmediate(resolve));
  write("fourth");
  expect(String(slow.read())).toBe("(2 lines were dropped: nobody read them)\nfourth\n");
});
