import { type Command, wrangler, wranglerForPrinter } from "../processes.ts";
import { type Config, readConfig, readPrinterConfig, toOfficeEnvironment } from "../wrangler-toml.ts";

/** One of the three Workers of an environment (docs/decisions/0026-office-worker.md). */
export interface DeployedWorker {
  readonly role: "printer" | "office" | "front";
  readonly name: string;
  /** Of its configuration. */
  readonly environment: string;
  /** wrangler for this Worker: the arguments are the command's alone. */
  readonly wrangler: (...args: readonly string[]) => Command;
}

export interface Configured {
  readonly environment: string;
  readonly front: Config;
  readonly office: Config;
  readonly printer: Config;
}

/** What is configured of an environment; throws where there is none of that name. */
export function readConfigured(environment: string): Configured {
  return {
    environment,
    front: readConfig(environment),
    office: readConfig(toOfficeEnvironment(environment)),
    printer: readPrinterConfig(environment),
  };
}

/** Where a deployment answers: at an address that is said, else at its domain. */
export function getDeploymentUrl({ front }: Configured, inputUrl: string | undefined): string {
  return inputUrl ?? `https://${front.vars["BASE_DOMAIN"]}`;
}

/** The Workers in the order in which they are deployed: none is bound to one that is not there. */
export function listWorkers({ environment, ...configs }: Configured): readonly DeployedWorker[] {
  const workers = [
    { role: "printer", program: wranglerForPrinter, environment },
    { role: "office", program: wrangler, environment: toOfficeEnvironment(environment) },
    { role: "front", program: wrangler, environment },
  ] as const;
  return workers.map(({ program, ...worker }) => ({
    ...worker,
    name: configs[worker.role].name ?? "",
    wrangler: (...args) => program(...args, "--env", worker.environment),
  }));
}
