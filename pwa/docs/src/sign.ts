/**
 * Returns the hexadecimal HMAC-SHA1 of a path with query, followed by the raw body of a POST
 * (docs/interfaces/conventions.md#signed-calls).
 */
export async function signCall(secret: string, pathAndQuery: string, body = ""): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-1" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const bytes = await crypto.subtle.sign("HMAC", key, encoder.encode(pathAndQuery + body));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
