import { unstable_readConfig } from "wrangler";
import { officeEnvironmentOf } from "../accounts/wrangler-config.ts";
import { readConfig } from "../local-runtime.ts";
import { PRINTER_CONFIG, wrangler, wranglerForPrinter } from "../processes.ts";

/** One of the three Workers of an environment (docs/decisions/0026-office-worker.md). */
export interface DeployedWorker {
  readonly role: "printer" | "office" | "front";
  readonly name: string;
  /** wrangler for this Worker: the arguments are the command's alone. */
  readonly wrangler: (...args: readonly string[]) => readonly [command: string, args: readonly string[]];
}

/** As much of a Worker's configuration as a deployment is checked by; wrangler does not publish the type. */
export interface Config {
  readonly name?: string;
  readonly vars: Readonly<Record<string, unknown>>;
  readonly routes?: readonly (string | { readonly pattern: string })[];
  readonly triggers: { readonly crons?: readonly string[] };
  readonly d1_databases: readonly {
    readonly binding: string;
    readonly database_id?: string;
    readonly database_name?: string;
  }[];
  readonly r2_buckets: readonly { readonly binding: string; readonly bucket_name?: string }[];
  readonly services?: readonly { readonly binding: string; readonly service: string }[];
  readonly send_email: readonly { readonly name: string }[];
  readonly ratelimits: readonly { readonly name: string }[];
  readonly analytics_engine_datasets: readonly { readonly binding: string }[];
  readonly durable_objects: { readonly bindings: readonly { readonly name: string }[] };
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
    office: readConfig(officeEnvironmentOf(environment)),
    printer: unstable_readConfig({ config: PRINTER_CONFIG, env: environment }, { hideWarnings: true }),
  };
}

/** The Workers in the order in which they are deployed: none is bound to one that is not there. */
export function workersOf({ environment, front, office, printer }: Configured): readonly DeployedWorker[] {
  const of =
    (env: string) =>
    (...args: readonly string[]) =>
      wrangler(...args, "--env", env);
  return [
    {
      role: "printer",
      name: printer.name ?? "",
      wrangler: (...args) => wranglerForPrinter(...args, "--env", environment),
    },
    { role: "office", name: office.name ?? "", wrangler: of(officeEnvironmentOf(environment)) },
    { role: "front", name: front.name ?? "", wrangler: of(environment) },
  ];
}
