/** Parses a stored fuel or battery level: `5/8`. Undefined for other texts. */
export function parseFuelEighths(text: string | null): number | undefined {
  const match = /^(\d{1,2})\/8$/.exec(text ?? "");
  return match ? Number(match[1]) : undefined;
}

/** Formats a level in eighths: percent for an electric vehicle, as its display shows, otherwise `5/8`. */
export function formatFuelLevel(eighths: number, isElectric: boolean, locale: string): string {
  return isElectric ? new Intl.NumberFormat(locale, { style: "percent" }).format(eighths / 8) : `${eighths}/8`;
}

/** Formats a fuel level for storage: `5/8`. Null if unknown. */
export function formatFuelEighths(eighths: number | undefined): string | null {
  return eighths === undefined ? null : `${eighths}/8`;
}
