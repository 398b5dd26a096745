/** Signs a path and the raw bytes of a body, in any encoding. */
export async function signBytes(secret: string, path: string, body: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-1" }, false, ["sign"]);
  const signed = await crypto.subtle.sign("HMAC", key, Uint8Array.from([...bytes(path), ...body]));
  return [...new Uint8Array(signed)].map((value) => value.toString(16).padStart(2, "0")).join("");
}
