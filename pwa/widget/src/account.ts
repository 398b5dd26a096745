const NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i;

/**
 * Resolves the origin of the company that a page specifies: a URL, a host, or an account name relative to the script's
 * host. Defaults to the script's origin. Undefined if invalid.
 */
export function resolveAccountOrigin(account: string | null, scriptUrl: string | undefined): string | undefined {
  const script = URL.parse(scriptUrl ?? "");
  const accountName = account?.trim() ?? "";
  if (accountName === "") return script?.origin;
  if (/^https?:\/\//i.test(accountName)) return URL.parse(accountName)?.origin;
  if (NAME.test(accountName)) return script ? resolveFromScript(accountName, script) : undefined;
  return URL.parse(`${script?.protocol ?? "https:"}//${accountName}`)?.origin;
}

function resolveFromScript(name: string, script: URL): string {
  const [, ...base] = script.host.split(".");
  return `${script.protocol}//${name.toLowerCase()}.${base.length > 0 ? base.join(".") : script.host}`;
}
