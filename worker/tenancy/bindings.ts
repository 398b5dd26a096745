const ACCOUNT_NAME = /^[a-z][a-z0-9-]{1,30}$/;
const BINDING = /^TENANT_([A-Z][A-Z0-9_]{1,30})$/;

/** The accounts of this deployment, by name. */
export function listAccountNames(env: Cloudflare.Env): string[] {
  return Object.entries(env).flatMap(([key, binding]) => {
    const name = BINDING.exec(key)?.[1];
    return name !== undefined && isDatabase(binding) ? [name.toLowerCase().replaceAll("_", "-")] : [];
  });
}

/** The database of an account; undefined where this deployment has none of that name. */
export function findBinding(env: Cloudflare.Env, name: string): D1Database | undefined {
  if (!ACCOUNT_NAME.test(name)) return undefined;
  const binding: unknown = Reflect.get(env, `TENANT_${name.toUpperCase().replaceAll("-", "_")}`);
  return isDatabase(binding) ? binding : undefined;
}

function isDatabase(binding: unknown): binding is D1Database {
  return typeof binding === "object" && binding !== null && "batch" in binding;
}
