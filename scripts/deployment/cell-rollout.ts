import { readdirSync } from "node:fs";

const FIRST_CELL = "wrangler.toml";
const FURTHER_CELL = /^cell-\d{2}\.wrangler\.toml$/;

/**
 * Lists the configurations of all cells in a folder in the order of their deployment. The newest cell comes first as
 * the canary of the others. The first cell has the most companies and comes last.
 */
export function listCellConfigs(folder: string): readonly string[] {
  const further = readdirSync(folder).filter((name) => FURTHER_CELL.test(name));
  return [...further.sort().reverse(), FIRST_CELL];
}

/**
 * Deploys one cell after another. Stops at the first that fails, so that the others keep the previous version.
 *
 * @param deployCell deploys a configuration and returns the exit code. `isFirst` for the first one.
 * @throws if a cell failed, with the cells that have the new version and those that don't
 */
export async function rollOutCells(
  configs: readonly string[],
  deployCell: (config: string, isFirst: boolean) => Promise<number>,
): Promise<void> {
  for (const [index, config] of configs.entries()) {
    console.log(`\nCell of ${config}, ${index + 1} of ${configs.length}`);
    if ((await deployCell(config, index === 0)) === 0) continue;
    const [done, waiting] = [configs.slice(0, index), configs.slice(index + 1)];
    throw new Error(
      `The cell of ${config} failed. ${listNames("Deployed", done)} ${listNames("Not deployed", waiting)} Correct the cause and repeat the command: a cell that has the version is deployed again without effect.`,
    );
  }
}

function listNames(label: string, configs: readonly string[]): string {
  return `${label}: ${configs.length > 0 ? configs.join(", ") : "none"}.`;
}
