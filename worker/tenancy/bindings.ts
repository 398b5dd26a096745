/** What an account may be called: a label of an address. */
export const ACCOUNT_NAME = /^[a-z][a-z0-9-]{0,29}[a-z0-9]$/;
const BINDING = /^TENANT_([A-Z][A-Z0-9_]{1,30})$/;

/** The name of the binding of an account's database: `TENANT_BLUE_BOATS` for `blue-boats`. */
export function bindingName(account: string): string {
  return `TENANT_${account.toUpperCase().replaceAll("-", "_")}`;
}

/** The account whose database a binding is; undefined where it is none's. */
export function getBindingAccount(binding: string): string | undefined {
  return BINDING.exec(binding)?.[1]?.toLowerCase().replaceAll("_", "-");
}

/** The accounts of this deployment, by name. */
export function listAccountNames(env: Cloudflare.Env): string[] {
  return Object.entries(env).flatMap(([key, binding]) => {
    const name = getBindingAccount(key);
    return name !== undefined && isDatabase(binding) ? [name] : [];
  });
}

/** The database of an account; undefined where this deployment has none of that name. */
export function findBinding(env: Cloudflare.Env, name: string): D1Database | undefined {
  if (!ACCOUNT_NAME.test(name)) return undefined;
  const binding: unknown = Reflect.get(env, bindingName(name));
  return isDatabase(binding) ? binding : undefined;
}

function isDatabase(binding: unknown): binding is D1Database {
  return typeof binding === "object" && binding !== null && "batch" in binding;
}
