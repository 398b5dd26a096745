/** Removes the spaces of an IBAN and writes it in capitals. */
export function normalizeIban(text: string): string {
  return text.replaceAll(/\s/g, "").toUpperCase();
}

/** Whether a text is an IBAN with the correct check digits (ISO 13616), with or without spaces. */
export function isIban(text: string): boolean {
  const iban = normalizeIban(text);
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  // Country and check digits at the end, letters as numbers from 10, divided by 97.
  const rotated = iban.slice(4) + iban.slice(0, 4);
  const digits = rotated.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}
