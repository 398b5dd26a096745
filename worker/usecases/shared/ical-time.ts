/** Formats a moment (epoch ms) for calendar files, in UTC: `20270118T090000Z`. */
export function formatIcalTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/[-:]|\.\d{3}/g, "");
}
