const COUNTRY = /^[A-Z]{2}$/;
const NAMES = /(?:^|,)(?:CN|O)=((?:\\.|[^,\\])*)/g;

/** Formats the texts of a holder's name, without the country. */
export const formatHolder = (holder: readonly string[]): string =>
  holder.filter((text) => !COUNTRY.test(text)).join(" · ");

/** Returns name and organisation of an issuer (RFC 4514), or all of it without them. */
export function formatIssuer(issuer: string): string {
  const names = [...issuer.matchAll(NAMES)].map(([, text = ""]) => text.replaceAll(/\\(.)/g, "$1"));
  return names.join(" · ") || issuer;
}
