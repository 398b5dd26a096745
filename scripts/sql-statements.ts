const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|\w+|[\s\S]/g;

interface Dialect {
  readonly isBegin: (word: string) => boolean;
  /** Whether the `END` of a `CASE` doesn't end a trigger. */
  readonly countsCases: boolean;
}

const SQLITE: Dialect = { isBegin: (word) => word.toUpperCase() === "BEGIN", countsCases: true };

const newStatement = () => ({ text: "", words: [] as string[], parentheses: 0, isBody: false, cases: 0 });
type Statement = ReturnType<typeof newStatement>;

/**
 * Splits SQL into its statements as SQLite does, with comments, so that a schema is stored with the same text as by
 * `wrangler d1 migrations apply`. Triggers contain semicolons.
 */
export function splitStatements(sql: string, dialect = SQLITE): readonly string[] {
  const statements: Statement[] = [newStatement()];
  for (const [token] of sql.matchAll(TOKEN)) {
    const statement = statements.at(-1) ?? newStatement();
    if (token === ";" && !statement.isBody) {
      statements.push(newStatement());
      continue;
    }
    statement.text += token;
    if (token === "(") statement.parentheses += 1;
    else if (token === ")") statement.parentheses -= 1;
    else if (/^\w+$/.test(token)) addWord(statement, token, dialect);
  }
  return statements.filter(({ words }) => words.length > 0).map(({ text }) => text.trim());
}

function addWord(statement: Statement, word: string, { isBegin, countsCases }: Dialect): void {
  const { words } = statement;
  words.push(word.toUpperCase());
  const isTrigger = words[0] === "CREATE" && words.slice(1, 4).includes("TRIGGER");
  if (isTrigger && isBegin(word)) statement.isBody = true;
  if (!statement.isBody || statement.parentheses > 0) return;
  if (countsCases && words.at(-1) === "CASE") statement.cases += 1;
  if (words.at(-1) !== "END") return;
  if (statement.cases > 0) statement.cases -= 1;
  else statement.isBody = false;
}
