import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { addSpareDatabases } from "#scripts/deployment/cell-config.ts";
import { type CellConfigs, readCellConfigs } from "./cell-configs.ts";
import { startCloudflare } from "./cloudflare.ts";

const COMMANDED = 2;

/**
 * Deploys three cells with carts and router from a fresh clone to the simulator, by the commands of docs/production.md.
 * The commands create two databases for each cell. The other ones are added to the configurations in the same form.
 */
export async function deployCellsFromClone(slotsPerCell: number): Promise<CellConfigs> {
  const cloud = await startCloudflare("many-cells", { hasDirectory: true, isClone: true });
  const clone = dirname(cloud.config);
  const command = async (...args: readonly string[]) => {
    const { exitCode, output } = await cloud.command(...args, "--env", "production");
    expect(exitCode, `${args.join(" ")}: ${output}`).toBe(0);
  };
  const deploy = ["deploy", "--built", "--url", cloud.url, "--pause", "0.01"];
  const wrangler = async (...args: readonly string[]) =>
    expect(await cloud.wrangler(...args), args.join(" ")).toMatchObject({ exitCode: 0 });
  try {
    await command("cells", "spare", String(COMMANDED));
    await command(...deploy);
    for (const cell of ["02", "03"]) {
      await command("cells", "generate", cell);
      cloud.variables = { WRANGLER_CONFIG: `cell-${cell}.wrangler.toml` };
      await command("cells", "spare", String(COMMANDED));
      for (const env of ["production", "production-office"])
        await wrangler("secret", "put", "MASTER_KEY", "--config", `cell-${cell}.wrangler.toml`, "--env", env);
      if (cell === "02") await wrangler("deploy", "--config", "carts.wrangler.toml");
      await command(...deploy);
      cloud.variables = {};
      if (cell === "02") await command(...deploy);
      if (cell === "02") await wrangler("secret", "put", "ROUTER_KEY", "--config", "router.wrangler.toml");
      await wrangler("deploy", "--config", "router.wrangler.toml");
      cloud.variables = { CLOUDFLARE_API_TOKEN: "routes-token", CLOUDFLARE_API_BASE_URL: cloud.url };
      if (cell === "02") await command("cells", "route");
      cloud.variables = {};
    }
    expect(new Set(Object.values((await cloud.read()).routes))).toEqual(new Set(["router"]));
    await command(...deploy, "--all-cells");
    await addDatabases(clone, slotsPerCell);
    return readCellConfigs(clone);
  } finally {
    await cloud.close();
  }
}

async function addDatabases(clone: string, slotsPerCell: number): Promise<void> {
  const files = readdirSync(clone).filter((name) => /^(cell-\d\d\.)?wrangler\.toml$/.test(name));
  for (const file of files) {
    const cell = /\d\d/.exec(file)?.[0] ?? "01";
    const spares = Array.from({ length: slotsPerCell - COMMANDED }, (_, index) => {
      const slot = COMMANDED + index + 1;
      const databaseName = `rental-production-${cell}-${String(slot).padStart(4, "0")}`;
      return { slot, databaseName, databaseId: `id-of-${databaseName}`, jurisdiction: undefined };
    });
    const path = join(clone, file);
    await writeFile(path, addSpareDatabases(await readFile(path, "utf8"), "production", spares));
  }
}
