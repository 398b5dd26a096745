import { projectRoot, run } from "./processes.ts";

/** The commands that write files which the gate then holds against their source. */
const generators = ["triggers", "types", "breached-passwords", "openapi"];

for (const generator of generators) {
  const { exitCode } = await run(process.execPath, [`${projectRoot}/scripts/${generator}.ts`]);
  process.exitCode ||= exitCode;
}
