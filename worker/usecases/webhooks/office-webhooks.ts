import { resourceOf } from "#domain/catalogue/resources/resources.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { isToldOf, TEST_EVENT, WEBHOOK_EVENTS } from "#domain/webhooks/events.ts";
import { thingQueries, toThings } from "#worker/store/catalogue/resources/resource-queries.ts";
import { updateThing } from "#worker/store/catalogue/resources/resource-writes.ts";
import type { Answers } from "#worker/store/database.ts";
import {
  deliveryQueries,
  deliveryQuery,
  type Replayed,
  replayCountQuery,
  replayStatements,
  trialStatements,
} from "#worker/store/webhooks/deliveries.ts";
import { webhookQuery } from "#worker/store/webhooks/webhooks.ts";
import { readAsStaff, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import { type OfficeAnswer, type OfficeWrite, refuseWithout } from "#worker/usecases/bookings/moves/office-context.ts";
import { createThing } from "#worker/usecases/catalogue/resources/create-thing.ts";
import type { ResourceRefusal } from "#worker/usecases/catalogue/resources/resource-refusals.ts";
import { entryOf, type Said } from "#worker/usecases/catalogue/resources/thing-decision.ts";
import { writeResource, writeThingOnce, writingOf } from "#worker/usecases/catalogue/resources/write-thing-once.ts";
import { type Page, toPage } from "#worker/usecases/shared/page.ts";
import { LEASE_MILLISECONDS, sendTrial } from "./send-webhooks.ts";
import { newSealedKeys, openKeys } from "./webhook-keys.ts";

const WEBHOOKS = resourceOf("webhooks");

type Thing = ReturnType<typeof toThings>[number];
type Written<T> = Promise<Result<OfficeAnswer<T>, ResourceRefusal>>;

/** An address, and the secret that is told this once. */
export interface WebhookWithSecret {
  readonly thing: Thing;
  readonly secret: string | undefined;
}

/** Makes an address with keys of its own; its secret is told now and never again. */
export async function createWebhook(write: OfficeWrite, said: Said): Written<WebhookWithSecret> {
  const keys = await newSealedKeys(write.tenant);
  return withSecret(write, await createThing(write, WEBHOOKS, said, keys), keys);
}

/** Gives an address new keys; those before sign beside them for a week. */
export async function rotateWebhookSecret(write: OfficeWrite, id: string): Written<WebhookWithSecret> {
  const { db } = write.tenant;
  const keys = await newSealedKeys(write.tenant);
  const done = await writeThingOnce(write, WEBHOOKS, {
    content: { rotate: id },
    read: () => thingQueries(db, WEBHOOKS, id),
    decide: (reading) => {
      const [thing] = toThings(WEBHOOKS, reading.rows);
      if (!thing) return refuse({ kind: "thingNotFound" });
      const entry = entryOf(reading, WEBHOOKS, {
        id,
        version: thing.version + 1,
        move: "changed",
        before: { public_key: thing.values["public_key"] ?? null },
        after: { public_key: keys.publicKey },
      });
      return ok({ resource: id, statements: updateThing(db, WEBHOOKS, {}, { id, entries: [entry], more: keys }) });
    },
  });
  return withSecret(write, done, keys);
}

// The same answer to the same key: a secret that was on its way when the network failed is not lost.
async function withSecret(
  { tenant }: OfficeWrite,
  done: Result<OfficeAnswer<Thing>, ResourceRefusal>,
  made: Awaited<ReturnType<typeof newSealedKeys>>,
): Written<WebhookWithSecret> {
  if (!done.ok) return done;
  const { value: thing, freshToken } = done.value;
  const isMadeNow = thing.values["public_key"] === made.publicKey;
  const sealed = isMadeNow ? made.secretSealed : await readSealed(tenant.db, thing);
  const keys = sealed === undefined ? undefined : await openKeys(tenant, sealed);
  return ok({ value: { thing, secret: keys?.secret }, freshToken });
}

async function readSealed(db: OfficeWrite["tenant"]["db"], { id }: Thing): Promise<string | undefined> {
  const [[kept]] = await db.batch([webhookQuery(db, Number(id))]);
  return kept?.secretSealed;
}

type DeliveryRow = Answers<ReturnType<typeof deliveryQueries>>[1][number];

/** What was told to an address, and what it answered; one round trip. */
export async function listDeliveries(
  request: StaffRequest,
  id: number,
  search: Omit<Parameters<typeof deliveryQueries>[1], "webhookId" | "id">,
): Written<Page<DeliveryRow>> {
  const { db } = request.tenant;
  const read = await readAsStaff(
    request,
    () => [webhookQuery(db, id), ...deliveryQueries(db, { ...search, webhookId: id })] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const refused = refuseWithout(staff, WEBHOOKS.seeing);
  if (refused) return refused;
  const [[webhook], [counted], found] = rows;
  if (!webhook) return refuse({ kind: "thingNotFound" });
  return ok({ value: toPage(found, counted, search.pageSize, (row) => row.id), freshToken });
}

/** Sends something to an address to try it, at once and once; answers what came of it. */
export async function tryWebhook(write: OfficeWrite, id: number, uid: string): Written<DeliveryRow> {
  const { tenant, now } = write;
  const { db } = tenant;
  const body = JSON.stringify({ type: TEST_EVENT, timestamp: new Date(now).toISOString(), data: { webhook_id: id } });
  const done = await writeResource(write, {
    ...writingOf(WEBHOOKS),
    content: { resource: WEBHOOKS.name, test: id },
    read: () => [webhookQuery(db, id)],
    decide: ({ rows: [[webhook]] }) => {
      if (!webhook) return refuse({ kind: "thingNotFound" });
      const trial = { webhookId: id, uid, body, type: TEST_EVENT };
      return ok({ resource: uid, statements: trialStatements(db, trial, { now, until: now + LEASE_MILLISECONDS }) });
    },
    readBack: (made) => [deliveryQuery(db, id, made)],
    answer: ([[delivery]]) => (delivery ? ok(delivery) : refuse({ kind: "thingNotFound" })),
  });
  if (!done.ok) return done;
  const kept = done.value.value;
  if (kept.attempts === 0) await sendTrial(tenant, kept, now);
  const [, [row]] = await db.batch([...deliveryQueries(db, { webhookId: id, id: kept.id, pageSize: 1 })]);
  return row ? ok({ value: row, freshToken: done.value.freshToken }) : refuse({ kind: "thingNotFound" });
}

/** What is to be told again: one event, or what happened from one moment to another. */
export type Replay = Pick<Replayed, "from" | "to" | "uid">;

/** Lets an address be told again what it asked for and may read; answers how much that is. */
export async function replayWebhook(write: OfficeWrite, id: number, replay: Replay): Written<number> {
  const { db } = write.tenant;
  return writeResource(write, {
    ...writingOf(WEBHOOKS),
    content: { resource: WEBHOOKS.name, replay: id, ...replay, to: replay.uid === undefined ? "now" : "" },
    read: () => [webhookQuery(db, id)],
    decide: ({ rows: [[webhook]] }) => {
      if (!webhook) return refuse({ kind: "thingNotFound" });
      const { agencyId } = webhook;
      const types = Object.keys(WEBHOOK_EVENTS).filter((type) => isToldOf(webhook, { type, agencyId }));
      const replayed: Replayed = { ...replay, webhookId: id, agencyId, types };
      const moments = { now: write.now, leasesEnd: write.now + LEASE_MILLISECONDS };
      return ok({ resource: JSON.stringify(replayed), statements: replayStatements(db, replayed, moments) });
    },
    readBack: (replayed) => [replayCountQuery(db, JSON.parse(replayed) as Replayed)],
    answer: ([[counted]]) => ok(counted?.count ?? 0),
  });
}
