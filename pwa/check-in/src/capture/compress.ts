import { readImage } from "#domain/check-in/images.ts";
import type { Picture } from "../offline/drafts.ts";

const MAX_SIDE_PX = 1600;
const MAX_COMPRESSED_BYTES = 400 * 1024;
const MAX_ORIGINAL_BYTES = 10 * 1024 * 1024;
/** A start that most photos fit with, then smaller ones: the longest side as a part, the quality. */
const ATTEMPTS = [
  [1, 0.78],
  [1, 0.6],
  [1, 0.42],
  [0.7, 0.5],
  [0.45, 0.4],
] as const;
/** Half the pixels, for a server that calls a photo too large. */
const AGAIN = [Math.SQRT1_2, 0.5] as const;

/** This browser cannot read it, and the server could not either. */
export class PhotoUnreadable extends Error {}
/** This browser cannot make it smaller, and it is larger than the server takes. */
export class PhotoTooLarge extends Error {}

/**
 * A photo small enough to keep and send: at most 1600 pixels and 400 kB, without what the camera wrote into it (place,
 * owner). One that this browser cannot decode is kept as it is, up to 10 MiB.
 */
export async function compress(original: Blob): Promise<Picture> {
  const bitmap = await decode(original);
  if (!bitmap) return asItIs(original);
  let smallest: Blob = original;
  for (const [scale, quality] of ATTEMPTS) {
    smallest = await drawn(bitmap, scale, quality);
    if (smallest.size <= MAX_COMPRESSED_BYTES) break;
  }
  bitmap.close();
  return { bytes: await smallest.arrayBuffer(), type: "image/jpeg" };
}

/** A kept photo with half its pixels; undefined where that makes it no smaller. */
export async function compressAgain(storedImage: Blob): Promise<Picture | undefined> {
  const bitmap = await decode(storedImage);
  if (!bitmap) return undefined;
  const smaller = await drawn(bitmap, ...AGAIN);
  bitmap.close();
  return smaller.size < storedImage.size ? { bytes: await smaller.arrayBuffer(), type: "image/jpeg" } : undefined;
}

function drawn(bitmap: ImageBitmap, scale: number, quality: number): Promise<Blob> {
  const [width, height] = [Math.ceil(bitmap.width * scale), Math.ceil(bitmap.height * scale)];
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, width, height);
  return canvas.convertToBlob({ type: "image/jpeg", quality });
}

/** Undefined where this browser cannot read it: an iPhone's HEIC in Chromium, a damaged file. */
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

// By the server's own rule: what it would never take is said while it can be taken again.
async function asItIs(original: Blob): Promise<Picture> {
  if (original.size > MAX_ORIGINAL_BYTES) throw new PhotoTooLarge();
  const bytes = await original.arrayBuffer();
  const facts = readImage(new Uint8Array(bytes));
  if (!facts) throw new PhotoUnreadable();
  return { bytes, type: facts.contentType };
}
