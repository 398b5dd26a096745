export function newcomerPage(url: URL, accounts: readonly string[]): Response {
  return new Response(`${url.host} ${accounts}`);
}
