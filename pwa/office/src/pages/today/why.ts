// What the server says of an item, and what of it is told in the person's language.
const WHY: Readonly<Record<string, RegExp>> = {
  overdue: /since (\S+ \S+)/,
  shortage: /^(\d+) of (.+) are missing from (\S+ \S+)/,
  extra_shortage: /^(\d+) of (.+) are missing from (\S+ \S+)/,
  transfer_shortage: /^(\d+) trips have no (.*), the first from (\S+ \S+) on$/,
  no_show: / at (\S+ \S+)$/,
  unconfirmed_import: / from (\S+ \S+)$/,
  paid_unconfirmed: /^(\S+) is paid/,
  paid_too_late: /^(\S+) was paid/,
  overpaid: /^(?:its agent has kept )?(\S+) (?:is paid of (\S+)|too much)/,
  refund_due: /cancelled, (\S+) is paid and (\S+) is kept/,
  deposit_held: /over and (\S+) of its deposit/,
  refund_waiting: /^(\S+) waits for another manager to be given back: (.*)/,
  refund_at_gateway: /^(\S+) of order (\S+) is not given back: (.*)/,
  communication_late: /^its (reservation|hand-over) is not communicated/,
  communication_refused: /refused its (\S+): (.*)/,
  communication_to_annul: /^its (\S+) is at/,
  document_incomplete: /invoice of (\S+) waits: the customer lacks (.*)/,
  tax_records_unsent: /^(\d+) invoices of (\S+) are not sent to the tax agency yet(?:: (.*))?$/,
  tax_record_refused: /refused (\S+): (\S+) (.*); put it right/,
  tax_record_flawed: /took (\S+) with an error: (\S+) (.*)/,
  tax_chain_broken: /^(\d+) faults .* the first at (.*): (\S+)$/,
  reopened: /(?:)/,
  payment_mismatch: /order (\S+): (.*)/,
  suspicious_hold: /^(\d+) for (\d+) days, unpaid, of a visitor who holds (\d+)/,
  vehicle_due: /^it is due: (.*)$/,
  backup_overdue: /is (\d+) hours old/,
  drill_overdue: /for (\d+) days/,
  nearly_full: /is (\d+) %/,
  security_alert: /^([a-z_]+)(?:, (\d+) within an hour)?$/,
  webhook_failing: /^the webhook to (\S+) is not heard: (.*)$/,
  field_work_refused: /^(\S+) by (.*?): (.*?)(?:; not booked: (.*))?$/,
  field_work_held: /^(\S+) by (.*?): (.*?)(?:; not booked: (.*))?$/,
  check_in_to_review: /^(\S+) by (.*?): (.*)$/,
};

/** What an item says beside its kind, in parts; undefined where its words are not known. */
export function splitTaskReason({
  kind,
  why,
}: {
  readonly kind: string;
  readonly why: string;
}): readonly string[] | undefined {
  return WHY[kind]?.exec(why)?.slice(1);
}
