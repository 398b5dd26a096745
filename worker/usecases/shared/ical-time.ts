/** Formats a moment (epoch ms) for calendar files, in UTC: `20270118T090000Z`. */
export function formatIcalTime(moment: number): string {
  return new Date(moment).toISOString().replace(/[-:]|\.\d{3}/g, "");
}
