import { toAmount } from "#domain/money.ts";

/** What happened, and what is known of what it is about, by the names of the wire; amounts in minor units. */
export interface EventFacts {
  readonly type: string;
  /** Epoch ms. */
  readonly at: number;
  readonly data: Readonly<Record<string, string | number | null>>;
}

const AMOUNTS = new Set(["amount", "total_cost"]);

/** The text that every address gets of an event, the same bytes each time: ids and what they are, no person's data. */
export function writeMessage(
  { type, at, data }: EventFacts,
  timestamp: (at: number) => string,
  decimals: number,
): string {
  const serializedData = Object.entries(data).map(([name, value]) => [
    name,
    AMOUNTS.has(name) && typeof value === "number" ? toAmount(value, decimals) : value,
  ]);
  return JSON.stringify({ type, timestamp: timestamp(at), data: Object.fromEntries(serializedData) });
}
