import { readImageInfo } from "#domain/check-in/images.ts";
import type { PrintedImage } from "#domain/printing/printout.ts";

/** Returns an image's size in pixels. Undefined if it can't be printed. */
export function getImageSize({
  base64,
}: PrintedImage): { readonly width: number; readonly height: number } | undefined {
  const facts = readImageInfo(decodeBase64(base64));
  return facts?.contentType === "image/png" || facts?.contentType === "image/jpeg" ? facts : undefined;
}

export function decodeBase64(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
