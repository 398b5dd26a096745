import { basename, join } from "node:path";
import {
  createPrinterWranglerCommand,
  createWranglerCommand,
  PROJECT_ROOT,
  type ProgramCommand,
  toWranglerCommand,
} from "../processes.ts";
import {
  getConfigPath,
  readPrinterConfig,
  readWranglerConfig,
  toOfficeEnvironment,
  type WranglerConfig,
} from "../wrangler-toml.ts";
import { listCellConfigs } from "./cell-rollout.ts";

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
  /** Configuration file of front and office. Undefined for that of this command. */
  readonly path?: string | undefined;
}

/** Reads the configuration of an environment. Throws if it doesn't exist. */
export function readDeploymentConfig(environment: string, path?: string): DeploymentConfig {
  return {
    environment,
    front: readWranglerConfig(environment, path),
    office: readWranglerConfig(toOfficeEnvironment(environment), path),
    printer: readPrinterConfig(environment),
    path,
  };
}

/** Returns the specified URL or the deployment's domain. */
export function getDeploymentUrl({ front }: DeploymentConfig, inputUrl: string | undefined): string {
  return inputUrl ?? `https://${front.vars["BASE_DOMAIN"]}`;
}

/** Lists the Workers in deployment order, so that bindings always refer to existing ones. */
export function listWorkers({ environment, path, ...configs }: DeploymentConfig): readonly DeployedWorker[] {
  const ownProgram =
    path === undefined
      ? createWranglerCommand
      : (...args: readonly string[]) => toWranglerCommand([...args, "--config", path]);
  const workers = [
    { role: "printer", program: createPrinterWranglerCommand, environment },
    { role: "office", program: ownProgram, environment: toOfficeEnvironment(environment) },
    { role: "front", program: ownProgram, environment },
  ] as const;
  return workers.map(({ program, ...worker }) => ({
    ...worker,
    name: configs[worker.role].name ?? "",
    wrangler: (...args) => program(...args, "--env", worker.environment),
  }));
}

/**
 * Lists the Workers with the master key: front and office of all cells, because companies move between cells. The
 * printer decrypts nothing.
 */
export function listDecryptingWorkers(
  environment: string,
  folder = PROJECT_ROOT,
  ownConfig = getConfigPath(),
): readonly DeployedWorker[] {
  const configs = listCellConfigs(folder);
  const hasCells = configs.length > 1 && configs.includes(basename(ownConfig));
  const paths = hasCells ? configs.map((file) => join(folder, file)) : [undefined];
  return paths
    .flatMap((path) => listWorkers(readDeploymentConfig(environment, path)))
    .filter(({ role }) => role !== "printer");
}
