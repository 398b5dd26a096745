import { ENGINE_KEY_PARAMETER } from "./unknown-parameters.ts";

const SIGNATURE = `\`<API_KEY>:<signature>\`: the signature is the hexadecimal HMAC-SHA1, keyed with the secret, of the path with its query
string exactly as sent, from /api on; for a POST, of the path immediately followed by the raw body. Percent-encode before signing.`;

/** Authentication methods as named in the OpenAPI documents. */
export const securitySchemes = {
  signature: { type: "apiKey", in: "header", name: "Authorization", description: SIGNATURE },
  engineKey: {
    type: "apiKey",
    in: "query",
    name: ENGINE_KEY_PARAMETER,
    description:
      "Key of a booking website. Optional if the account doesn't require it. Then it only selects the sales channel.",
  },
  token: {
    type: "http",
    scheme: "bearer",
    description: "Token of a login. After half of its life, answers contain a new one in `Authorization`.",
  },
} as const;

export type SecuritySchemeName = keyof typeof securitySchemes;
