import { getResource } from "#domain/catalogue/resources/resources.ts";
import { isWebhookSubscribed, WEBHOOK_EVENTS, WEBHOOK_TEST_EVENT } from "#domain/catalogue/webhook-events.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { resourceQueries, toResources } from "#worker/store/catalogue/resources/resource-queries.ts";
import { updateResourceStatements } from "#worker/store/catalogue/resources/resource-writes.ts";
import type { QueryResults } from "#worker/store/database.ts";
import {
  replayWebhookEventsStatements,
  type WebhookEventsToReplay,
  webhookDeliveryListQueries,
  webhookDeliveryQuery,
  webhookEventsToReplayCountQuery,
  webhookTestEventStatements,
} from "#worker/store/webhooks/deliveries.ts";
import { webhookQuery } from "#worker/store/webhooks/webhooks.ts";
import { createResource } from "#worker/usecases/catalogue/resources/create-resource.ts";
import type { ResourceRefusal } from "#worker/usecases/catalogue/resources/resource-refusals.ts";
import {
  createResourceHistoryEntry,
  type ResourceInput,
} from "#worker/usecases/catalogue/resources/validate-resource.ts";
import {
  getResourceWriteOptions,
  writeResource,
  writeResourceOnce,
} from "#worker/usecases/catalogue/resources/write-resource.ts";
import { findMissingRightRefusal, type OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { type Page, toPage } from "#worker/usecases/shared/page.ts";
import { sendWebhookTestEvent, WEBHOOK_LEASE_MILLISECONDS } from "./send-webhooks.ts";
import { createEncryptedWebhookKeys, decryptWebhookKeys } from "./webhook-keys.ts";

const WEBHOOK_RESOURCE = getResource("webhooks");

type WebhookRow = ReturnType<typeof toResources>[number];
type WebhookWriteResult<T> = Promise<Result<StaffAnswer<T>, ResourceRefusal>>;

/** Webhook with its secret, which is returned only once. */
export interface WebhookWithSecret {
  readonly webhook: WebhookRow;
  readonly secret: string | undefined;
}

/** Creates a webhook with new keys. Its secret is returned only now. */
export async function createWebhook(
  write: OfficeWrite,
  resourceInput: ResourceInput,
): WebhookWriteResult<WebhookWithSecret> {
  const keys = await createEncryptedWebhookKeys(write.tenant);
  return withSecret(write, await createResource(write, WEBHOOK_RESOURCE, resourceInput, keys), keys);
}

/** Replaces the keys of a webhook. The previous keys also sign for a week. */
export async function rotateWebhookSecret(write: OfficeWrite, id: string): WebhookWriteResult<WebhookWithSecret> {
  const { db } = write.tenant;
  const keys = await createEncryptedWebhookKeys(write.tenant);
  const createResult = await writeResourceOnce(write, WEBHOOK_RESOURCE, {
    content: { rotate: id },
    read: () => resourceQueries(db, WEBHOOK_RESOURCE, id),
    decide: (reading) => {
      const [webhook] = toResources(WEBHOOK_RESOURCE, reading.rows);
      if (!webhook) return err({ kind: "resourceNotFound" });
      const entry = createResourceHistoryEntry(reading, WEBHOOK_RESOURCE, {
        id,
        version: webhook.version + 1,
        event: "changed",
        before: { public_key: webhook.values["public_key"] ?? null },
        after: { public_key: keys.publicKey },
      });
      return ok({
        resource: id,
        statements: updateResourceStatements(db, WEBHOOK_RESOURCE, {}, { id, entries: [entry], more: keys }),
      });
    },
  });
  return withSecret(write, createResult, keys);
}

// The same key gets the same answer, so a secret isn't lost if the network fails.
async function withSecret(
  { tenant }: OfficeWrite,
  createResult: Result<StaffAnswer<WebhookRow>, ResourceRefusal>,
  generatedKeys: Awaited<ReturnType<typeof createEncryptedWebhookKeys>>,
): WebhookWriteResult<WebhookWithSecret> {
  if (!createResult.ok) return createResult;
  const { value: webhook, freshToken } = createResult.value;
  const isNewlyCreated = webhook.values["public_key"] === generatedKeys.publicKey;
  const sealed = isNewlyCreated ? generatedKeys.secretSealed : await readEncrypted(tenant.db, webhook);
  const keys = sealed === undefined ? undefined : await decryptWebhookKeys(tenant, sealed);
  return ok({ value: { webhook, secret: keys?.secret }, freshToken });
}

async function readEncrypted(db: OfficeWrite["tenant"]["db"], { id }: WebhookRow): Promise<string | undefined> {
  const [[storedWebhook]] = await db.batch([webhookQuery(db, Number(id))]);
  return storedWebhook?.secretSealed;
}

type DeliveryRow = QueryResults<ReturnType<typeof webhookDeliveryListQueries>>[1][number];

/** Lists a webhook's deliveries and its answers. One round trip. */
export async function listWebhookDeliveries(
  request: StaffRequest,
  id: number,
  search: Omit<Parameters<typeof webhookDeliveryListQueries>[1], "webhookId" | "id">,
): WebhookWriteResult<Page<DeliveryRow>> {
  const { db } = request.tenant;
  const read = await readAsStaff(
    request,
    () => [webhookQuery(db, id), ...webhookDeliveryListQueries(db, { ...search, webhookId: id })] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const refused = findMissingRightRefusal(staff, WEBHOOK_RESOURCE.readRight);
  if (refused) return refused;
  const [[webhook], [counted], item] = rows;
  if (!webhook) return err({ kind: "resourceNotFound" });
  return ok({ value: toPage(item, counted, search.pageSize, (row) => row.id), freshToken });
}

/** Sends a test event to a webhook, immediately and once. Returns the result. */
export async function sendWebhookTest(write: OfficeWrite, id: number, uid: string): WebhookWriteResult<DeliveryRow> {
  const { tenant, now } = write;
  const { db } = tenant;
  const body = JSON.stringify({
    type: WEBHOOK_TEST_EVENT,
    timestamp: new Date(now).toISOString(),
    data: { webhook_id: id },
  });
  const createResult = await writeResource(write, {
    ...getResourceWriteOptions(WEBHOOK_RESOURCE),
    content: { resource: WEBHOOK_RESOURCE.name, test: id },
    read: () => [webhookQuery(db, id)],
    decide: ({ rows: [[webhook]] }) => {
      if (!webhook) return err({ kind: "resourceNotFound" });
      const trial = { webhookId: id, uid, body, type: WEBHOOK_TEST_EVENT };
      return ok({
        resource: uid,
        statements: webhookTestEventStatements(db, trial, { now, until: now + WEBHOOK_LEASE_MILLISECONDS }),
      });
    },
    readBack: (deliveryId) => [webhookDeliveryQuery(db, id, deliveryId)],
    answer: ([[delivery]]) => (delivery ? ok(delivery) : err({ kind: "resourceNotFound" })),
  });
  if (!createResult.ok) return createResult;
  const storedWebhook = createResult.value.value;
  if (storedWebhook.attempts === 0) await sendWebhookTestEvent(tenant, storedWebhook, now);
  const [, [row]] = await db.batch([
    ...webhookDeliveryListQueries(db, { webhookId: id, id: storedWebhook.id, pageSize: 1 }),
  ]);
  return row ? ok({ value: row, freshToken: createResult.value.freshToken }) : err({ kind: "resourceNotFound" });
}

/** Events to deliver again: one event, or all events in a time range. */
export type WebhookReplayRange = Pick<WebhookEventsToReplay, "from" | "to" | "uid">;

/** Delivers past events again that the webhook subscribes to and may read. Returns their number. */
export async function replayWebhook(
  write: OfficeWrite,
  id: number,
  replay: WebhookReplayRange,
): WebhookWriteResult<number> {
  const { db } = write.tenant;
  return writeResource(write, {
    ...getResourceWriteOptions(WEBHOOK_RESOURCE),
    content: { resource: WEBHOOK_RESOURCE.name, replay: id, ...replay, to: replay.uid === undefined ? "now" : "" },
    read: () => [webhookQuery(db, id)],
    decide: ({ rows: [[webhook]] }) => {
      if (!webhook) return err({ kind: "resourceNotFound" });
      const { agencyId } = webhook;
      const types = Object.keys(WEBHOOK_EVENTS).filter((type) => isWebhookSubscribed(webhook, { type, agencyId }));
      const replayed: WebhookEventsToReplay = { ...replay, webhookId: id, agencyId, types };
      const moments = { now: write.now, leasesEnd: write.now + WEBHOOK_LEASE_MILLISECONDS };
      return ok({
        resource: JSON.stringify(replayed),
        statements: replayWebhookEventsStatements(db, replayed, moments),
      });
    },
    readBack: (replayed) => [webhookEventsToReplayCountQuery(db, JSON.parse(replayed) as WebhookEventsToReplay)],
    answer: ([[counted]]) => ok(counted?.count ?? 0),
  });
}
