import { Unzlib } from "fflate";
import { encodeLatin1 } from "#domain/bytes.ts";
import { readImageInfo } from "#domain/check-in/images.ts";
import { removeJpegMetadata } from "#domain/check-in/jpeg.ts";
import { type PngWithoutMetadata, removePngMetadata } from "#domain/check-in/png.ts";
import { MAX_PRINTED_PIXELS } from "#domain/printing/printout.ts";

/** Compressed bytes that are read at once. They contain at most a thousand times as many pixels. */
const SLICE_BYTES = 4_096;

/**
 * Rebuilds a logo in base64 from the parts that show it, like one that staff upload, because it's public. Undefined for
 * anything but a PNG or JPEG that can be printed.
 */
export function rebuildImportedLogo(base64: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) return undefined;
  const bytes = encodeLatin1(atob(base64));
  const image = readImageInfo(bytes);
  if (!image || image.width * image.height > MAX_PRINTED_PIXELS) return undefined;
  const content = rebuild(image.contentType, bytes);
  return content && Buffer.from(content).toString("base64");
}

function rebuild(contentType: string, bytes: Uint8Array): Uint8Array | undefined {
  if (contentType === "image/jpeg") return removeJpegMetadata(bytes);
  const png = contentType === "image/png" ? removePngMetadata(bytes) : undefined;
  return png && hasDeclaredPixels(png) ? png.bytes : undefined;
}

// Imports are read without pauses, so that the pixels can't be read by a stream as at uploads.
function hasDeclaredPixels({ compressed, decompressedLength }: PngWithoutMetadata): boolean {
  let length = 0;
  const inflate = new Unzlib((part) => {
    length += part.length;
  });
  try {
    for (let at = 0; at < compressed.length && length <= decompressedLength; at += SLICE_BYTES)
      inflate.push(compressed.subarray(at, at + SLICE_BYTES), at + SLICE_BYTES >= compressed.length);
  } catch {
    return false;
  }
  return length === decompressedLength;
}
