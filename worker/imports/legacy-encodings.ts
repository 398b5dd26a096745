/** Characters of bytes 128 to 255 in encodings older than Windows: the western DOS code pages and Macintosh. */
const LETTERS = {
  ibm850:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00AD±‗¾¶§÷¸°¨·¹³²■\u00A0",
  ibm437:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00A0",
  macintosh:
    "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u00A0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uF8FFÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
} as const;

export type LegacyEncoding = keyof typeof LETTERS;

export const isLegacyEncoding = (encoding: string): encoding is LegacyEncoding => Object.hasOwn(LETTERS, encoding);

/** Decodes text in one of these encodings, because no runtime's TextDecoder supports all three. */
export function decodeLegacyText(bytes: Uint8Array, encoding: LegacyEncoding): string {
  const letters = [...LETTERS[encoding]];
  const parts: string[] = [];
  for (const byte of bytes) parts.push(byte < 0x80 ? String.fromCharCode(byte) : (letters[byte - 0x80] ?? ""));
  return parts.join("");
}
