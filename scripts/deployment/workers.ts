import { createPrinterWranglerCommand, createWranglerCommand, type ProgramCommand } from "../processes.ts";
import { readPrinterConfig, readWranglerConfig, toOfficeEnvironment, type WranglerConfig } from "../wrangler-toml.ts";

/** One of the three Workers of an environment (decision 0026). */
export interface DeployedWorker {
  readonly role: "printer" | "office" | "front";
  readonly name: string;
  /** Name of the environment in the Worker's configuration. */
  readonly environment: string;
  /** Creates a wrangler command for this Worker. */
  readonly wrangler: (...args: readonly string[]) => ProgramCommand;
}

/** Configurations of the Workers that an environment deploys. */
export interface DeploymentConfig {
  readonly environment: string;
  readonly front: WranglerConfig;
  readonly office: WranglerConfig;
  readonly printer: WranglerConfig;
}

/** Reads the configuration of an environment. Throws if it doesn't exist. */
export function readDeploymentConfig(environment: string): DeploymentConfig {
  return {
    environment,
    front: readWranglerConfig(environment),
    office: readWranglerConfig(toOfficeEnvironment(environment)),
    printer: readPrinterConfig(environment),
  };
}

/** Returns the specified URL or the deployment's domain. */
export function getDeploymentUrl({ front }: DeploymentConfig, inputUrl: string | undefined): string {
  return inputUrl ?? `https://${front.vars["BASE_DOMAIN"]}`;
}

/** Lists the Workers in deployment order, so that bindings always refer to existing ones. */
export function listWorkers({ environment, ...configs }: DeploymentConfig): readonly DeployedWorker[] {
  const workers = [
    { role: "printer", program: createPrinterWranglerCommand, environment },
    { role: "office", program: createWranglerCommand, environment: toOfficeEnvironment(environment) },
    { role: "front", program: createWranglerCommand, environment },
  ] as const;
  return workers.map(({ program, ...worker }) => ({
    ...worker,
    name: configs[worker.role].name ?? "",
    wrangler: (...args) => program(...args, "--env", worker.environment),
  }));
}
