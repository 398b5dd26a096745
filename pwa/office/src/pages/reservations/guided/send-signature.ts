import { toHex } from "#domain/bytes.ts";
import type { HandOverBodyRequest } from "#worker/api/office/hand-over-messages.ts";
import { TOKEN_STORAGE_KEY } from "../../../api.ts";
import { translateGuided as g } from "./texts.ts";
import type { GuidedState } from "./use-guided-action.ts";

/** Part of a hand-over's body with the signature. */
type SignatureBody = Pick<HandOverBodyRequest, "signature">;

/** Text of a contract or return record that the customer read before signing. */
export interface ShownContractText {
  readonly text: string;
  readonly language: NonNullable<NonNullable<SignatureBody["signature"]>["contract"]>["language"];
  /** Time of a return in its text, in the company's time zone. */
  readonly at?: string | undefined;
}

/** Signature with the text that the customer read. */
export interface SignatureWithText {
  readonly png: Blob;
  /** Identifies the text at signing. Another text needs another signature. */
  readonly id: string;
  /** Undefined if the text wasn't shown. */
  readonly contract: ShownContractText | undefined;
}

/** Whether the text changed after it was signed, so that it must be signed again. */
export const isSignatureOutdated = (signed: Pick<SignatureWithText, "id"> | undefined, id: string): boolean =>
  signed !== undefined && signed.id !== id;

interface Signing extends Pick<GuidedState, "now" | "setWrong"> {
  readonly signed: SignatureWithText | undefined;
  readonly signer: string;
  /** Identifies the text as it is now. */
  readonly textId: string;
  readonly removeSignature: () => void;
}

/**
 * Uploads a signature, if there is one. Returns its part of the request body, or undefined after showing why there is
 * none: the upload failed or the text changed after it was signed.
 */
export async function sendSignature({
  now,
  setWrong,
  signed,
  signer,
  textId,
  removeSignature,
}: Signing): Promise<SignatureBody | undefined> {
  const isOutdated = isSignatureOutdated(signed, textId);
  // Remove the outdated signature, so that pressing the button again sends without one unless signed again.
  if (isOutdated) removeSignature();
  const signature = isOutdated ? undefined : await buildSignatureBody(now.id, signer, signed?.png, signed?.contract);
  if (!signature) setWrong({ fields: {}, notice: g(isOutdated ? "signAgain" : "signatureNotSent") });
  return signature;
}

// Uploads a signature, if there is one, and the text that it signs. Returns their part of a hand-over's body, or
// undefined if an upload failed.
async function buildSignatureBody(
  id: number,
  name: string,
  png: Blob | undefined,
  contract?: ShownContractText,
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
