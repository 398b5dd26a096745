import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { findAccount } from "./accounts/directory.ts";
import { type DeploymentTarget, parseTarget } from "./accounts/target.ts";
import { reportFailure } from "./steps.ts";
import type { ConfiguredAccount } from "./wrangler-toml.ts";

interface CommandLineTexts {
  /** Maximum number of positional arguments. Unlimited if not set. */
  readonly most?: number;
  /** Usage text. Defaults to the comment at the top of the script. */
  readonly usage?: string;
}

/**
 * Parses the command line: text options, flags and positional arguments. Always includes `--remote` and `--env`, which
 * select the target.
 */
export function readCommandLine<const Text extends string = never, const Flag extends string = never>(
  texts: readonly Text[] = [],
  flags: readonly Flag[] = [],
  { most = Number.POSITIVE_INFINITY, usage }: CommandLineTexts = {},
) {
  const options = Object.fromEntries([
    ...["env", ...texts].map((name) => [name, { type: "string" }] as const),
    ...["remote", ...flags].map((name) => [name, { type: "boolean" }] as const),
  ]);
  const { values: optionValues, positionals } = readOptions({ allowPositionals: true, options }, usage);
  const surplus = positionals[most];
  if (surplus !== undefined) leave(new Error(`"${surplus}" is a word too many; a text with blanks goes in quotes.`));
  const values = optionValues as { readonly [Name in Text | "env"]?: string } & {
    readonly [Name in Flag | "remote"]?: true;
  };
  return { values, positionals, target: parseTarget(values) };
}

/** Parses a command's own options. Unknown options exit with an error, `--help` with the usage. */
export function readOptions<const Config extends ParseArgsConfig>(config: Config, usage = readScriptDocstring()) {
  if (process.argv.slice(2).some((text) => text === "--help" || text === "-h")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return leave(error);
  }
}

/** Parses a numeric option. Exits with an error if it's invalid, so that nothing runs with NaN. */
export function readNumber(option: string, optionValues: string): number {
  const number = optionValues.trim() === "" ? Number.NaN : Number(optionValues);
  return number > 0 ? number : leave(new Error(`--${option} takes a number above zero, not "${optionValues}".`));
}

function leave(error: unknown): never {
  // Print only the first sentence of Node's error. The others explain arguments that start with a hyphen.
  const [sentence] = error instanceof Error ? error.message.split(". To specify") : [String(error)];
  reportFailure(new Error(`${sentence}${sentence?.endsWith(".") ? "" : "."} See --help.`));
  process.exit();
}

/** Returns the usage comment at the top of the running script. */
function readScriptDocstring(): string {
  const lines = readFileSync(process.argv[1] ?? "", "utf8").split("\n");
  const head = lines.slice(
    Math.max(
      0,
      lines.findIndex((line) => line.startsWith("// npm run ")),
    ),
  );
  const end = head.findIndex((line) => !line.startsWith("//"));
  return head
    .slice(0, end)
    .map((line) => line.replace(/^\/\/ ?/, ""))
    .join("\n");
}

/** Returns an account of a target by name. Otherwise throws with the usage. */
export function requireNamedAccount(name: string, target: DeploymentTarget, usage = ""): ConfiguredAccount {
  const account = findAccount(name, target);
  if (!account) throw new Error(`wrangler.toml binds no account "${name}".${usage && `\n\n${usage}`}`);
  return account;
}
