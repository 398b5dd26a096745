/**
 * Whether an address is in one of the networks, `203.0.113.0/24` or `2001:db8::/32`. A network can also be a single
 * address.
 */
export function isInIpNetworks(ipAddress: string, networks: readonly string[]): boolean {
  const bits = toBits(ipAddress);
  return bits !== undefined && networks.some((network) => isIn(bits, network));
}

/** Whether a text is a network in the format of `isInIpNetworks`. */
export function isIpNetwork(text: string): boolean {
  const [address = "", length] = text.split("/");
  const bits = toBits(address);
  return bits !== undefined && (length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits.length));
}

function isIn(bits: string, network: string): boolean {
  const [address = "", length] = network.split("/");
  const own = toBits(address);
  const shared = length === undefined ? bits.length : Number(length);
  return own !== undefined && own.length === bits.length && own.slice(0, shared) === bits.slice(0, shared);
}

// An IPv4 address mapped to IPv6 counts as IPv4.
function toBits(address: string): string | undefined {
  const text = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");
  return text.includes(":") ? parseIpv6Bits(text) : parseIpv4Bits(text);
}

function parseIpv4Bits(text: string): string | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || parts.some((part) => !/^\d{1,3}$/.test(part) || Number(part) > 255)) return undefined;
  return parts.map((part) => Number(part).toString(2).padStart(8, "0")).join("");
}

function parseIpv6Bits(text: string): string | undefined {
  const [head = "", tail, ...more] = text.split("::");
  const before = head.split(":").filter(Boolean);
  const after = tail?.split(":").filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(Math.max(0, zeros)).fill("0"), ...after];
  if (more.length > 0 || groups.length !== 8 || groups.some((group) => !/^[0-9a-f]{1,4}$/.test(group)))
    return undefined;
  return groups.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, "0")).join("");
}
