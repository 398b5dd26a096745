// Runs before wrangler bundles, because a fresh clone has no built pages yet (npm run build).
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BIN = join(ROOT, "node_modules", ".bin");

if (!existsSync(join(ROOT, "pwa", "dist"))) {
  console.log("The pages are not built yet. npm run build builds them, and so does this.");
  const env = { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ""}` };
  const { status } = spawnSync(join(BIN, "node"), [join(ROOT, "scripts", "build-pages.ts")], { stdio: "inherit", env });
  process.exit(status ?? 1);
}
