import type { PartnerKey } from "#domain/access/credentials.ts";
import { isInIpNetworks } from "#domain/access/networks.ts";
import {
  hashNonce,
  isMessageSignedBy,
  MESSAGE_SIGNATURE_TOLERANCE_SECONDS,
  readSignatureInput,
  type SignedHttpMessage,
} from "#worker/auth/message-signature.ts";
import { findKeyOnlyPartnerKey, findPartnerKey, findSigningPartnerKey } from "#worker/auth/signature.ts";
import { saveNewSignatureNonce } from "#worker/store/access/signature-nonces.ts";
import { getPathAndQuery } from "#worker/tenancy/request-url.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

export interface PartnerRequest extends SignedHttpMessage {
  readonly address: string | undefined;
  /** Whether a key without a signature is sufficient. */
  readonly byKeyAlone: boolean;
}

/**
 * Returns the partner key that a request proves with an accepted signature version and from an allowed network. Returns
 * "networkNotAllowed" if only the network is wrong, and undefined for other failures. A version 2 signature works once,
 * which costs a round trip and written rows. Reads may be repeated while their signature is recent, because they change
 * nothing.
 */
export async function authenticatePartner(
  tenant: Tenant,
  request: PartnerRequest,
  now: number,
): Promise<PartnerKey | "networkNotAllowed" | undefined> {
  const { partnerKeys } = await tenant.snapshot();
  const isVersion2 = request.header("Signature-Input") !== undefined;
  const partner = isVersion2
    ? await authenticateVersion2(tenant, request, partnerKeys, now)
    : await authenticateVersion1(tenant, request, partnerKeys, now);
  return partner && !isFromAllowedNetwork(partner, request.address) ? "networkNotAllowed" : partner;
}

async function authenticateVersion1(
  tenant: Tenant,
  { url, body, header, byKeyAlone }: PartnerRequest,
  keys: ReadonlyMap<string, PartnerKey>,
  now: number,
): Promise<PartnerKey | undefined> {
  const authorization = header("Authorization");
  const pathAndQuery = getPathAndQuery(url);
  const bearer = byKeyAlone ? findKeyOnlyPartnerKey(authorization, keys) : undefined;
  const partner = bearer ?? (await findSigningPartnerKey({ pathAndQuery, body, authorization }, keys, tenant, now));
  return partner?.signatures === "v2" ? undefined : partner;
}

async function authenticateVersion2(
  tenant: Tenant,
  message: PartnerRequest,
  keys: ReadonlyMap<string, PartnerKey>,
  now: number,
): Promise<PartnerKey | undefined> {
  const input = readSignatureInput(message, now);
  const key = input && findPartnerKey(keys, input.keyId);
  if (!key || key.signatures === "v1") return undefined;
  if (!(await isMessageSignedBy(key, { input, message }, tenant, now))) return undefined;
  if (isRead(message)) return key;
  // Stored for twice the tolerance, because a request may be signed early or late, and a fast clock may be set back.
  const expiresAt = now + 2 * MESSAGE_SIGNATURE_TOLERANCE_SECONDS * 1000;
  return (await saveNewSignatureNonce(tenant.db, { nonceHash: hashNonce(key, input.nonce), expiresAt }, now))
    ? key
    : undefined;
}

const isRead = ({ method }: SignedHttpMessage) => method === "GET" || method === "HEAD";

// Without an edge to report the address, a key restricted to networks is refused.
function isFromAllowedNetwork({ networks }: PartnerKey, address: string | undefined): boolean {
  return networks.length === 0 || (address !== undefined && isInIpNetworks(address, networks));
}
