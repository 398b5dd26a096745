import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** A mirror that does not answer holds nobody up for longer, ms. */
const PATIENCE = 300_000;

/** Installs Debian's packages for tests that need them, where this is a Debian and that is allowed; removes none. */
export function installOnDebian(packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log(`Installing Debian's ${packages.join(", ")} for the tests (once) …`);
  spawnSync("apt-get", ["update", "-qq"], { stdio: "inherit", timeout: PATIENCE });
  const how = ["-y", "-qq", "--no-install-recommends", "--no-remove"];
  spawnSync("apt-get", ["install", ...how, ...packages], { stdio: "ignore", timeout: PATIENCE });
}
