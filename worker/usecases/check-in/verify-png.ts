import { type CleanPng, cleanPng } from "#domain/check-in/png.ts";
import { MAX_PRINTED_PIXELS } from "#domain/printing/printout.ts";

/**
 * Rebuilds a PNG, or returns undefined unless it contains exactly the pixels that its header declares. Reads the pixels
 * of images that may be printed, without storing them. Larger ones are only shown by browsers.
 */
export async function rebuildPng(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const png = cleanPng(bytes);
  if (!png) return undefined;
  const isShownOnly = png.width * png.height > MAX_PRINTED_PIXELS;
  return isShownOnly || (await hasDeclaredPixels(png)) ? png.bytes : undefined;
}

async function hasDeclaredPixels(png: CleanPng): Promise<boolean> {
  let length = 0;
  try {
    // The loop cancels the stream when it returns.
    for await (const part of new Blob([png.compressed]).stream().pipeThrough(new DecompressionStream("deflate"))) {
      length += part.byteLength;
      if (length > png.decompressedLength) return false;
    }
  } catch {
    return false;
  }
  return length === png.decompressedLength;
}
