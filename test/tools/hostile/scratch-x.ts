// @ts-nocheck
import { createSheetWorkbook } from "#support/workbook.ts";
import { FileBudget } from "#worker/imports/file-budget.ts";
import { openFileInSlices } from "#worker/imports/open-file.ts";
import { zipSync } from "fflate";
const N = 29_000_000;
const cases = {
  "spaces in tag": `<sst><si${" ".repeat(N)}><t>a</t></si></sst>`,
  "spaces in tag, no end": `<sst><si${" ".repeat(N)}<t>a</t></si></sst>`,
  "spaces after name": `<sst><si a${" ".repeat(N)}><t>a</t></si></sst>`,
  "spaces after =": `<sst><si a=${" ".repeat(N)}><t>a</t></si></sst>`,
  "long attribute": `<sst><si a="${" ".repeat(N)}"><t>a</t></si></sst>`,
  "long attribute open": `<sst><si a="${" ".repeat(N)}`,
  "long name": `<sst><${"a".repeat(N)}`,
  "long name2": `<sst><si ${"a".repeat(N)}><t/></si></sst>`,
  "many attributes": `<sst><si ${"a='1' ".repeat(N / 6)}><t/></si></sst>`,
  "many attributes, no end": `<sst><si ${"a='1' ".repeat(N / 6)}`,
  "comment": `<sst><!--${"-".repeat(N)}--></sst>`,
  "comment open": `<sst><!--${"-".repeat(N)}</sst>`,
  "pi": `<sst><?${"?".repeat(N)}?></sst>`,
  "cdata": `<sst><![CDATA[${"]".repeat(N)}]]></sst>`,
  "text": `<sst><si><t>${"a".repeat(N)}</t></si></sst>`,
  "text parts": `<sst><si><t>${`${"a".repeat(1000)}<!---->`.repeat(N / 1007)}</t></si></sst>`,
  "entities": `<sst><si><t>${"&amp;".repeat(59_000)}</t></si></sst>`,
  "ampersands": `<sst><si><t>${"&".repeat(299_000)}</t></si></sst>`,
  "hash": `<sst><si><t>${"&#".repeat(149_000)}</t></si></sst>`,
  "hash digits": `<sst><si><t>&#${"9".repeat(290_000)};</t></si></sst>`,
  "close spaces": `<sst></sst${" ".repeat(N)}`,
  "bom": "\uFEFF".repeat(N / 3),
  "lt": "<".repeat(N),
  "escapes": `<sst><si><t>${"_x".repeat(149_000)}</t></si></sst>`,
};
for (const [name, text] of Object.entries(cases)) {
  const bytes = createSheetWorkbook('<row r="1"><c r="A1" t="s"><v>0</v></c></row>', { parts: { "xl/sharedStrings.xml": text } });
  let longest = 0; let n = 0; let result;
  const all = performance.now();
  const s = openFileInSlices("customers.xlsx", new Uint8Array(bytes), {}, new FileBudget());
  for (;;) { const a = performance.now(); let r; try { r = s.next(); } catch (e) { result = String(e); break; } longest = Math.max(longest, performance.now() - a); n++; if (r.done) { result = JSON.stringify(r.value).slice(0, 80); break; } }
  console.log(name.padEnd(26), bytes.length, "longest", longest.toFixed(0), "total", (performance.now() - all).toFixed(0), "slices", n, result);
}
