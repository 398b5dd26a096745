// A Date header counts whole seconds: less than this is noise.
const NOISE_MS = 1500;

/** What to add to the phone's clock to get the server's, by the `Date` of an answer; undefined without one. */
export function clockOffset(date: string | null, sentAt: number, answeredAt: number): number | undefined {
  const server = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(server)) return undefined;
  const offset = Math.round(server + 500 - (sentAt + answeredAt) / 2);
  return Math.abs(offset) < NOISE_MS ? 0 : offset;
}
