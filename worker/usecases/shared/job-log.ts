import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Runs and logs work. Errors don't affect other work. Returns the amount of work done. */
export function runWithJobLogIgnoringErrors(
  tenant: Pick<Tenant, "name">,
  operation: string,
  work: () => Promise<number>,
): Promise<number> {
  return runWithJobLog(tenant, operation, work).catch(() => 0);
}

/** Runs and logs work. Throws its error. */
export async function runWithJobLog(
  { name }: Pick<Tenant, "name">,
  operation: string,
  work: () => Promise<number>,
): Promise<number> {
  const line = { account: name, operation };
  try {
    const count = await work();
    if (count > 0) console.log(JSON.stringify({ level: "info", ...line, count }));
    return count;
  } catch (error) {
    // Without the message, because it may contain data.
    const defect = error instanceof Error ? error.name : "unknown";
    console.log(JSON.stringify({ level: "error", ...line, defect }));
    throw error;
  }
}
