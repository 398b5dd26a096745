import { toHex } from "#domain/bytes.ts";
import { TOKEN_STORAGE_KEY } from "../../../api.ts";

/** Uploads a signature, if there is one. Returns its part of a hand-over's body, or undefined if the upload failed. */
export async function buildSignatureBody(id: number, name: string, png: Blob | undefined) {
  if (!png) return {};
  const hash = await sendSignature(id, png);
  return hash === undefined ? undefined : { signature: { name, hash } };
}

// Returns the hash of the uploaded image, or undefined if the upload failed.
async function sendSignature(id: number, png: Blob): Promise<string | undefined> {
  const digest = await crypto.subtle.digest("SHA-256", await png.arrayBuffer());
  const hash = toHex(new Uint8Array(digest));
  const headers = { Authorization: sessionStorage.getItem(TOKEN_STORAGE_KEY) ?? "", "Content-Type": png.type };
  const path = `/api/v1/booking/${id}/check-in-files/${hash}`;
  const response = await fetch(path, { method: "PUT", headers, body: png }).catch(() => undefined);
  return response?.ok ? hash : undefined;
}
