/**
 * What to add to the phone's clock to get the server's. Time does not go back: where the phone's clock does, the last
 * moment that is known stands. `mark`: that moment by the server's clock. All in ms.
 */
export function trustedOffset(phoneNow: number, offset: number, mark: number | undefined): number {
  return mark !== undefined && phoneNow + offset < mark ? mark - phoneNow : offset;
}
