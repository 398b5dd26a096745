import type { Picture } from "../offline/drafts.ts";

const LONGEST_SIDE = 1600;
const LARGEST_KEPT = 400 * 1024;
const LARGEST_ORIGINAL = 10 * 1024 * 1024;
/** A start that most photos fit with, then smaller ones. */
const QUALITIES = [0.78, 0.6, 0.42] as const;

export class PhotoUnreadable extends Error {}

/**
 * A photo small enough to keep and send: at most 1600 pixels and 400 kB, without what the camera wrote into it (place, owner). One that
 * this browser cannot decode is kept as it is, up to 10 MiB.
 */
export async function compress(original: Blob): Promise<Picture> {
  const bitmap = await decode(original);
  if (!bitmap) return asItIs(original);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  let smallest: Blob | undefined;
  for (const quality of QUALITIES) {
    smallest = await canvas.convertToBlob({ type: "image/jpeg", quality });
    if (smallest.size <= LARGEST_KEPT) break;
  }
  return { bytes: await (smallest ?? original).arrayBuffer(), type: "image/jpeg" };
}

/** Undefined where this browser cannot read it: an iPhone's HEIC in Chromium, a damaged file. */
async function decode(original: Blob): Promise<ImageBitmap | undefined> {
  try {
    const full = await createImageBitmap(original);
    const scale = Math.min(1, LONGEST_SIDE / Math.max(full.width, full.height));
    if (scale === 1) return full;
    const size = { resizeWidth: Math.round(full.width * scale), resizeHeight: Math.round(full.height * scale) };
    const small = await createImageBitmap(full, { ...size, resizeQuality: "medium" });
    full.close();
    return small;
  } catch {
    return undefined;
  }
}

const SENDABLE: readonly string[] = ["image/jpeg", "image/png", "image/webp", "image/heic"];

async function asItIs(original: Blob): Promise<Picture> {
  const type = SENDABLE.find((one) => one === original.type);
  if (!type || original.size > LARGEST_ORIGINAL) throw new PhotoUnreadable();
  return { bytes: await original.arrayBuffer(), type };
}
