const DAY_MILLISECONDS = 86_400_000;

/** What is known when an odometer is read. Times in epoch ms. */
export interface ReadingContext {
  readonly kind: "delivery" | "collection" | "exchange" | "correction" | "evidence";
  /** When the work was done. */
  readonly at: number;
  /** What the vehicle showed last; 0 where nobody ever read it. */
  readonly vehicleKilometres: number | undefined;
  readonly deliveryKilometres: number | undefined;
  readonly deliveredAt: number | undefined;
  readonly collectedAt: number | undefined;
  /** Of the account: more are improbable. */
  readonly kilometresADay: number;
}

/**
 * Whether a correction is of what was read at the return: one that was recorded before the vehicle was back is of its
 * delivery, whenever it comes.
 */
export const isReturnReading = ({ collectedAt }: Pick<ReadingContext, "collectedAt">, at: number): boolean =>
  collectedAt !== undefined && collectedAt <= at;

/** A reading that is more likely a slip of the finger than the truth, and the one before it. */
export interface ImprobableReading {
  readonly code: "kilometres_lower" | "kilometres_jump";
  readonly kilometres: number;
  readonly before: number;
}

/**
 * Whether kilometres are improbable: fewer than at the last reading, or more than the account's kilometres for each day
 * begun since. A vehicle that goes out has stood since its last reading. Somebody has to confirm such a reading
 * (docs/interfaces/check-in.md#readings).
 */
export function findImprobable(
  kilometres: number | undefined,
  occasion: ReadingContext,
): ImprobableReading | undefined {
  const before = readingBefore(occasion);
  if (kilometres === undefined || before === undefined) return undefined;
  if (kilometres < before) return { code: "kilometres_lower", kilometres, before };
  const maxKilometres = occasion.kilometresADay * daysSince(occasion);
  return kilometres - before > maxKilometres ? { code: "kilometres_jump", kilometres, before } : undefined;
}

function readingBefore({ kind, vehicleKilometres, deliveryKilometres }: ReadingContext): number | undefined {
  if (kind === "evidence") return undefined;
  return kind === "delivery" ? vehicleKilometres || undefined : deliveryKilometres;
}

// What is corrected was read when it was taken back or, while it is out, handed over.
function daysSince({ kind, at, deliveredAt, collectedAt }: ReadingContext): number {
  if (kind === "delivery" || deliveredAt === undefined) return 1;
  const readAt = kind !== "correction" ? at : isReturnReading({ collectedAt }, at) ? (collectedAt ?? at) : deliveredAt;
  return Math.max(1, Math.ceil((readAt - deliveredAt) / DAY_MILLISECONDS));
}
