import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROJECT_ROOT } from "#scripts/processes.ts";

interface Ended {
  readonly exitCode: unknown;
  readonly output: string;
}

/** Runs a tool with options that it rejects or answers without starting. */
function tool(name: string, ...args: readonly string[]): Promise<Ended> {
  const command = [join("test", "tools", name, "main.ts"), ...args];
  return new Promise((resolve) =>
    execFile(process.execPath, command, { cwd: PROJECT_ROOT }, (error, stdout, stderr) =>
      resolve({ exitCode: error ? error.code : 0, output: `${stdout}${stderr}` }),
    ),
  );
}

test.each([
  ["chaos", "chaos"],
  ["fuzz", "fuzz"],
  ["hostile", "hostile"],
  ["test:mutation", "mutants"],
  ["test:simulation", "simulation"],
  ["test:soak", "soak"],
])("prints usage for npm run %s with --help", async (command, name) => {
  expect(await tool(name, "--help")).toEqual({
    exitCode: 0,
    output: expect.stringMatching(`^npm run ${command} -- \\[`),
  });
});

// A tool that interprets an invalid number as zero would test nothing and report success.
test.each([
  ["chaos", "--rounds=ten"],
  ["fuzz", "--requests="],
  ["hostile", "--seconds=-1"],
  ["simulation", "--lives=0"],
  ["soak", "--minutes=3m"],
])("rejects %s with the argument %s, and runs nothing", async (name, argument) => {
  const [option, text] = argument.split("=");
  expect(await tool(name, argument)).toEqual({
    exitCode: 1,
    output: `${option} takes a number above zero, not "${text}". See --help.\n`,
  });
});
