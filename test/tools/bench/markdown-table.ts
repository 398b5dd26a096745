/** Formats a row of a Markdown table. */
export function formatRow(...cells: readonly (string | number)[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Formats a Markdown table for docs/benchmarks.md. */
export function formatTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [formatRow(...head), formatRow(...head.map(() => "---")), ...rows.map((row) => formatRow(...row))].join("\n");
}
