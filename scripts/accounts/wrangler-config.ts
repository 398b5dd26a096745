/** One account's database as wrangler.toml binds it. */
export interface Binding {
  readonly name: string;
  readonly databaseName: string;
  readonly databaseId: string;
  /** An environment of wrangler.toml; undefined: the one at its top. */
  readonly environment: string | undefined;
}

export const ACCOUNT_NAME = /^[a-z][a-z0-9-]{1,30}$/;

/** The name of an account's binding: `TENANT_BLUE_BOATS` for `blue-boats`. */
export function bindingName(account: string): string {
  return `TENANT_${account.toUpperCase().replaceAll("-", "_")}`;
}

/**
 * The text of wrangler.toml with one more database, for the Worker that answers and the one that works beside it;
 * everything else of it stays as it was, to the letter.
 */
export function withBinding(toml: string, binding: Binding): string {
  return workersOf(toml, binding.environment).reduce<string>(
    (text, environment) => withOneBinding(text, { ...binding, environment }),
    toml,
  );
}

function withOneBinding(toml: string, { name, databaseName, databaseId, environment }: Binding): string {
  const header = tableHeader(environment);
  const block = [
    header,
    `binding = "${bindingName(name)}"`,
    `database_name = "${databaseName}"`,
    `database_id = "${databaseId}"`,
    'migrations_dir = "migrations"',
    "",
  ].join("\n");
  const last = blocksOf(toml, environment).at(-1);
  if (last) return `${toml.slice(0, last.end)}${block}\n${toml.slice(last.end)}`;
  return `${toml.trimEnd()}\n\n${block}`;
}

/** The text of wrangler.toml without an account's database. */
export function withoutBinding(toml: string, account: string, environment: string | undefined): string {
  return workersOf(toml, environment).reduce<string>((text, one) => withoutOneBinding(text, account, one), toml);
}

function withoutOneBinding(toml: string, account: string, environment: string | undefined): string {
  const own = blocksOf(toml, environment).find(({ text }) => text.includes(`binding = "${bindingName(account)}"`));
  return own ? toml.slice(0, own.start) + toml.slice(own.end) : toml;
}

/** The environment whose Worker does what takes long for another's (`[env.production-office]`). */
export function officeEnvironmentOf(environment: string): string {
  return `${environment}-office`;
}

function workersOf(toml: string, environment: string | undefined): readonly (string | undefined)[] {
  if (environment === undefined) return [undefined];
  const work = officeEnvironmentOf(environment);
  return toml.includes(`[env.${work}]`) ? [environment, work] : [environment];
}

function tableHeader(environment: string | undefined): string {
  return environment === undefined ? "[[d1_databases]]" : `[[env.${environment}.d1_databases]]`;
}

interface Block {
  readonly start: number;
  /** Where the next table, or the comment before it, begins. */
  readonly end: number;
  readonly text: string;
}

// A block ends at the next table; a comment right before that belongs to it.
function blocksOf(toml: string, environment: string | undefined): Block[] {
  const header = tableHeader(environment);
  const blocks: Block[] = [];
  for (let start = toml.indexOf(header); start !== -1; start = toml.indexOf(header, start + 1)) {
    const after = toml.slice(start + header.length);
    const end = start + header.length + (/^(?:#.*\n)*\[/m.exec(after)?.index ?? after.length);
    blocks.push({ start, end, text: toml.slice(start, end) });
  }
  return blocks;
}
