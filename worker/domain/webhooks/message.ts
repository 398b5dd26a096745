import { toAmount } from "#domain/money.ts";

/** Event with its data by API name. Amounts in minor units. */
export interface WebhookEventData {
  readonly type: string;
  /** Time of the event, epoch ms. */
  readonly at: number;
  readonly data: Readonly<Record<string, string | number | null>>;
}

const AMOUNTS = new Set(["amount", "total_cost"]);

/** Writes an event's payload, identical for every webhook. Contains ids and states, no personal data. */
export function writeWebhookPayload(
  { type, at, data }: WebhookEventData,
  timestamp: (at: number) => string,
  decimals: number,
): string {
  const serializedData = Object.entries(data).map(([name, value]) => [
    name,
    AMOUNTS.has(name) && typeof value === "number" ? toAmount(value, decimals) : value,
  ]);
  return JSON.stringify({ type, timestamp: timestamp(at), data: Object.fromEntries(serializedData) });
}
