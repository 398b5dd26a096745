import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { parseTarget, type Target } from "./accounts/target.ts";
import { reportFailure } from "./steps.ts";
import { type Account, readAccounts } from "./wrangler-toml.ts";

interface CommandLineTexts {
  /** How many words a command takes beside its options; as many as there are where this is missing. */
  readonly most?: number;
  /** How it is used; the comment at the head of its script where this is missing. */
  readonly usage?: string;
}

/**
 * What is said to a command: options with a text, options that are said or not, and the rest; `--remote` and `--env`
 * everywhere, which say whose accounts are meant.
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

/**
 * What is said to a command by options of its own; one that it does not know ends it with a sentence, `--help` with how
 * it is used.
 */
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

/** A number that was said to a command; another text ends it with a sentence, so that nothing is run for no time. */
export function readNumber(option: string, optionValues: string): number {
  const number = optionValues.trim() === "" ? Number.NaN : Number(optionValues);
  return number > 0 ? number : leave(new Error(`--${option} takes a number above zero, not "${optionValues}".`));
}

function leave(error: unknown): never {
  // What Node says beyond its first sentence is of words that begin with a hyphen.
  const [sentence] = error instanceof Error ? error.message.split(". To specify") : [String(error)];
  reportFailure(new Error(`${sentence}${sentence?.endsWith(".") ? "" : "."} With --help it says how it is used.`));
  process.exit();
}

/** The comment with which the running script says how it is called. */
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

/** An account of a target by its name, which must be there; else says so, and how the command is used. */
export function accountNamed(name: string, { environment }: Target, usage = ""): Account {
  const account = readAccounts(environment).find((account) => account.name === name);
  if (!account) throw new Error(`wrangler.toml binds no account "${name}".${usage && `\n\n${usage}`}`);
  return account;
}
