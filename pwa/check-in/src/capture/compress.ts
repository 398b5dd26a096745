import { readImageInfo } from "#domain/check-in/images.ts";
import type { Picture } from "../offline/drafts.ts";

const MAX_SIDE_PX = 1600;
const MAX_COMPRESSED_BYTES = 400 * 1024;
const MAX_ORIGINAL_BYTES = 10 * 1024 * 1024;
/** Scale of the longest side and quality, in the order tried. Most photos fit with the first. */
const ATTEMPTS = [
  [1, 0.78],
  [1, 0.6],
  [1, 0.42],
  [0.7, 0.5],
  [0.45, 0.4],
] as const;
/** Scale of each side and quality for a photo that the server rejected as too large. Halves the pixels. */
const AGAIN = [Math.SQRT1_2, 0.5] as const;

/** Neither this browser nor the server can read the photo. */
export class PhotoUnreadableError extends Error {}
/** This browser can't shrink the photo, and it exceeds the server's limit. */
export class PhotoTooLargeError extends Error {}

/**
 * Compresses a photo to at most 1600 pixels and 400 kB, and removes its metadata (location, owner). Returns photos that
 * this browser can't decode unchanged, up to 10 MiB.
 */
export async function compressPhoto(original: Blob): Promise<Picture> {
  const bitmap = await decode(original);
  if (!bitmap) return readUncompressed(original);
  let smallest: Blob = original;
  for (const [scale, quality] of ATTEMPTS) {
    smallest = await encodeScaledJpeg(bitmap, scale, quality);
    if (smallest.size <= MAX_COMPRESSED_BYTES) break;
  }
  bitmap.close();
  return { bytes: await smallest.arrayBuffer(), type: "image/jpeg" };
}

/** Halves the pixels of a stored photo. Returns undefined if the result isn't smaller. */
export async function compressPhotoFurther(storedImage: Blob): Promise<Picture | undefined> {
  const bitmap = await decode(storedImage);
  if (!bitmap) return undefined;
  const smaller = await encodeScaledJpeg(bitmap, ...AGAIN);
  bitmap.close();
  return smaller.size < storedImage.size ? { bytes: await smaller.arrayBuffer(), type: "image/jpeg" } : undefined;
}

function encodeScaledJpeg(bitmap: ImageBitmap, scale: number, quality: number): Promise<Blob> {
  const [width, height] = [Math.ceil(bitmap.width * scale), Math.ceil(bitmap.height * scale)];
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, width, height);
  return canvas.convertToBlob({ type: "image/jpeg", quality });
}

/**
 * Decodes a picture. Returns undefined if this browser can't, such as HEIC from an iPhone in Chromium or a damaged
 * file.
 */
async function decode(original: Blob): Promise<ImageBitmap | undefined> {
  try {
    const full = await createImageBitmap(original);
    const scale = Math.min(1, MAX_SIDE_PX / Math.max(full.width, full.height));
    if (scale === 1) return full;
    const size = { resizeWidth: Math.round(full.width * scale), resizeHeight: Math.round(full.height * scale) };
    const small = await createImageBitmap(full, { ...size, resizeQuality: "medium" });
    full.close();
    return small;
  } catch {
    return undefined;
  }
}

// Returns the original picture. Checks the server's limits now, so that the user can retake the photo immediately.
async function readUncompressed(original: Blob): Promise<Picture> {
  if (original.size > MAX_ORIGINAL_BYTES) throw new PhotoTooLargeError();
  const bytes = await original.arrayBuffer();
  const facts = readImageInfo(new Uint8Array(bytes));
  if (!facts) throw new PhotoUnreadableError();
  return { bytes, type: facts.contentType };
}
