import type { AccountName } from "#tools/platform/client.ts";
import type { ChaosWriter, WriterContext } from "./context.ts";
import { sendToOffice, sendWithIdempotencyKey } from "./office-requests.ts";
import { type RowCountQuery, recordExpectation } from "./record-expectations.ts";

const ROWS = 3;
/** Returns one row for a complete import with its record, none without both, and two if incomplete. */
const IMPORT_COMPLETE_SQL = `SELECT 1 FROM json_each((SELECT CASE json_array(
    (SELECT count(*) FROM customers WHERE document_id LIKE ?1 || '-%'),
    (SELECT count(*) FROM imports WHERE undone_at IS NULL AND instr(files, ?1 || '.csv') > 0))
  WHEN '[0,0]' THEN '[]' WHEN '[${ROWS},1]' THEN '[1]' ELSE '[1,2]' END))`;

/**
 * Creates an administrator who imports customers of another system: checks, imports and sometimes undoes. Invalid files
 * import nothing.
 */
export function createImportWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const unique = `CHAOS${context.random.hex(8).toUpperCase()}`;
    const completeImportQuery = { account, sql: IMPORT_COMPLETE_SQL, values: [unique] };
    const isWrong = context.random.chance(0.2);
    const body = buildImportBody(unique, isWrong);
    const checkCall = { account, method: "POST", path: "/imports/check" };
    const checked = await sendToOffice(context, checkCall, body, [409]);
    // Its own earlier request, after a lost response, is still running.
    if (!checked) return;
    if (isWrong !== checked.problem_count > 0) throw new Error(`import ${unique}: ${JSON.stringify(checked.problems)}`);
    const write = { account, method: "POST", path: "/imports", body, kind: "imports" } as const;
    const imported = await recordExpectation(
      context,
      `import ${unique}`,
      { ...completeImportQuery, before: 0, after: 1 },
      () => sendWithIdempotencyKey(context, write),
    );
    if (imported && context.random.chance(0.6)) await undo(context, completeImportQuery, { unique, id: imported.id });
  };
}

// The first file uses another system's terms and requires a mapping, the second uses the office's.
function buildImportBody(unique: string, isWrong: boolean) {
  const birth = isWrong ? "1980-02-31" : "1980-02-28";
  const customerRows = Array.from({ length: ROWS }, (_, row) => `Ida,Imported ${row},${unique}-${row},${birth}`);
  const content = ["Wer,surname,document_id,date_of_birth", ...customerRows].join("\n");
  return {
    files: [{ name: `${unique}.csv`, content: Buffer.from(content).toString("base64") }],
    mapping: { files: { [`${unique}.csv`]: "customers" }, columns: { customers: { Wer: "name" } } },
  };
}

// Another import may be the latest one now.
async function undo(
  context: WriterContext,
  completeImportQuery: RowCountQuery,
  { unique, id }: { readonly unique: string; readonly id: number },
): Promise<void> {
  const write = {
    account: completeImportQuery.account,
    method: "POST",
    path: `/imports/${id}/undo`,
    kind: "imports",
  } as const;
  await recordExpectation(context, `import ${unique}`, { ...completeImportQuery, before: 1, after: 0 }, () =>
    sendWithIdempotencyKey(context, { ...write, id: String(id) }),
  );
}
