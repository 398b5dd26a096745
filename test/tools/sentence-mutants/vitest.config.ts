import { defineConfig } from "vitest/config";
import type { BrokenSentence } from "./sentences.ts";

/** Name of the variable with the change of one source file. */
const CHANGE = "CHANGED_SOURCE";

const { file, from, to } = JSON.parse(process.env[CHANGE] ?? "{}") as Partial<BrokenSentence>;

// Tests in Node with one changed source file. The file itself stays as it is.
export default defineConfig({
  plugins: [
    {
      name: "changed-source",
      enforce: "pre",
      transform: (code, id) =>
        file !== undefined && from !== undefined && id.endsWith(file) ? code.replace(from, () => to ?? "") : undefined,
    },
  ],
  test: { include: ["test/{domain,auth,gateways}/**/*.test.ts"] },
});
