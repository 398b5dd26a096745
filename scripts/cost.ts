import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readOptions } from "./command-line.ts";
import { parseRowsReadByOperation, replaceCostTable } from "./cost/table.ts";
import { writeAtomically } from "./files.ts";
import { PROJECT_ROOT } from "./processes.ts";
import { reportFailure } from "./steps.ts";

// npm run cost writes the table of cost in docs/production.md from the rows measured in docs/benchmarks.md

readOptions({ options: {} });

try {
  const page = join(PROJECT_ROOT, "docs/production.md");
  const rows = parseRowsReadByOperation(await readFile(join(PROJECT_ROOT, "docs/benchmarks.md"), "utf8"));
  await writeAtomically(page, replaceCostTable(await readFile(page, "utf8"), rows));
  console.log("Wrote the table of cost in docs/production.md.");
} catch (error) {
  reportFailure(error);
}
