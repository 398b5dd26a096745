/** An id that nobody can guess: 128 random bits in 32 hex digits, the form existing clients know. */
export function newFreeAccessId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
