import { existsSync, readdirSync, rmSync } from "node:fs";
import { readOptions } from "./command-line.ts";
import { getStateFolder, stateFolderEntries } from "./state-folder.ts";

// npm run reset deletes all local databases and secrets; the variable STATE_DIR specifies their folder

readOptions({ options: {} });

const stateDir = getStateFolder();

/** Lists unexpected files, so that a mistyped STATE_DIR doesn't delete other files. */
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
