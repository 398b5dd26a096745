import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { enqueueMail } from "#worker/store/mails/outgoing-mails.ts";
import { encryptOutgoingMail } from "#worker/usecases/mails/send-mails.ts";
import { runQueuedJobs } from "#worker/usecases/operations/job-queue.ts";

const NOON = Date.parse("2027-03-01T12:00:00Z");
const NEVER = new Promise<never>(() => undefined);

beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  for (const name of ["acme", "globex"] as const) {
    await setUpCompany(name);
    const tenant = openTestTenant(env, name);
    const mail = { subject: name, text: "", html: "", recipient: "ana@example.com", company: "Test" };
    await enqueueMail(tenant.db, await encryptOutgoingMail(tenant, mail, NOON, NOON + 3_600_000));
  }
});

const countMails = (name: "acme" | "globex") =>
  env[name === "acme" ? "TENANT_ACME" : "TENANT_GLOBEX"]
    .prepare("SELECT count(*) AS n FROM outgoing_mails")
    .first<number>("n");

/** Delivers one message in a separate invocation. */
async function deliver(account: string, bindings: Cloudflare.Env, limitMs: number) {
  const message = { id: account, timestamp: new Date(NOON), attempts: 1, body: { account, kind: "resend_mails" } };
  const batch = createMessageBatch("jobs", [message]);
  const options = { sendToGateway: async () => new Response(), now: () => NOON + 600_000, limitMs };
  await runQueuedJobs(batch, bindings, options);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
  return { acked: explicitAcks, retried: retryMessages.map(({ msgId }: { msgId: string }) => msgId) };
}

describe("a message while the mail service doesn't answer", () => {
  const silentFor = (name: string) => ({
    ...env,
    MAIL: { send: ({ subject }: { subject: string }) => (subject === name ? NEVER : Promise.resolve()) },
  });

  test("retries a queue message after its time limit if the mail service is silent, without delaying others", async () => {
    const bindings = silentFor("acme") as unknown as Cloudflare.Env;
    let isSlowDone = false;
    const slow = deliver("acme", bindings, 3_000).then((result) => {
      isSlowDone = true;
      return result;
    });
    expect(await deliver("globex", bindings, 60_000)).toEqual({ acked: ["globex"], retried: [] });
    expect([isSlowDone, await countMails("globex")]).toEqual([false, 0]);
    expect(await slow).toEqual({ acked: [], retried: ["acme"] });
    expect(await countMails("acme")).toBe(1);
  });

  test("sends a queued mail once the mail service answers, and not again for a repeated queue message", async () => {
    const send = vi.fn(async () => undefined);
    const bindings = { ...env, MAIL: { send } } as unknown as Cloudflare.Env;
    for (let time = 0; time < 2; time++)
      expect(await deliver("acme", bindings, 60_000)).toEqual({ acked: ["acme"], retried: [] });
    expect(send).toHaveBeenCalledTimes(1);
  });
});
