import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { BranchAccess, Role } from "#domain/access/sessions.ts";
import { type AccountSecrets, deriveAccountKey, listMasterKeyVariants } from "./account-keys.ts";

/** Claims of a token. Times in epoch ms, precise to the second. */
export interface SessionToken {
  readonly sessionId: string;
  readonly userId: number;
  readonly role: Role;
  /** Branches of the user, for the staff's app only. The database decides on access. */
  readonly branches: BranchAccess;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Generation of the account key that signed it, the `kid`. */
  readonly generation: number;
}

const ALGORITHM = "HS256";
/** Distinguishes session tokens from the account's other JWTs. */
const TYPE = "session+jwt";

/** Creates a JWT signed with the account's key of that generation. */
export async function issueSessionToken(account: AccountSecrets, token: SessionToken): Promise<string> {
  const { role, branches } = token;
  return new SignJWT({ role, ...(role !== "customer" && { branches }) })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: String(token.generation) })
    .setIssuer(account.name)
    .setAudience(account.name)
    .setSubject(String(token.userId))
    .setJti(token.sessionId)
    .setIssuedAt(Math.floor(token.issuedAt / 1000))
    .setExpirationTime(Math.floor(token.expiresAt / 1000))
    .sign(await tokenKey(account, token.generation));
}

/**
 * Returns the claims of the token in an `Authorization` header, with or without `Bearer`. Undefined if it wasn't signed
 * for this account with one of its keys, or has expired. The database check for a valid key and an active session is
 * separate.
 */
export async function readSessionToken(
  account: AccountSecrets,
  authorization: string | undefined,
  now: number,
): Promise<SessionToken | undefined> {
  const text = authorization?.replace(/^Bearer\s+/i, "").trim();
  if (!text) return undefined;
  for (const underOneKey of listMasterKeyVariants(account)) {
    const token = await verify(underOneKey, text, now);
    if (token) return token;
  }
  return undefined;
}

async function verify(account: AccountSecrets, text: string, now: number): Promise<SessionToken | undefined> {
  try {
    const { payload, protectedHeader } = await jwtVerify(
      text,
      (header: { readonly kid?: string }) => tokenKey(account, parseGeneration(header.kid)),
      verification(account, now),
    );
    return toToken(payload, parseGeneration(protectedHeader.kid));
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

function verification({ name }: AccountSecrets, now: number) {
  return {
    algorithms: [ALGORITHM],
    typ: TYPE,
    issuer: name,
    audience: name,
    requiredClaims: ["sub", "jti", "iat", "exp", "role"],
    currentDate: new Date(now),
  };
}

function parseGeneration(kid: string | undefined): number {
  if (!/^[1-9]\d{0,8}$/.test(kid ?? "")) throw new errors.JWTInvalid("there is no such key");
  return Number(kid);
}

function toToken(payload: JWTPayload, generation: number): SessionToken {
  const { sub = "", jti = "", iat = 0, exp = 0 } = payload;
  return {
    sessionId: jti,
    userId: Number(sub),
    // Signed by this account, so the claims are from `issueSessionToken`.
    role: payload["role"] as Role,
    branches: (payload["branches"] as BranchAccess | undefined) ?? [],
    issuedAt: iat * 1000,
    expiresAt: exp * 1000,
    generation,
  };
}

function tokenKey(account: AccountSecrets, generation: number): Promise<CryptoKey> {
  return deriveAccountKey(account, `token/${generation}`);
}
