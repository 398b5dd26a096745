import { checkLedger } from "#worker/imports/check-ledger.ts";
import { withDatabases } from "./local-runtime.ts";
import { stateFolder } from "./state-folder.ts";
import { reportFailure } from "./steps.ts";

// npm run ledger [-- --repair]: computes the ledger of every local account anew from its contracts and says where it
// differs.

const repairs = process.argv.includes("--repair");
try {
  await withDatabases(stateFolder(), async ({ databases }) => {
    for (const [account, db] of databases) {
      const { contracts, different, wrongSums } = await checkLedger(db, repairs);
      const isRight = different.length === 0 && wrongSums === 0;
      const found = isRight
        ? "no difference"
        : `${different.length} contracts differ (${different.slice(0, 10).join(", ")}), ${wrongSums} sums are wrong`;
      console.log(`${account}: ${contracts} contracts, ${found}${!isRight && repairs ? "; written anew" : ""}`);
      if (!isRight && !repairs) process.exitCode = 1;
    }
  });
} catch (error) {
  reportFailure(error);
}
