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
 * Cells deployed at the same time. Cloudflare's API takes 1,200 calls in five minutes, and a cell needs about 40 within
 * a minute.
 */
export const CELLS_DEPLOYED_AT_ONCE = 4;

/** Deploys the cell of a configuration and returns the exit code. */
type DeployCell = (
  config: string,
  wave: {
    /** Whether it is the first one, which also deploys what all cells share. */
    readonly isFirst: boolean;
    /** Whether it is deployed alone, so that its output may be shown while it runs. */
    readonly isOnlyCellOfWave: boolean;
  },
) => Promise<number>;

/**
 * Deploys one cell, then a tenth of the cells at once, then several at a time. Stops after the first wave in which one
 * fails, so that the others keep the previous version.
 *
 * @throws if a cell failed, with the cells that have the new version and those that don't
 */
export async function rollOutCells(configs: readonly string[], deployCell: DeployCell): Promise<void> {
  const done: string[] = [];
  for (const wave of groupIntoWaves(configs, CELLS_DEPLOYED_AT_ONCE)) {
    const isOnlyCellOfWave = wave.length === 1;
    console.log(`\nCell of ${wave.join(", ")}: ${done.length + wave.length} of ${configs.length}`);
    const codes = await Promise.all(
      wave.map((config) => deployCell(config, { isFirst: config === configs[0], isOnlyCellOfWave })),
    );
    done.push(...wave.filter((_, index) => codes[index] === 0));
    const failed = wave.filter((_, index) => codes[index] !== 0);
    if (failed.length === 0) continue;
    const waiting = configs.filter((config) => !done.includes(config) && !failed.includes(config));
    throw new Error(
      `The cell of ${failed.join(", ")} failed. ${listNames("Deployed", done)} ${listNames("Not deployed", waiting)} Correct the cause and repeat the command: a cell that has the version is deployed again without effect.`,
    );
  }
}

function listNames(label: string, configs: readonly string[]): string {
  return `${label}: ${configs.length > 0 ? configs.join(", ") : "none"}.`;
}

/** Orders cells: the first one alone, then a tenth (at most `atOnce`), then `atOnce` at a time. */
export function groupIntoWaves(cells: readonly string[], atOnce: number): readonly (readonly string[])[] {
  const sizes = [1, Math.min(Math.ceil(cells.length / 10), atOnce)];
  const waves: (readonly string[])[] = [];
  for (let start = 0; start < cells.length; start += waves.at(-1)?.length ?? 1)
    waves.push(cells.slice(start, start + (sizes[waves.length] ?? atOnce)));
  return waves;
}
