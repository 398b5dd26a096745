/**
 * Returns the offset from the device's clock to the server's. If the device's clock is set back, uses the last known
 * time instead. `mark` is that time by the server's clock. All values in ms.
 */
export function pickTrustedOffset(phoneNow: number, offset: number, mark: number | undefined): number {
  return mark !== undefined && phoneNow + offset < mark ? mark - phoneNow : offset;
}
