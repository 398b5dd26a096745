/**
 * Counts packages with high or critical vulnerabilities in the output of `npm audit --json`. Undefined if the output
 * has no counts, for example without network.
 */
export function countSevereVulnerabilities(output: string): number | undefined {
  const start = output.indexOf("{");
  if (start < 0) return undefined;
  try {
    const auditReport = JSON.parse(output.slice(start, output.lastIndexOf("}") + 1)) as {
      readonly metadata?: { readonly vulnerabilities?: { readonly high?: number; readonly critical?: number } };
    };
    const known = auditReport.metadata?.vulnerabilities;
    return known && (known.high ?? 0) + (known.critical ?? 0);
  } catch {
    return undefined;
  }
}
