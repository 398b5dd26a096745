// Extracts parts of a request URL from its text. The platform already normalized `url`, so parsing it again gains
// nothing. Native parsing and parameter lookup take longer than a route's own work.

/** Returns the hostname without its port. */
export function getHostname(url: string): string {
  return /^\w+:\/\/([^/:?#]*)/.exec(url)?.[1] ?? "";
}

/** Returns the path with its query, if any. */
export function getPathAndQuery(url: string): string {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2));
}

/** Returns the path alone, with its characters as sent. */
export function getPathname(url: string): string {
  const [path = ""] = getPathAndQuery(url).split(/[?#]/, 1);
  return path;
}

/**
 * Whether clients of a path expect XML, even if no interface is reached. Misspellings of the path without effect on
 * its meaning count.
 */
export const isOtaXmlPath = (pathname: string): boolean => /^\/+api\/+ota(\/|$)/i.test(pathname);

/**
 * Whether people open a path, so that a failure is shown to them as a page. Documents are opened from links in mails,
 * unlike other addresses of the APIs. Gateways also accept HTML.
 */
export const isPagePath = (pathname: string): boolean =>
  /^\/(?!api\/|charge-processed\/)|^\/api\/v1\/web-customer\/.*\.(?:pdf|ics)$/.test(pathname);

/** Returns scheme, host and port. */
export function getOrigin(url: string): string {
  return url.slice(0, url.indexOf("/", url.indexOf("//") + 2));
}

interface Parameter {
  readonly name: string;
  readonly isEmpty: boolean;
}

/** Latest result, because several checks of a request ask for its parameters. Depends on nothing but the URL. */
let latest: { readonly url: string; readonly parameters: readonly Parameter[] } | undefined;

/** Returns the query parameters in order, including repeated ones. Names are decoded like form data. */
export function getQueryParameters(url: string): readonly Parameter[] {
  if (latest?.url !== url) latest = { url, parameters: parseQueryParameters(url) };
  return latest.parameters;
}

function parseQueryParameters(url: string): readonly Parameter[] {
  const begin = url.indexOf("?");
  if (begin === -1) return [];
  const [query = ""] = url.slice(begin + 1).split("#", 1);
  return query
    .split("&")
    .filter((text) => text !== "")
    .map((text) => {
      const end = text.indexOf("=");
      const name = end === -1 ? text : text.slice(0, end);
      return { name: decodedName(name), isEmpty: end === -1 || end === text.length - 1 };
    });
}

function decodedName(name: string): string {
  if (!/[%+]/.test(name)) return name;
  const spaced = name.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    // Invalid escapes are decoded like form data, which is slower.
    return new URLSearchParams(`&${name}=`).keys().next().value ?? name;
  }
}
