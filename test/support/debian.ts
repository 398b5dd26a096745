import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Installs Debian's packages for tests that need them, where this is a Debian and that is allowed. */
export function installOnDebian(packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log(`Installing Debian's ${packages.join(", ")} for the tests (once) …`);
  spawnSync("apt-get", ["update", "-qq"], { stdio: "inherit" });
  spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], { stdio: "ignore" });
}
