import { existsSync, readdirSync, rmSync } from "node:fs";
import { readOptions } from "./command-line.ts";
import { stateFolder, stateFolderEntries } from "./state-folder.ts";

// npm run reset    forgets the local databases and secrets, all of them; the variable STATE_DIR says where they are

readOptions({ options: {} });

const stateDir = stateFolder();

/** Everything in the folder was put there by the local runtime, so that a mistyped STATE_DIR deletes nobody's files. */
function foreignEntries(): readonly string[] {
  return readdirSync(stateDir).filter((entry) => !stateFolderEntries.includes(entry));
}

if (!existsSync(stateDir)) {
  console.log(`Nothing to remove: ${stateDir} does not exist.`);
} else if (foreignEntries().length > 0) {
  console.error(
    `${stateDir} is not a folder of local databases (it holds ${foreignEntries().join(", ")}): nothing removed.`,
  );
  process.exitCode = 1;
} else {
  rmSync(stateDir, { recursive: true });
  console.log(`Removed the local databases and secrets in ${stateDir}.`);
}
