const ACCOUNT_NAME = /^[a-z][a-z0-9-]{1,30}$/;

/** The accounts of this deployment, by name. */
export function listAccountNames(env: Cloudflare.Env): string[] {
  return Object.keys(env)
    .filter((key) => key.startsWith("TENANT_"))
    .map((key) => key.slice("TENANT_".length).toLowerCase().replaceAll("_", "-"))
    .filter((name) => findBinding(env, name));
}

/** The database of an account; undefined where this deployment has none of that name. */
export function findBinding(env: Cloudflare.Env, name: string): D1Database | undefined {
  if (!ACCOUNT_NAME.test(name)) return undefined;
  const binding: unknown = Reflect.get(env, `TENANT_${name.toUpperCase().replaceAll("-", "_")}`);
  return typeof binding === "object" && binding !== null && "batch" in binding ? (binding as D1Database) : undefined;
}
