import { type ParseArgsConfig, parseArgs } from "node:util";
import { type Target, targetOf } from "./accounts/target.ts";
import { reportFailure } from "./steps.ts";
import { type Account, readAccounts } from "./wrangler-toml.ts";

/**
 * What is said to a command: options with a text, options that are said or not, and the rest; `--remote` and `--env`
 * everywhere, which say whose accounts are meant.
 */
export function readCommandLine<const Text extends string = never, const Flag extends string = never>(
  texts: readonly Text[] = [],
  flags: readonly Flag[] = [],
) {
  const options = Object.fromEntries([
    ...["env", ...texts].map((name) => [name, { type: "string" }] as const),
    ...["remote", ...flags].map((name) => [name, { type: "boolean" }] as const),
  ]);
  const { values: said, positionals } = readOptions({ allowPositionals: true, options });
  const values = said as { readonly [Name in Text | "env"]?: string } & { readonly [Name in Flag | "remote"]?: true };
  return { values, positionals, target: targetOf(values) };
}

/** What is said to a command by options of its own; one that it does not know ends it with a sentence. */
export function readOptions<const Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config);
  } catch (error) {
    reportFailure(error);
    return process.exit();
  }
}

/** An account of a target by its name, which must be there; else says so, and how the command is used. */
export function accountNamed(name: string, { environment }: Target, usage = ""): Account {
  const account = readAccounts(environment).find((one) => one.name === name);
  if (!account) throw new Error(`wrangler.toml binds no account "${name}".${usage && `\n\n${usage}`}`);
  return account;
}
