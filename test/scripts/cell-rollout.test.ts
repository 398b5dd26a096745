import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { groupIntoWaves, listCellConfigs, rollOutCells } from "#scripts/deployment/cell-rollout.ts";

test("lists the newest cell first and the first cell last, without other configurations", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cells-"));
  const files = ["wrangler.toml", "cell-02.wrangler.toml", "cell-10.wrangler.toml", "router.wrangler.toml"];
  for (const file of files) await writeFile(join(folder, file), "");
  expect(listCellConfigs(folder)).toEqual(["cell-10.wrangler.toml", "cell-02.wrangler.toml", "wrangler.toml"]);
  await rm(folder, { recursive: true });
});

test("deploys the newest cell alone with all that cells share, then a tenth, then several at a time", async () => {
  const configs = Array.from({ length: 24 }, (_, index) => `cell-${24 - index}`);
  const deployed: string[] = [];
  const waves: number[] = [];
  await rollOutCells(configs, async (config, { isFirst, isOnlyCellOfWave }) => {
    expect([isFirst, isOnlyCellOfWave], config).toEqual([config === "cell-24", config === "cell-24"]);
    deployed.push(config);
    const started = deployed.length;
    // Others of the same wave start before this one ends.
    await Promise.resolve();
    if (started === deployed.length) waves.push(started);
    return 0;
  });
  expect(deployed).toEqual(configs);
  expect(waves).toEqual([1, 4, 8, 12, 16, 20, 24]);
});

test("stops after the first cells that fail, and names the others", async () => {
  const deployed: string[] = [];
  const configs = Array.from({ length: 12 }, (_, index) => `c${index}`);
  const rolledOut = rollOutCells(configs, async (config) => {
    deployed.push(config);
    return config === "c3" ? 1 : 0;
  });
  await expect(rolledOut).rejects.toThrow(
    /^The cell of c3 failed\. Deployed: c0, c1, c2, c4, c5, c6\. Not deployed: c7, c8, c9, c10, c11\./,
  );
  expect(deployed).toEqual(configs.slice(0, 7));
  await expect(rollOutCells(["b", "a"], async () => 1)).rejects.toThrow("Deployed: none. Not deployed: a.");
});

test("groups cells for migrations into one, a tenth, then eight at a time", () => {
  const cells = Array.from({ length: 40 }, (_, index) => String(index + 1).padStart(2, "0"));
  const waves = groupIntoWaves(cells, 8);
  expect(waves.map(({ length }) => length)).toEqual([1, 4, 8, 8, 8, 8, 3]);
  expect(waves.flat()).toEqual(cells);
  expect(groupIntoWaves(["01"], 8)).toEqual([["01"]]);
  expect(groupIntoWaves([], 8)).toEqual([]);
});
