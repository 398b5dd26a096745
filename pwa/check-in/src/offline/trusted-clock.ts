/**
 * Returns the offset from the device's clock to the server's. If the device's clock is set back, uses the last known
 * time instead. `lastServerTime` is that time by the server's clock. All values in ms.
 */
export function pickTrustedClockOffsetMs(
  deviceNow: number,
  offset: number,
  lastServerTime: number | undefined,
): number {
  return lastServerTime !== undefined && deviceNow + offset < lastServerTime ? lastServerTime - deviceNow : offset;
}
