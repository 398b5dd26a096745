/** Format of account names: a hostname label. */
export const ACCOUNT_NAME = /^[a-z][a-z0-9-]{0,29}[a-z0-9]$/;
const BINDING = /^TENANT_([A-Z][A-Z0-9_]{1,30})$/;

/** Returns the name of an account's database binding: `TENANT_BLUE_BOATS` for `blue-boats`. */
export function bindingName(account: string): string {
  return `TENANT_${account.toUpperCase().replaceAll("-", "_")}`;
}

/** Returns the account of a database binding. Undefined for other bindings. */
export function getBindingAccount(binding: string): string | undefined {
  return BINDING.exec(binding)?.[1]?.toLowerCase().replaceAll("_", "-");
}

/** Lists the deployment's account names. */
export function listAccountNames(env: Cloudflare.Env): string[] {
  return Object.entries(env).flatMap(([key, binding]) => {
    const name = getBindingAccount(key);
    return name !== undefined && isDatabase(binding) ? [name] : [];
  });
}

/** Returns an account's database. Undefined if the deployment doesn't have the account. */
export function findBinding(env: Cloudflare.Env, name: string): D1Database | undefined {
  if (!ACCOUNT_NAME.test(name)) return undefined;
  const binding: unknown = Reflect.get(env, bindingName(name));
  return isDatabase(binding) ? binding : undefined;
}

function isDatabase(binding: unknown): binding is D1Database {
  return typeof binding === "object" && binding !== null && "batch" in binding;
}
