import { readdirSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import {
  addSpareDatabases,
  createCartsConfig,
  createRouterConfig,
  toFurtherCellConfig,
  toRoutedCellConfig,
} from "#scripts/deployment/cell-config.ts";
import type { WranglerConfig } from "#scripts/wrangler-toml.ts";

/** Configurations of a deployment with several cells, as wrangler reads them. */
export interface CellConfigs {
  readonly cells: readonly { readonly cell: string; readonly front: WranglerConfig; readonly office: WranglerConfig }[];
  readonly router: WranglerConfig;
  readonly carts: WranglerConfig;
}

/** Reads the configurations in a folder with wrangler.toml and the files of further cells, router and carts. */
export function readCellConfigs(folder: string): CellConfigs {
  const read = (file: string, env?: string) =>
    unstable_readConfig({ config: join(folder, file), ...(env && { env }) }, { hideWarnings: true });
  const files = ["wrangler.toml", ...readdirSync(folder).filter((name) => /^cell-\d\d\.wrangler\.toml$/.test(name))];
  const cells = files.map((file) => {
    const [front, office] = [read(file, "production"), read(file, "production-office")];
    return { cell: String(front.vars["CELL"]), front, office };
  });
  return { cells, router: read("router.wrangler.toml"), carts: read("carts.wrangler.toml") };
}

/** Generates the configurations of cells with numbered databases, as `npm run cells` does. */
export async function generateCellConfigs(cells: readonly string[], slotsPerCell: number): Promise<CellConfigs> {
  const folder = await mkdtemp(join(tmpdir(), "cells-"));
  try {
    const toml = (await readFile("wrangler.toml", "utf8")).replaceAll("example.com", "rentals.test");
    const write = (file: string, text: string) => writeFile(join(folder, file), text);
    for (const cell of cells) {
      const own =
        cell === "01" ? toRoutedCellConfig(toml, "production") : toFurtherCellConfig(toml, "production", cell);
      const spares = Array.from({ length: slotsPerCell }, (_, index) => {
        const name = `rental-production-${cell}-${String(index + 1).padStart(4, "0")}`;
        return { slot: index + 1, databaseName: name, databaseId: `id-of-${name}`, jurisdiction: undefined };
      });
      const file = cell === "01" ? "wrangler.toml" : `cell-${cell}.wrangler.toml`;
      await write(file, addSpareDatabases(own, "production", spares));
    }
    const directoryId = "00000000-0000-0000-0000-000000000000";
    const domain = { baseDomain: "rentals.test", zone: "rentals.test" };
    await write(
      "router.wrangler.toml",
      createRouterConfig({ environment: "production", ...domain, directoryId, cells, hasRoutes: true }),
    );
    await write("carts.wrangler.toml", createCartsConfig("production"));
    return readCellConfigs(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
