import { concatenateBytes } from "#domain/bytes.ts";
import { removeHeicMetadata } from "#domain/check-in/heic.ts";
import { type ImageInfo, readImageInfo } from "#domain/check-in/images.ts";
import { listJpegPartsWithoutMetadata } from "#domain/check-in/jpeg.ts";
import { type PngWithoutMetadata, removePngMetadata } from "#domain/check-in/png.ts";
import { removeWebpMetadata } from "#domain/check-in/webp.ts";
import { runInSlices } from "#domain/run-in-slices.ts";
import { yieldDuringLargeFile } from "#worker/tenancy/pause.ts";

/** Larger images need more memory than a phone has. */
export const MAX_IMAGE_PIXELS = 50_000_000;

const MIN_IMAGE_BYTES = 20;

/** JPEG or PNG without anything but the parts that show the image. */
export interface RebuiltImage {
  readonly contentType: "image/jpeg" | "image/png";
  readonly content: Uint8Array<ArrayBuffer>;
}

/** Rebuilds a JPEG or PNG by its bytes. Undefined for anything else and for images with too many pixels. */
export async function rebuildPrintableImage(bytes: Uint8Array<ArrayBuffer>): Promise<RebuiltImage | undefined> {
  const image = bytes.byteLength < MIN_IMAGE_BYTES ? undefined : readImageInfo(bytes);
  if (!image || image.width * image.height > MAX_IMAGE_PIXELS) return undefined;
  const { contentType } = image;
  if (contentType !== "image/jpeg" && contentType !== "image/png") return undefined;
  const content = await rebuildImageBytes(contentType, bytes);
  return content && { contentType, content };
}

/** Rewrites an image from the parts that show it. A HEIC keeps its other parts, because it's only downloaded. */
export async function rebuildImageBytes(
  contentType: ImageInfo["contentType"],
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  switch (contentType) {
    case "image/png":
      return rebuildPng(bytes);
    case "image/webp":
      return removeWebpMetadata(bytes)?.bytes;
    case "image/jpeg":
      return rebuildJpeg(bytes);
    case "image/heic":
      return removeHeicMetadata(bytes);
  }
}

async function rebuildJpeg(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts = await runInSlices(listJpegPartsWithoutMetadata(bytes), yieldDuringLargeFile);
  if (!parts) return undefined;
  if (parts[0] === bytes) return bytes;
  await yieldAfterLargeRead(bytes.length);
  return concatenateBytes(parts);
}

/** Bytes that are read, copied or hashed in about a millisecond. */
const BYTES_PER_PAUSE = 1_000_000;

/** Lets other requests use the thread after a step that read this many bytes, if it took milliseconds. */
export async function yieldAfterLargeRead(bytes: number): Promise<void> {
  if (bytes >= BYTES_PER_PAUSE) await yieldDuringLargeFile();
}

/**
 * Rebuilds a PNG, or returns undefined unless it contains exactly the pixels that its header declares. Reads the pixels
 * without storing them.
 */
async function rebuildPng(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const png = removePngMetadata(bytes);
  if (!png || !(await hasDeclaredPixels(png))) return undefined;
  await yieldAfterLargeRead(bytes.length);
  return png.bytes;
}

async function hasDeclaredPixels(png: PngWithoutMetadata): Promise<boolean> {
  let [length, sincePause] = [0, 0];
  try {
    // The loop cancels the stream when it returns.
    for await (const part of new Blob([png.compressed]).stream().pipeThrough(new DecompressionStream("deflate"))) {
      length += part.byteLength;
      sincePause += part.byteLength;
      if (length > png.decompressedLength) return false;
      if (sincePause < BYTES_PER_PAUSE) continue;
      sincePause = 0;
      await yieldDuringLargeFile();
    }
  } catch {
    return false;
  }
  return length === png.decompressedLength;
}
