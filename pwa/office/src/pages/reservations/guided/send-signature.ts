import { toHex } from "#domain/bytes.ts";
import type { HandOverBodyRequest } from "#worker/api/office/hand-over-messages.ts";
import { TOKEN_STORAGE_KEY } from "../../../api.ts";

/** Part of a hand-over's body with the signature. */
export type SignatureBody = Pick<HandOverBodyRequest, "signature">;

/** Text of a contract or return record that the customer read before signing. */
export interface ReadContract {
  readonly text: string;
  readonly language: NonNullable<NonNullable<SignatureBody["signature"]>["contract"]>["language"];
  /** Time of a return in its text, in the company's time zone. */
  readonly at?: string | undefined;
}

/**
 * Uploads a signature, if there is one, and the text that it signs. Returns their part of a hand-over's body, or
 * undefined if an upload failed.
 */
export async function buildSignatureBody(
  id: number,
  name: string,
  png: Blob | undefined,
  contract?: ReadContract,
): Promise<SignatureBody | undefined> {
  if (!png) return {};
  const hash = await sendFile(id, png);
  if (hash === undefined || !contract) return hash === undefined ? undefined : { signature: { name, hash } };
  const { text, language } = contract;
  const contractHash = await sendFile(id, new Blob([text], { type: "text/plain" }));
  return contractHash === undefined
    ? undefined
    : { signature: { name, hash, contract: { hash: contractHash, language } } };
}

// Returns the hash of the uploaded file, or undefined if the upload failed.
async function sendFile(id: number, file: Blob): Promise<string | undefined> {
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  const hash = toHex(new Uint8Array(digest));
  const headers = { Authorization: sessionStorage.getItem(TOKEN_STORAGE_KEY) ?? "", "Content-Type": file.type };
  const path = `/api/v1/booking/${id}/check-in-files/${hash}`;
  const response = await fetch(path, { method: "PUT", headers, body: file }).catch(() => undefined);
  return response?.ok ? hash : undefined;
}
