import { createHash, timingSafeEqual } from "node:crypto";

/** Compares a submitted secret with the expected one in constant time. */
export function isSameSecret(submittedSecret: string, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(submittedSecret), digest(secret));
}
