import { projectRoot, run } from "./processes.ts";

/** Commands that generate files, which the gate compares with their source. */
const generators = ["triggers", "import-rules", "types", "breached-passwords", "openapi", "conformance"];

for (const generator of generators) {
  const { exitCode } = await run(process.execPath, [`${projectRoot}/scripts/${generator}.ts`]);
  process.exitCode ||= exitCode;
}
