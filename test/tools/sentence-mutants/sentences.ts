/** A change of the source that breaks a sentence of the documentation. Its test must fail. */
export interface BrokenSentence {
  /** Page and sentence, as in test/conformance.tsv. */
  readonly page: string;
  readonly statement: string;
  readonly file: string;
  /** Text of the file, which occurs once, and what replaces it. */
  readonly from: string;
  readonly to: string;
}

const PRICES = "rules.md: quotes, counts and agreements";
const LIFE = "rules.md: the life of a contract";
const DOCUMENTS = "rules.md and documents.md: the life of documents";
const DOMAIN = "worker/domain";

/** A sample of sentences of all areas that tests in Node prove. */
export const BROKEN_SENTENCES: readonly BrokenSentence[] = [
  {
    page: "conventions.md",
    statement: "Money amounts are decimal numbers carried in strings",
    file: `${DOMAIN}/amount-text.ts`,
    from: 'padStart(decimals + 1, "0")',
    to: 'padStart(decimals, "0")',
  },
  {
    page: "rules.md and conventions.md: the agency interface",
    statement: "price_without_taxes rounded half up once per line",
    file: `${DOMAIN}/money.ts`,
    from: "2 * Math.abs(remainder) < divisor ? quotient",
    to: "2 * Math.abs(remainder) <= divisor ? quotient",
  },
  {
    page: PRICES,
    statement: "An offer of an amount never makes it negative",
    file: `${DOMAIN}/bookings/pricing.ts`,
    from: "const unitCents = afterOffer -",
    to: "const unitCents = afterOffer - 1 -",
  },
  {
    page: PRICES,
    statement: "Extras by the day, up to their maximum",
    file: `${DOMAIN}/bookings/pricing.ts`,
    from: "maximum === undefined ? amount : Math.min(maximum, amount)",
    to: "maximum === undefined ? amount : Math.max(maximum, amount)",
  },
  {
    page: PRICES,
    statement: "Extras once for the rental",
    file: `${DOMAIN}/bookings/pricing.ts`,
    from: 'extra.pricePer === "day" ?',
    to: "extra.priceCents > 0 ?",
  },
  {
    page: "rules.md: sales and payments",
    statement: "Those of branches before, those of places before all",
    file: `${DOMAIN}/bookings/one-way-fee.ts`,
    from: "of pairs) {",
    to: "of pairs.toReversed()) {",
  },
  {
    page: LIFE,
    statement: "An unpaid pending booking costs nothing",
    file: `${DOMAIN}/contracts/cancellation.ts`,
    from: 'contract.status === "pending_confirmation" && contract.totalPaidCents <= 0',
    to: 'contract.status === "pending_confirmation" && contract.totalPaidCents < 0',
  },
  {
    page: LIFE,
    statement: "Of the terms that apply, those with the fewest hours; the hour itself costs nothing yet",
    file: `${DOMAIN}/contracts/cancellation.ts`,
    from: "minutesUntilPickup < hoursBefore * MINUTES_PER_HOUR",
    to: "minutesUntilPickup <= hoursBefore * MINUTES_PER_HOUR",
  },
  {
    page: LIFE,
    statement: "Terms of the channel come before general ones",
    file: `${DOMAIN}/contracts/cancellation.ts`,
    from: "return channelTerms.length > 0 ? channelTerms :",
    to: "return channelTerms.length > 9 ? channelTerms :",
  },
  {
    page: LIFE,
    statement: "Days of the products' price, at most the days of the rental; no fee above the total",
    file: `${DOMAIN}/contracts/cancellation.ts`,
    from: "Math.min(computeFee(term, contract), contract.totals.totalCents)",
    to: "computeFee(term, contract)",
  },
  {
    page: LIFE,
    statement: "Missing or lower readings cost nothing, more than a full tank counts as full",
    file: `${DOMAIN}/bookings/closing.ts`,
    from: "eighths === undefined ? undefined : Math.min(FULL_TANK, eighths)",
    to: "eighths",
  },
  {
    page: DOCUMENTS,
    statement: "Full, simplified up to the limit, otherwise a draft with missing data; a bond",
    file: `${DOMAIN}/documents/document-form.ts`,
    from: "if (missing.length === 0) return",
    to: "if (missing.length <= 9) return",
  },
  {
    page: DOCUMENTS,
    statement: "The final document adds up by item, rate and total",
    file: `${DOMAIN}/documents/items.ts`,
    from: "totalCents: sumCents(items.map((item) => item.totalCents)),",
    to: "totalCents: subtotalCents,",
  },
  {
    page: "office.md",
    statement: "A setup step only blocks if nothing can be sold without it",
    file: `${DOMAIN}/catalogue/setup.ts`,
    from: "without.length >= catalogue.categories.size",
    to: "without.length > 0",
  },
  {
    page: "check-in.md: failures in the field, the server",
    statement: "The phone's clock is wrong",
    file: `${DOMAIN}/check-in/decision.ts`,
    from: "Math.abs(offset) > TOLERATED_CLOCK_OFFSET",
    to: "offset > TOLERATED_CLOCK_OFFSET",
  },
  {
    page: "webhooks.md",
    statement: "`Retry-After` is kept",
    file: `${DOMAIN}/webhooks/delivery.ts`,
    from: "Math.min((attempt.retryAfterSeconds ?? 0) * SECOND, DAY)",
    to: "(attempt.retryAfterSeconds ?? 0) * SECOND",
  },
  {
    page: "webhooks.md",
    statement: "Redirects and everything but 2xx are not heard",
    file: `${DOMAIN}/webhooks/delivery.ts`,
    from: "status >= 200 && status < 300",
    to: "status >= 200 && status < 400",
  },
  {
    page: "webhooks.md",
    statement: "The machine's own addresses in development alone",
    file: `${DOMAIN}/webhooks/address.ts`,
    from: "isDevelopment && isLoopbackHost(url.hostname)",
    to: "isLoopbackHost(url.hostname)",
  },
  {
    page: "security, privacy and operation",
    statement: "A session ends after 16 hours (staff) or 90 days, however often it is used",
    file: `${DOMAIN}/access/sessions.ts`,
    from: "90 * 24 * HOUR : 16 * HOUR",
    to: "90 * 24 * HOUR : 17 * HOUR",
  },
  {
    page: "calendars.md",
    statement: "RFC 5545: lines, escapes, folding",
    file: `${DOMAIN}/bookings/ical.ts`,
    from: 'const LINE_END = "\\r\\n";',
    to: 'const LINE_END = "\\n";',
  },
  {
    page: "payments.md: gateways",
    statement: "Redsys: only the configured version",
    file: "worker/gateways/redsys.ts",
    from: 'if (body.get("Ds_SignatureVersion") !== version || ',
    to: 'version = body.get("Ds_SignatureVersion") as RedsysVersion;\n  if (',
  },
  {
    page: "security.md",
    statement: "V8",
    file: "worker/auth/passwords.ts",
    from: "const salt = randomBytes(16);",
    to: "const salt = Buffer.alloc(16);",
  },
  {
    page: "security.md",
    statement: "V15",
    file: "worker/auth/secret-encryption.ts",
    from: "additionalData: encoder.encode(account)",
    to: 'additionalData: encoder.encode("")',
  },
];
