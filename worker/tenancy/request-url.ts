// The parts of a request's address as its text has them. A request's `url` is written by the platform's own parser, so
// that reading it again costs what it says nothing new for: each native parse, and each look through its parameters,
// takes longer than all that a route does itself.

/** The name of the host, without its port. */
export function getHostname(url: string): string {
  return /^\w+:\/\/([^/:?#]*)/.exec(url)?.[1] ?? "";
}

/** What stands behind the host: the path, with its query where it has one. */
export function getPathAndQuery(url: string): string {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2));
}

/** The path alone, its characters as they were sent. */
export function getPathname(url: string): string {
  const [path = ""] = getPathAndQuery(url).split(/[?#]/, 1);
  return path;
}

/** Where the address begins: scheme, host and port. */
export function getOrigin(url: string): string {
  return url.slice(0, url.indexOf("/", url.indexOf("//") + 2));
}

interface Parameter {
  readonly name: string;
  readonly isEmpty: boolean;
}

/** The parameters of the query in their order, each as often as it is given; names as forms read them. */
export function getQueryParameters(url: string): readonly Parameter[] {
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
    // Broken escapes: as forms read them, which is the long way.
    return new URLSearchParams(`&${name}=`).keys().next().value ?? name;
  }
}
