const COUNTRY = /^[A-Z]{2}$/;
const NAMES = /(?:^|,)(?:CN|O)=((?:\\.|[^,\\])*)/g;

/** Formats the texts of a holder's name, without the country. */
export const formatCertificateHolder = (holder: readonly string[]): string =>
  holder.filter((text) => !COUNTRY.test(text)).join(" · ");

/** Returns name and organisation of an issuer (RFC 4514), or all of it without them. */
export function formatCertificateIssuer(issuer: string): string {
  const names = [...issuer.matchAll(NAMES)].map(([, text = ""]) => text.replaceAll(/\\(.)/g, "$1"));
  return names.join(" · ") || issuer;
}

const DAY_MS = 86_400_000;
/** Days before the end from which the office warns. */
const WARNING_DAYS = 60;

/** Returns whether a certificate has expired or expires soon. Undefined for others. */
export function getCertificateExpiry(notAfter: string, now: number): "expired" | "soon" | undefined {
  const left = Date.parse(notAfter) - now;
  if (left < 0) return "expired";
  return left < WARNING_DAYS * DAY_MS ? "soon" : undefined;
}
