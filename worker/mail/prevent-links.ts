/**
 * Returns a name that mail programs turn into no link: an invisible word joiner follows each point that could separate
 * the parts of a domain. A visitor could otherwise send a link to another person's address.
 */
export function preventLinks(name: string): string {
  return name.replaceAll(/[.。．｡](?=[\p{L}\p{N}]{2})/gu, "$&\u2060");
}
