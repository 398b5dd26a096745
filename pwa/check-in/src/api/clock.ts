// The `Date` header has whole seconds and the response takes time, so smaller offsets count as none.
const NOISE_MS = 1500;

/**
 * Returns the offset from the device's clock to the server's, based on the `Date` header. Undefined without a header.
 */
export function calculateClockOffsetMs(
  dateHeader: string | null,
  sentAt: number,
  answeredAt: number,
): number | undefined {
  const server = dateHeader === null ? Number.NaN : Date.parse(dateHeader);
  if (Number.isNaN(server)) return undefined;
  const offset = Math.round(server + 500 - (sentAt + answeredAt) / 2);
  return Math.abs(offset) < NOISE_MS ? 0 : offset;
}
