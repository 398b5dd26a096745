const PARTS = [
  ["agencies", /^\/api\/(booking\/)?ota(\/|$)/],
  ["rentals", /^\/api\/booking\/frontend(\/|$)/],
  ["transfers", /^\/api\/booking-transfer\/frontend(\/|$)/],
] as const;

/** A part of the front that an isolate makes when it is first asked for it. */
export type RouteGroup = (typeof PARTS)[number][0] | "rest";

/** Which part of the front answers a path, read as the router reads it. */
export function routeGroupFor(pathname: string): RouteGroup {
  const path = decoded(pathname);
  return PARTS.find(([, paths]) => paths.test(path))?.[0] ?? "rest";
}

function decoded(pathname: string): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}
