/** A part of an address as it was meant; where an escape in it is broken, as it stands. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
