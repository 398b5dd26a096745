import { JURISDICTIONS, type Jurisdiction } from "#worker/tenancy/bindings.ts";
import { describeBucket, findBucketForJurisdiction } from "../deployment/configuration.ts";
import { readAccounts, readWranglerConfig, toOfficeEnvironment } from "../wrangler-toml.ts";
import { usesDirectory } from "./directory.ts";
import type { DeploymentTarget } from "./target.ts";

/** Where Cloudflare stores a company's data. Fixed once its database is created. */
export interface DataLocation {
  readonly jurisdiction: Jurisdiction | undefined;
  /** Hint for the database's location within no jurisdiction. */
  readonly location: string | undefined;
}

interface TypedPlace {
  readonly account: string;
  readonly jurisdiction: string;
  readonly location: string;
}

/** Location hints of `wrangler d1 create`. */
const LOCATIONS = ["weur", "eeur", "apac", "oc", "wnam", "enam"];
/** Choice of no jurisdiction, also if the deployment has a default. */
export const NO_JURISDICTION = "none";

/** Returns the jurisdiction of a text. Undefined if the text names none. */
export const findJurisdiction = (text: string) => JURISDICTIONS.find((jurisdiction) => jurisdiction === text);

/** Returns the chosen place. An empty choice is the deployment's default, `DATA_JURISDICTION` and `DATA_LOCATION`. */
export function chooseDataLocation(
  { jurisdiction, location }: Omit<TypedPlace, "account">,
  target: DeploymentTarget,
): DataLocation {
  if (!target.isRemote) return { jurisdiction: undefined, location: undefined };
  const { DATA_JURISDICTION = "", DATA_LOCATION = "" } = readWranglerConfig(target.environment).vars;
  const chosen = findJurisdiction(jurisdiction || (location ? "" : String(DATA_JURISDICTION)));
  // Cloudflare ignores the location of a database in a jurisdiction.
  return { jurisdiction: chosen, location: chosen ? undefined : location || String(DATA_LOCATION) || undefined };
}

/** Validates the requested location of a company's data. Each error names its option. */
export function* findDataLocationProblems(place: TypedPlace, target: DeploymentTarget): Generator<string> {
  const { jurisdiction, location } = place;
  if (jurisdiction !== "" && jurisdiction !== NO_JURISDICTION && !findJurisdiction(jurisdiction))
    yield `--jurisdiction must be one of ${[...JURISDICTIONS, NO_JURISDICTION].join(", ")}`;
  if (location !== "" && !LOCATIONS.includes(location)) yield `--location must be one of ${LOCATIONS.join(", ")}`;
  if (findJurisdiction(jurisdiction) && location !== "")
    yield "--location has no effect in a jurisdiction: choose one of the two";
  if (!target.isRemote) {
    if (jurisdiction !== "" || location !== "") yield "--jurisdiction and --location are for --remote";
    return;
  }
  if (usesDirectory(target) && location !== "" && place.account !== "")
    yield "--location is that of the spare databases: npm run cells -- spare has this option";
  yield* findConfiguredProblems(place, target);
}

function* findConfiguredProblems(place: TypedPlace, target: DeploymentTarget): Generator<string> {
  const { environment } = target;
  const chosen = chooseDataLocation(place, target).jurisdiction;
  const existing = readAccounts(environment).find(({ name }) => name === place.account);
  if (existing && place.jurisdiction !== "" && existing.jurisdiction !== chosen)
    yield `--jurisdiction: ${place.account} is in ${existing.jurisdiction ?? "none"}, and a database can't move`;
  if (existing || chosen === undefined || environment === undefined) return;
  const office = toOfficeEnvironment(environment);
  for (const [env, name] of [[environment, "FILES"] as const, [office, "FILES"] as const, [office, "BACKUPS"] as const])
    if (!findBucketForJurisdiction(readWranglerConfig(env), name, chosen))
      yield `--jurisdiction ${chosen}: add ${describeBucket(env, name, chosen)}`;
}
