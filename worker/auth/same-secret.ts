import { createHash, timingSafeEqual } from "node:crypto";

/** Whether a secret that somebody shows is the one it should be, in a time that says nothing of how much of it is. */
export function isSameSecret(shown: string, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(shown), digest(secret));
}
