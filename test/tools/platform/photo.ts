import { createHash } from "node:crypto";
import type { Random } from "#scripts/demo/random.ts";

/** Segment that the server keeps: JFIF 1.1 without a thumbnail. */
const JFIF = [0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0];

/** Creates a structurally valid JPEG of noise, which the server stores unchanged. */
export function createRandomPhoto(random: Random): { readonly hash: string; readonly bytes: Uint8Array } {
  const head = [0xff, 0xd8, ...JFIF];
  const frame = [0xff, 0xc0, 0, 11, 8, 0, 90, 0, 120, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0];
  const noise = Array.from({ length: 2000 }, () => random.between(0, 250));
  const bytes = Uint8Array.from([...head, ...frame, ...noise, 0xff, 0xd9]);
  return { hash: createHash("sha256").update(bytes).digest("hex"), bytes };
}
