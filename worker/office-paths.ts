const OFFICES = /^\/api\/v1\/(office|login|second-factor|openapi\.json)(\/|$)/;

/**
 * Whether the office's Worker answers a path: the office, and how people get in, with the document of that
 * (docs/decisions/0026-office-worker.md).
 */
export function isOfficePath(pathname: string): boolean {
  return OFFICES.test(pathname);
}
