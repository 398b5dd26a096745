import { toAgencyDate } from "#domain/tax-records/records.ts";
import { type HeldChain, type HeldRecord, keepChain } from "#worker/development/tax-agency/held.ts";

interface SentRecord {
  readonly chain: string;
  readonly kind: HeldRecord["kind"];
  readonly number: string;
  readonly date: string;
  readonly hash: string;
  readonly total: string | null;
}

/** Lets the stand-in of the tax agency hold the records that a filled account says it took. */
export async function tellStandIn(files: R2Bucket, db: D1Database): Promise<void> {
  const { results } = await db
    .prepare(
      "SELECT chain, kind, number, date, hash, content ->> 'total' AS total FROM tax_records ORDER BY chain, position",
    )
    .all<SentRecord>();
  for (const [chain, records] of Map.groupBy(results, (one) => one.chain))
    await keepChain(files, toHeld(chain, records));
}

function toHeld(chain: string, records: readonly SentRecord[]): HeldChain {
  const [issuer = "", installation = ""] = chain.split("/");
  const held = records.map(({ number, date, kind, hash, total }) => ({
    number,
    date: toAgencyDate(date),
    kind,
    hash,
    total: total ?? undefined,
    state: "Correcto" as const,
    code: undefined,
  }));
  return { issuer, installation, records: held, last: records.at(-1)?.hash };
}
