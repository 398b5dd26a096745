import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";

// Time-based codes, RFC 6238. Six digits every 30 seconds with SHA-1, which all authenticator apps support.

const PERIOD_SECONDS = 30;
const WINDOW = 1;

/** Creates a new 160-bit secret, in base32. */
export function createTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

function createTotp(secret: string, { company, person }: { readonly company: string; readonly person: string }): TOTP {
  return new TOTP({ issuer: company, label: person, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });
}

/** Returns the URI for the QR code of authenticator apps. */
export function createTotpUri(secret: string, label: { readonly company: string; readonly person: string }): string {
  return createTotp(secret, label).toString();
}

/** Returns the time step of a code, at most one step before or after `now` (epoch ms). Undefined for other codes. */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = createTotp(secret, { company: "", person: "" }).validate({
    token: code,
    timestamp: now,
    window: WINDOW,
  });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

const RECOVERY_CODES = 10;

/** Creates single-use codes for users without their app: 80 random bits, `xxxxxxxx-xxxxxxxx`. */
export function createRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = new Secret({ buffer: new Uint8Array(randomBytes(10)).buffer }).base32.toLowerCase();
    return `${letters.slice(0, 8)}-${letters.slice(8)}`;
  });
}
