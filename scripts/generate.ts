import { PROJECT_ROOT, runCommand } from "./processes.ts";

/** Commands that generate files, which the gate compares with their source. */
const generators = ["triggers", "import-rules", "types", "breached-passwords", "openapi", "conformance"];

for (const generator of generators) {
  const { exitCode } = await runCommand(process.execPath, [`${PROJECT_ROOT}/scripts/${generator}.ts`]);
  process.exitCode ||= exitCode;
}
