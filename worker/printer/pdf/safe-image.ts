import { readImageInfo } from "#domain/check-in/images.ts";
import { removeJpegMetadata } from "#domain/check-in/jpeg.ts";
import { removePngMetadata } from "#domain/check-in/png.ts";
import { MAX_PRINTED_PIXELS, type PrintedImage } from "#domain/printing/printout.ts";
import { decodeBase64 } from "../layout/image-size.ts";

/**
 * Returns the bytes of an image that the PDF library can decode in limited time and memory. Undefined for a broken or
 * too large image. Stored images may be older than the checks at upload.
 */
export async function readSafeImage({ type, base64 }: PrintedImage): Promise<Uint8Array | undefined> {
  const bytes = decodeBase64(base64);
  const facts = readImageInfo(bytes);
  if (facts?.contentType !== `image/${type}` || facts.width * facts.height > MAX_PRINTED_PIXELS) return undefined;
  if (type === "jpeg") return removeJpegMetadata(bytes);
  const png = removePngMetadata(bytes);
  return png && (await hasLength(png.compressed, png.decompressedLength)) ? png.bytes : undefined;
}

/** Whether compressed data has the expected length after decompression. Stops at the first byte beyond it. */
async function hasLength(compressed: Uint8Array<ArrayBuffer>, expected: number): Promise<boolean> {
  let length = 0;
  // The loop cancels the stream when it returns.
  for await (const chunk of new Blob([compressed]).stream().pipeThrough(new DecompressionStream("deflate"))) {
    length += chunk.byteLength;
    if (length > expected) return false;
  }
  return length === expected;
}
