/** Reasons to refuse a webhook URL. */
export type WebhookUrlProblem = "not_an_address" | "not_https" | "has_credentials" | "private_address" | "port";

/** Parts of a URL, as parsed by `URL`. */
export interface UrlParts {
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly hostname: string;
  readonly port: string;
}

interface Where {
  /** Whether local addresses without TLS are allowed, in development. */
  readonly isDevelopment: boolean;
}

/** Finds a problem of a webhook URL. Undefined if nothing is wrong without resolving its name. */
export function findWebhookUrlProblem(url: UrlParts | null, { isDevelopment }: Where): WebhookUrlProblem | undefined {
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "") return "not_an_address";
  if (url.username !== "" || url.password !== "") return "has_credentials";
  if (isDevelopment && isLoopbackHost(url.hostname)) return undefined;
  if (url.protocol !== "https:") return "not_https";
  if (isPrivateHost(url.hostname)) return "private_address";
  // Ports below 1024 belong to mail, databases and shells. Webhooks use HTTPS.
  return url.port !== "" && Number(url.port) < 1024 ? "port" : undefined;
}

/** Whether the host is the local machine, without resolving names. */
export function isLoopbackHost(hostname: string): boolean {
  const host = bare(hostname);
  return host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127\./.test(host);
}

const INNER_NAMES = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|corp|private|test|onion|alt|arpa)$/;

/** Whether a host is in a private network, by its IP address or a name without a public suffix. */
export function isPrivateHost(hostname: string): boolean {
  const host = bare(hostname);
  if (host.includes(":")) return isPrivateV6(host);
  if (/^\d+(\.\d+){3}$/.test(host)) return isPrivateV4(host);
  return INNER_NAMES.test(host) || !host.includes(".");
}

// Returns the host as URL writes it: lower case, decimal numbers, IPv6 in brackets, possibly with trailing dots.
function bare(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.+$/, "");
}

/** IPv4 ranges reserved by IANA for special purposes (RFC 6890 and later). */
const SPECIAL_V4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

function isPrivateV4(host: string): boolean {
  const number = v4Number(host);
  return SPECIAL_V4.some(([network, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(number / size) === Math.floor(v4Number(network) / size);
  });
}

function v4Number(host: string): number {
  return host.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

// Only 2000::/3 is public, except documentation ranges, protocol assignments (2001::/23, including Teredo and
// benchmarking), and ranges that embed an IPv4 address.
function isPrivateV6(host: string): boolean {
  const groups = v6Groups(host);
  const [first = 0, second = 0] = groups;
  const v4 = (at: number) =>
    groups
      .slice(at, at + 2)
      .flatMap((group) => [group >> 8, group & 255])
      .join(".");
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return isPrivateV4(v4(6));
  // Public NAT64 addresses are 64:ff9b::/96. Those of 64:ff9b:1::/48 belong to local networks (RFC 8215).
  const isNat64 = first === 0x64 && second === 0xff9b && groups.slice(2, 6).every((group) => group === 0);
  if (isNat64) return isPrivateV4(v4(6));
  if (first === 0x2002) return isPrivateV4(v4(1));
  const isSpecial = first === 0x2001 && (second === 0xdb8 || second < 0x200);
  return first < 0x2000 || first > 0x3fff || isSpecial || (first === 0x3fff && second < 0x1000);
}

function v6Groups(host: string): readonly number[] {
  const inHex = host.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a: string, b: string, c: string, d: string) => {
    return `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`;
  });
  const [head = "", tail] = inHex.split("::");
  const numbers = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const before = numbers(head);
  if (tail === undefined) return before;
  const after = numbers(tail);
  return [...before, ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => 0), ...after];
}
