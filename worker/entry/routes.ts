/** A group of routes that an isolate creates on its first request. */
export type RouteGroup = "agencies" | "rentals" | "transfers" | "other";

interface Route {
  readonly paths: RegExp;
  /** Worker that serves the paths (decision 0026). */
  readonly worker: "front" | "office";
  readonly group: RouteGroup;
}

/** Path prefixes with their Worker and group. The first match counts, the last one matches all paths. */
const ROUTES: readonly Route[] = [
  {
    paths: /^\/api\/v1\/(office|login|logout|signup|sessions|second-factor|web-customer|openapi\.json)(\/|$)/,
    worker: "office",
    group: "other",
  },
  {
    paths: /^\/api\/v1\/(documents|booking\/[^/]+\/(documents|charges))(\/|$)/,
    worker: "office",
    group: "other",
  },
  { paths: /^\/(operator|quote|change-password|verify-email)(\/|$)/, worker: "office", group: "other" },
  {
    paths: /^\/(pay|charge-processed|charge-return|reserva|reserva-transfer|book|transfer)(\/|$)/,
    worker: "office",
    group: "other",
  },
  { paths: /^\/api\/(booking\/)?ota(\/|$)/, worker: "front", group: "agencies" },
  { paths: /^\/api\/booking\/frontend(\/|$)/, worker: "front", group: "rentals" },
  { paths: /^\/api\/booking-transfer\/frontend(\/|$)/, worker: "front", group: "transfers" },
  { paths: /^/, worker: "front", group: "other" },
];

const OTHER: Route = { paths: /^/, worker: "front", group: "other" };

/** Whether the office Worker serves a path. Compares the undecoded path, because the office Worker decodes it. */
export function isOfficePath(pathname: string): boolean {
  return findRoute(pathname).worker === "office";
}

/** Returns the route group of a path, decoded like in the router. */
export function getRouteGroup(pathname: string): RouteGroup {
  return findRoute(decode(pathname)).group;
}

function findRoute(pathname: string): Route {
  return ROUTES.find(({ paths }) => paths.test(pathname)) ?? OTHER;
}

function decode(pathname: string): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}
