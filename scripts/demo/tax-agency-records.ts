import { toTaxAgencyDate } from "#domain/tax-records/records.ts";
import { type SimulatedTaxRecord, saveSimulatedChain } from "#worker/development/tax-agency/simulated-records.ts";

interface SentRecord extends Pick<SimulatedTaxRecord, "kind" | "number" | "date" | "hash"> {
  readonly chain: string;
  readonly total: string | null;
}

/** Stores the records that a filled account marks as accepted in the tax agency simulator. */
export async function seedTaxAgencySimulator(files: R2Bucket, db: D1Database): Promise<void> {
  const { results } = await db
    .prepare(
      "SELECT chain, kind, number, date, hash, content ->> 'total' AS total FROM tax_records ORDER BY chain, position",
    )
    .all<SentRecord>();
  for (const [chain, sent] of Map.groupBy(results, (result) => result.chain)) {
    const [issuer = "", installation = ""] = chain.split("/");
    const answered = { state: "Correcto", code: undefined } as const;
    const records = sent.map(({ number, date, kind, hash, total }) => {
      return { number, date: toTaxAgencyDate(date), kind, hash, total: total ?? undefined, ...answered };
    });
    await saveSimulatedChain(files, { issuer, installation, records, last: records.at(-1)?.hash });
  }
}
