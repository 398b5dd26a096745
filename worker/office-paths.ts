const OFFICES = /^\/api\/v1\/(office|login|second-factor|openapi\.json)(\/|$)/;

/**
 * Whether the office Worker serves a path: the office, sign-in, and their documentation
 * (docs/decisions/0026-office-worker.md).
 */
export function isOfficePath(pathname: string): boolean {
  return OFFICES.test(pathname);
}
