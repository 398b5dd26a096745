import { checkLedger } from "#worker/imports/check-ledger.ts";
import { readOptions } from "./command-line.ts";
import { withDatabases } from "./local-runtime.ts";
import { stateFolder } from "./state-folder.ts";
import { reportFailure } from "./steps.ts";

// npm run ledger [-- <accounts…>] [--repair]: computes the ledger of every local account, or of these, anew from its
// contracts and says where it differs.

const { values, positionals: asked } = readOptions({
  allowPositionals: true,
  options: { repair: { type: "boolean" } },
});
const repairs = values.repair === true;

async function check(account: string, db: D1Database): Promise<void> {
  const { contracts, different, wrongSums } = await checkLedger(db, repairs);
  const isRight = different.length === 0 && wrongSums === 0;
  const found = isRight
    ? "no difference"
    : `${different.length} contracts differ (${different.slice(0, 10).join(", ")}), ${wrongSums} sums are wrong`;
  console.log(`${account}: ${contracts} contracts, ${found}${!isRight && repairs ? "; written anew" : ""}`);
  if (!isRight && !repairs) process.exitCode = 1;
}

try {
  await withDatabases(stateFolder(), async ({ databases }) => {
    const unknown = asked.find((name) => !databases.has(name));
    if (unknown !== undefined) throw new Error(`There is no local account "${unknown}".`);
    const wanted = [...databases].filter(([account]) => asked.length === 0 || asked.includes(account));
    for (const [account, db] of wanted) await check(account, db);
  });
} catch (error) {
  reportFailure(error);
}
