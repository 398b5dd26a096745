import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Time limit in ms for an unresponsive mirror. */
const PATIENCE = 300_000;

/** Installs Debian packages for tests, if this is Debian and it's permitted. Removes none. */
export function installOnDebian(packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log(`Installing Debian's ${packages.join(", ")} for the tests (once) …`);
  spawnSync("apt-get", ["update", "-qq"], { stdio: "inherit", timeout: PATIENCE });
  const how = ["-y", "-qq", "--no-install-recommends", "--no-remove"];
  spawnSync("apt-get", ["install", ...how, ...packages], { stdio: "ignore", timeout: PATIENCE });
}
