import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listCellConfigs, rollOutCells } from "#scripts/deployment/cell-rollout.ts";

test("lists the newest cell first and the first cell last, without other configurations", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cells-"));
  const files = ["wrangler.toml", "cell-02.wrangler.toml", "cell-10.wrangler.toml", "router.wrangler.toml"];
  for (const file of files) await writeFile(join(folder, file), "");
  expect(listCellConfigs(folder)).toEqual(["cell-10.wrangler.toml", "cell-02.wrangler.toml", "wrangler.toml"]);
  await rm(folder, { recursive: true });
});

test("deploys every cell, and builds the pages once", async () => {
  const deployed: unknown[] = [];
  await rollOutCells(["c", "b", "a"], async (config, isFirst) => {
    deployed.push([config, isFirst]);
    return 0;
  });
  expect(deployed).toEqual([
    ["c", true],
    ["b", false],
    ["a", false],
  ]);
});

test("stops at the first cell that fails, and names the others", async () => {
  const deployed: string[] = [];
  const rolledOut = rollOutCells(["d", "c", "b", "a"], async (config) => {
    deployed.push(config);
    return config === "c" ? 1 : 0;
  });
  await expect(rolledOut).rejects.toThrow(/^The cell of c failed\. Deployed: d\. Not deployed: b, a\./);
  expect(deployed).toEqual(["d", "c"]);
});
