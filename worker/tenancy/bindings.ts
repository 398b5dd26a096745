/** Format of account names: a hostname label. */
export const ACCOUNT_NAME_PATTERN = /^[a-z][a-z0-9-]{0,29}[a-z0-9]$/;
const SLOT_BINDING = /^(?:(?:EU|US)_)?DB_(\d{4})$/;
const BINDING = /^(?:(EU|US)_)?TENANT_([A-Z][A-Z0-9_]{1,30})$/;

/** Regions that Cloudflare can restrict databases, objects and buckets to. Fixed when a company is added. */
export const JURISDICTIONS = ["eu", "us"] as const;
export type Jurisdiction = (typeof JURISDICTIONS)[number];

/**
 * Returns the name of an account's database binding: `TENANT_BLUE_BOATS` for `blue-boats`, and `EU_TENANT_BLUE_BOATS`
 * if its data must stay in the European Union.
 */
export function getBindingName(account: string, jurisdiction?: Jurisdiction): string {
  const prefix = jurisdiction ? `${jurisdiction.toUpperCase()}_` : "";
  return `${prefix}TENANT_${account.toUpperCase().replaceAll("-", "_")}`;
}

/** Returns the account of a database binding. Undefined for other bindings. */
export function getBindingAccount(binding: string): string | undefined {
  return BINDING.exec(binding)?.[2]?.toLowerCase().replaceAll("_", "-");
}

/** Returns the jurisdiction of a database binding. Undefined if its data may be anywhere. */
export function getBindingJurisdiction(binding: string): Jurisdiction | undefined {
  const prefix = BINDING.exec(binding)?.[1] ?? /^(EU|US)_DB_\d{4}$/.exec(binding)?.[1];
  return JURISDICTIONS.find((jurisdiction) => jurisdiction.toUpperCase() === prefix);
}

/** Lists the deployment's account names. */
export function listAccountNames(env: Cloudflare.Env): string[] {
  return Object.entries(env).flatMap(([key, binding]) => {
    const name = getBindingAccount(key);
    return name !== undefined && isDatabase(binding) ? [name] : [];
  });
}

/** Returns an account's database. Undefined if the deployment doesn't have the account. */
export function findAccountBinding(env: Cloudflare.Env, name: string): D1Database | undefined {
  if (!ACCOUNT_NAME_PATTERN.test(name)) return undefined;
  const bindings = [undefined, ...JURISDICTIONS].map(
    (place) => Reflect.get(env, getBindingName(name, place)) as unknown,
  );
  return bindings.find(isDatabase);
}

/** Database of an account and the region that its data must not leave. */
export interface BoundDatabase {
  readonly binding: D1Database;
  readonly jurisdiction: Jurisdiction | undefined;
  /** Number of the database, if the directory names the account. */
  readonly slot?: number;
}

/** Returns a numbered database of this cell. Undefined if the deployment doesn't bind it. */
export function findNumberedDatabase(env: Cloudflare.Env, slot: number): BoundDatabase | undefined {
  for (const jurisdiction of [undefined, ...JURISDICTIONS]) {
    const binding: unknown = Reflect.get(env, getSlotBindingName(slot, jurisdiction));
    if (isDatabase(binding)) return { binding, jurisdiction, slot };
  }
  return undefined;
}

/** Lists the numbered databases that this deployment binds. */
export function listDatabaseSlots(env: Cloudflare.Env): readonly BoundDatabase[] {
  const numbers = Object.keys(env).flatMap((key) => SLOT_BINDING.exec(key)?.[1] ?? []);
  return [...new Set(numbers.map(Number))]
    .sort((a, b) => a - b)
    .flatMap((slot) => findNumberedDatabase(env, slot) ?? []);
}

/** Returns the name of a database binding: `DB_0007`, or `EU_DB_0007` if its data must stay in the European Union. */
export function getSlotBindingName(slot: number, jurisdiction?: Jurisdiction): string {
  const prefix = jurisdiction ? `${jurisdiction.toUpperCase()}_` : "";
  return `${prefix}DB_${String(slot).padStart(4, "0")}`;
}

/** Returns the region that an account's data must not leave. Undefined if there's none. */
export function findAccountJurisdiction(env: Cloudflare.Env, name: string): Jurisdiction | undefined {
  return JURISDICTIONS.find((jurisdiction) => isDatabase(Reflect.get(env, getBindingName(name, jurisdiction))));
}

/**
 * Returns the Durable Objects of a class within a jurisdiction. An equal name is a different object in each
 * jurisdiction.
 */
export function restrictNamespace<T extends Rpc.DurableObjectBranded | undefined>(
  namespace: DurableObjectNamespace<T>,
  jurisdiction: Jurisdiction | undefined,
): DurableObjectNamespace<T> {
  return jurisdiction ? namespace.jurisdiction(jurisdiction) : namespace;
}

/** Returns the bucket of a jurisdiction, such as `FILES_EU`, or else the deployment's bucket. */
export function findJurisdictionBucket(
  env: Cloudflare.Env,
  name: "FILES" | "BACKUPS",
  jurisdiction: Jurisdiction | undefined,
): R2Bucket | undefined {
  const bucket: unknown = jurisdiction && Reflect.get(env, `${name}_${jurisdiction.toUpperCase()}`);
  return typeof bucket === "object" && bucket !== null ? (bucket as R2Bucket) : env[name];
}

function isDatabase(binding: unknown): binding is D1Database {
  return typeof binding === "object" && binding !== null && "batch" in binding;
}
