import { probe } from "#worker/store/operations/health.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

export interface Health {
  readonly status: "ok" | "no_settings" | "unreachable";
  /** The newest migration. */
  readonly migration: string | null;
  readonly milliseconds: number;
}

/** Whether an account's database answers and what it is like. */
export async function readHealth(tenant: Pick<Tenant, "db" | "meter">): Promise<Health> {
  try {
    const found = await probe(tenant.db);
    const milliseconds = Math.round(tenant.meter.milliseconds);
    return {
      status: found?.hasSettings === 1 ? "ok" : "no_settings",
      migration: found?.migration ?? null,
      milliseconds,
    };
  } catch {
    return { status: "unreachable", migration: null, milliseconds: 0 };
  }
}
