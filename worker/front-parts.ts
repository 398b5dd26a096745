const PARTS = [
  ["agencies", /^\/api\/(booking\/)?ota(\/|$)/],
  ["rentals", /^\/api\/booking\/frontend(\/|$)/],
  ["transfers", /^\/api\/booking-transfer\/frontend(\/|$)/],
] as const;

/** Group of routes that an isolate creates on its first request. */
export type RouteGroup = (typeof PARTS)[number][0] | "rest";

/** Returns the route group of a path, decoded like in the router. */
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
