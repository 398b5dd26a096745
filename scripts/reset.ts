import { existsSync, readdirSync, rmSync } from "node:fs";
import { stateFolder, stateFolderEntries } from "./state-folder.ts";

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
