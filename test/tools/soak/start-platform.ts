import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { PROJECT_ROOT, runAtProcessEnd } from "#scripts/processes.ts";
import { findFreePort } from "#support/free-port.ts";

/** The process of `npm start` with cron, log and inspector. */
export interface StartedPlatform {
  readonly port: number;
  readonly inspectorPort: number;
  /** Number of printed lines. */
  readonly lines: () => number;
  readonly end: () => Promise<void>;
}

/** Starts the platform on a state folder like `npm start`. Resolves once it serves. */
export async function startPlatform(stateDir: string): Promise<StartedPlatform> {
  const [port, inspectorPort] = [await findFreePort(), await findFreePort()];
  const env = {
    ...process.env,
    STATE_DIR: stateDir,
    PORT: String(port),
    INSPECTOR_PORT: String(inspectorPort),
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
  };
  const script = `${PROJECT_ROOT}/scripts/start.ts`;
  const child = spawn(process.execPath, [script], { cwd: PROJECT_ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const end = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  const unregisterProcess = runAtProcessEnd(end);
  const printed: string[] = [];
  let lines = 0;
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      lines += 1;
      if (lines < 50) printed.push(line);
      if (line.startsWith("Ready at ")) resolve();
      // Show logged defects and drop request lines.
      if (line.startsWith('{"level":"error"')) console.log(line.slice(0, 300));
    });
    child.once("exit", (code) => reject(new Error(`it ended with ${code} before it served:\n${printed.join("\n")}`)));
  });
  return {
    port,
    inspectorPort,
    lines: () => lines,
    end: async () => {
      unregisterProcess();
      await end();
    },
  };
}
