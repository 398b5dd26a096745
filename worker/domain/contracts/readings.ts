const DAY_MILLISECONDS = 86_400_000;

/** Context of an odometer reading. Times in epoch ms. */
export interface OdometerReadingContext {
  readonly kind: "delivery" | "collection" | "exchange" | "correction" | "evidence";
  /** Time at which the odometer was read. */
  readonly at: number;
  /** Last reading of the vehicle, 0 if it was never read. */
  readonly vehicleKilometres: number | undefined;
  readonly deliveryKilometres: number | undefined;
  readonly deliveredAt: number | undefined;
  readonly collectedAt: number | undefined;
  /** Account's daily limit. A higher distance is improbable. */
  readonly kilometresADay: number;
}

/**
 * Whether a corrected reading replaces the return's reading. A correction recorded before the return replaces
 * the delivery's reading, even if the server receives it later.
 */
export const correctsReturnReading = (
  { collectedAt }: Pick<OdometerReadingContext, "collectedAt">,
  at: number,
): boolean => collectedAt !== undefined && collectedAt <= at;

/** Reading that is probably a typing error, with the previous one. */
export interface ImprobableOdometerReading {
  readonly code: "kilometres_lower" | "kilometres_jump";
  readonly kilometres: number;
  readonly before: number;
}

/**
 * Detects improbable kilometres: lower than the last reading, or above the account's limit per started day since. A
 * delivered vehicle was parked since its last reading. Staff must confirm such a reading
 * (docs/interfaces/check-in.md#readings).
 */
export function findImprobableKilometres(
  kilometres: number | undefined,
  occasion: OdometerReadingContext,
): ImprobableOdometerReading | undefined {
  const before = readingBefore(occasion);
  if (kilometres === undefined || before === undefined) return undefined;
  if (kilometres < before) return { code: "kilometres_lower", kilometres, before };
  const maxKilometres = occasion.kilometresADay * daysSince(occasion);
  return kilometres - before > maxKilometres ? { code: "kilometres_jump", kilometres, before } : undefined;
}

function readingBefore({ kind, vehicleKilometres, deliveryKilometres }: OdometerReadingContext): number | undefined {
  if (kind === "evidence") return undefined;
  return kind === "delivery" ? vehicleKilometres || undefined : deliveryKilometres;
}

// A corrected reading was taken at collection or, while the vehicle is out, at delivery.
function daysSince({ kind, at, deliveredAt, collectedAt }: OdometerReadingContext): number {
  if (kind === "delivery" || deliveredAt === undefined) return 1;
  const readAt =
    kind !== "correction" ? at : correctsReturnReading({ collectedAt }, at) ? (collectedAt ?? at) : deliveredAt;
  return Math.max(1, Math.ceil((readAt - deliveredAt) / DAY_MILLISECONDS));
}
