import type { AccountAlert, AlertType } from "#domain/operations/alarms.ts";
import { escapeHtml } from "./escape-html.ts";
import { renderMailHtml } from "./mail-html.ts";
import type { WrittenMail } from "./written-mail.ts";

const SENTENCES: Readonly<Record<AlertType, (value: number) => string>> = {
  unreachable: () => "the database doesn't respond",
  no_settings: () => "no settings found; the account is unavailable",
  sealed_elsewhere: () => "secrets are encrypted with a different MASTER_KEY; partner and gateway requests fail",
  backup_late: (hours) => `last full backup: ${hours} h ago`,
  backup_failed: (hours) => `last backup or backup check failed; last full backup: ${hours} h ago`,
  drill_late: (days) => `no backup verified for ${days} days`,
  nearly_full: (percent) => `database ${percent} % full`,
  mails_unsent: (minutes) => `emails queued for ${minutes} min`,
  tax_records_unsent: (minutes) => `tax records queued for ${minutes} min`,
  jobs_failed: (count) => `scheduled jobs that failed in every attempt: ${count}`,
  errors: (percent) => `error rate of the last minutes: ${percent} %`,
  slow: (milliseconds) => `p95 latency of the last minutes: ${milliseconds} ms`,
};

/** Formats an alert as one line with its account, kind and description. */
export function formatAlertLine({ account, kind, value }: AccountAlert): string {
  return `${account} · ${kind} · ${SENTENCES[kind](value)}`;
}

/**
 * Writes the mail to a deployment's operator, in English like all operations texts. `domain` identifies the deployment.
 */
export function writeAlertMail(
  domain: string,
  { begun, over }: { readonly begun: readonly AccountAlert[]; readonly over: readonly AccountAlert[] },
): WrittenMail {
  const subject =
    begun.length > 0
      ? `${domain}: ${begun.length === 1 ? "an alert" : `${begun.length} alerts`} (${[...new Set(begun.map(({ kind }) => kind))].join(", ")})`
      : `${domain}: ${over.length === 1 ? "an alert" : `${over.length} alerts`} resolved`;
  const lines = [
    ...begun.map((alarm) => `New: ${formatAlertLine(alarm)}`),
    ...over.map(({ account, kind }) => `Resolved: ${account} · ${kind}`),
    "Runbook: docs/runbook.md",
  ];
  const html = renderMailHtml("en", lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("\n"));
  return { subject, text: lines.join("\n\n"), html };
}
