import type { Agency, PartnerKey } from "#domain/access/credentials.ts";

/** Returns the agency of a key with scope `ota`. The database requires each such key to have one. */
export function getAgency(partner: PartnerKey): Agency {
  if (!partner.agency) throw new Error(`the key ${partner.apiKey} has no agency`);
  return partner.agency;
}
