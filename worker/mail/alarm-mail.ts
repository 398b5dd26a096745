import type { AccountAlert, AlertType } from "#domain/operations/alarms.ts";
import { escapeHtml } from "./escape-html.ts";
import { mailHtml } from "./mail-html.ts";
import type { WrittenMail } from "./written-mail.ts";

const SENTENCES: Readonly<Record<AlertType, (value: number) => string>> = {
  unreachable: () => "its database does not answer",
  no_settings: () => "it has no settings and cannot be served",
  sealed_elsewhere: () => "its secrets are sealed with another MASTER_KEY: its partners and gateways are refused",
  backup_late: (hours) => `the last whole backup is ${hours} hours old`,
  backup_failed: (hours) => `the last backup or drill failed; the last whole backup is ${hours} hours old`,
  drill_late: (days) => `no backup was examined for ${days} days`,
  nearly_full: (percent) => `its database is ${percent} % full`,
  mails_unsent: (minutes) => `a mail has waited for ${minutes} minutes`,
  tax_records_unsent: (minutes) => `a record for the tax agency has waited for ${minutes} minutes`,
  jobs_failed: (count) => `${count} kinds of its work failed in every attempt`,
  errors: (percent) => `${percent} % of the requests of the last minutes failed`,
  slow: (milliseconds) => `of twenty requests of the last minutes one took ${milliseconds} ms or more`,
};

/** Formats an alert as one line with its account, kind and description. */
export function alarmLine({ account, kind, value }: AccountAlert): string {
  return `${account} · ${kind} · ${SENTENCES[kind](value)}`;
}

/**
 * Writes the mail to a deployment's operator, in English like all operations texts. `domain` identifies the deployment.
 */
export function writeAlarmMail(
  domain: string,
  { begun, over }: { readonly begun: readonly AccountAlert[]; readonly over: readonly AccountAlert[] },
): WrittenMail {
  const subject =
    begun.length > 0
      ? `${domain}: ${begun.length === 1 ? "an alarm" : `${begun.length} alarms`} (${[...new Set(begun.map(({ kind }) => kind))].join(", ")})`
      : `${domain}: ${over.length === 1 ? "an alarm is" : `${over.length} alarms are`} over`;
  const lines = [
    ...begun.map((alarm) => `New: ${alarmLine(alarm)}`),
    ...over.map(({ account, kind }) => `Over: ${account} · ${kind}`),
    "Runbook: docs/runbook.md",
  ];
  const html = mailHtml("en", lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("\n"));
  return { subject, text: lines.join("\n\n"), html };
}
