import type { Agency, PartnerKey } from "#domain/access/credentials.ts";

/** The agency behind a key of the scope `ota`; the database lets no such key be without one. */
export function getAgency(partner: PartnerKey): Agency {
  if (!partner.agency) throw new Error(`the key ${partner.apiKey} has no agency`);
  return partner.agency;
}
