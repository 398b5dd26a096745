import { isWebhookSubscribed } from "#domain/catalogue/webhook-events.ts";
import {
  decideWebhookDelivery,
  type WebhookAttemptResult,
  type WebhookDeliveryDecision,
} from "#domain/webhooks/delivery.ts";
import { writeWebhookPayload } from "#domain/webhooks/message.ts";
import { signWebhook } from "#worker/auth/webhook-signature.ts";
import {
  type ClaimedWebhookDelivery,
  claimWebhookDeliveries,
  releaseWebhookDeliveries,
  saveWebhookAttempt,
} from "#worker/store/webhooks/deliveries.ts";
import { insertWebhookDeliveries, readUndispatchedWebhookEvents } from "#worker/store/webhooks/fan-out-events.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { createWebhookDisabledMails } from "./disabled-mails.ts";
import { postWebhookMessage, WEBHOOK_POST_LIMITS, type WebhookPostLimits } from "./post-message.ts";
import { decryptWebhookKeys } from "./webhook-keys.ts";

/** Lease of claimed deliveries. Longer than all attempts of one webhook in a round. */
export const WEBHOOK_LEASE_MILLISECONDS = 5 * 60_000;
const DELIVERIES_PER_ADDRESS = 10;
const MAX_ROUNDS = 20;

/**
 * Delivers new events and retries pending deliveries. Returns the number delivered. Webhooks are processed separately,
 * so a slow one delays no other.
 */
export async function sendWebhooks(
  tenant: Tenant,
  now: number,
  limits: WebhookPostLimits = WEBHOOK_POST_LIMITS,
): Promise<number> {
  const clock = clockFrom(now);
  await spreadEvents(tenant, now);
  let deliveredCount = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const until = clock() + WEBHOOK_LEASE_MILLISECONDS;
    const claimedDeliveries = await claimWebhookDeliveries(tenant.db, {
      now: clock(),
      until,
      limit: DELIVERIES_PER_ADDRESS,
    });
    const addresses = Map.groupBy(claimedDeliveries, ({ webhookId }) => webhookId);
    const counts = await Promise.all([...addresses.values()].map((own) => sendTo(tenant, own, { clock, limits })));
    const count = counts.reduce((sum, value) => sum + value, 0);
    deliveredCount += count;
    // Repeats after each delivered event, because the next event of its subject can now be sent.
    if (count === 0) break;
  }
  return deliveredCount;
}

type Clock = () => number;

// Slow partners can keep a run busy for minutes. Timestamps and pauses therefore use the time of each attempt.
function clockFrom(now: number): Clock {
  const began = performance.now();
  return () => now + Math.round(performance.now() - began);
}

/** Stores the event payloads and their recipients. Nothing is sent before it is stored. */
async function spreadEvents(tenant: Tenant, now: number): Promise<void> {
  const { settings } = (await tenant.snapshot()).catalogue;
  for (let isAll = false; !isAll; ) {
    const undispatched = await readUndispatchedWebhookEvents(tenant.db);
    isAll = undispatched.isAll;
    const events = undispatched.events.map(({ facts, ...event }) => ({
      id: event.id,
      subject: event.subject,
      agencyId: event.agencyId,
      body: writeWebhookPayload({ ...event, data: JSON.parse(facts ?? "{}") }, toIsoText, settings.currencyDecimals),
      // A draft that is issued at once is announced as issued only.
      webhookIds: isIssuedDraft(event.type, facts)
        ? []
        : undispatched.addresses.filter((address) => isWebhookSubscribed(address, event)).map(({ id }) => id),
    }));
    if (events.length > 0) await insertWebhookDeliveries(tenant.db, events, now);
  }
}

const isIssuedDraft = (type: string, facts: string | null) => type === "document.drafted" && facts === null;

function toIsoText(at: number): string {
  return new Date(at).toISOString();
}

// Deliveries run one after another. If the endpoint is overloaded, the remaining ones wait.
async function sendTo(
  tenant: Tenant,
  own: readonly ClaimedWebhookDelivery[],
  { clock, limits }: { readonly clock: Clock; readonly limits: WebhookPostLimits },
): Promise<number> {
  let deliveredCount = 0;
  for (const [index, delivery] of own.entries()) {
    const decision = await attemptDelivery(tenant, delivery, { clock, limits, isTrial: false });
    if (decision.state === "delivered") deliveredCount += 1;
    if (decision.pausedUntil === undefined && decision.disable === undefined) continue;
    const rest = own.slice(index + 1).map(({ id }) => id);
    await releaseWebhookDeliveries(tenant.db, rest, clock());
    break;
  }
  return deliveredCount;
}

interface Trying {
  readonly clock: Clock;
  readonly limits: WebhookPostLimits;
  readonly isTrial: boolean;
}

async function attemptDelivery(
  tenant: Tenant,
  delivery: ClaimedWebhookDelivery,
  { clock, limits, isTrial }: Trying,
): Promise<WebhookDeliveryDecision> {
  const now = clock();
  const { url, uid, webhookId } = delivery;
  const body = delivery.body ?? "{}";
  const timestamp = Math.floor(now / 1000);
  const signature = await signDelivery(tenant, delivery, { id: uid, timestamp, body }, now);
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "rental-platform-webhooks/1",
    "webhook-id": uid,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signature,
  };
  const answer = await postWebhookMessage(url, { headers, body }, limits);
  const decision = decide(delivery, answer, { now, isTrial });
  const { status = null, problem = null, text, milliseconds } = answer;
  const attempt = {
    deliveryId: delivery.id,
    at: now,
    url,
    timestamp,
    signature,
    status,
    problem,
    answer: text,
    milliseconds,
  };
  const mails =
    decision.disable && !isTrial
      ? await createWebhookDisabledMails(tenant, { webhookId, reason: decision.disable }, now)
      : [];
  await saveWebhookAttempt(tenant.db, { webhookId, attempt, decision, isTrial, mails });
  return decision;
}

// A test delivery is tried only once, because a user watches it.
function decide(
  delivery: ClaimedWebhookDelivery,
  attempt: WebhookAttemptResult,
  { now, isTrial }: Pick<Trying, "isTrial"> & { readonly now: number },
): WebhookDeliveryDecision {
  const { attempts, firstAt, failingSince } = delivery;
  const before = { attempts, firstAt: firstAt ?? now, failingSince: failingSince ?? undefined };
  const decision = decideWebhookDelivery(attempt, before, now);
  return isTrial && decision.state === "waiting" ? { ...decision, state: "failed" } : decision;
}

async function signDelivery(
  tenant: Tenant,
  { sealed, previousEncrypted, previousValidUntil }: ClaimedWebhookDelivery,
  message: Parameters<typeof signWebhook>[1],
  now: number,
): Promise<string> {
  const isOverlap = previousEncrypted !== null && (previousValidUntil ?? 0) > now;
  const keys = await Promise.all(
    [sealed, ...(isOverlap ? [previousEncrypted] : [])].map((text) => decryptWebhookKeys(tenant, text)),
  );
  return signWebhook(
    keys.filter((key) => key !== undefined),
    message,
  );
}

/** Sends one stored test delivery now, once. */
export async function sendWebhookTestEvent(
  tenant: Tenant,
  delivery: ClaimedWebhookDelivery,
  now: number,
): Promise<void> {
  await attemptDelivery(tenant, delivery, { clock: () => now, limits: WEBHOOK_POST_LIMITS, isTrial: true });
}
