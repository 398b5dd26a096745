import { type SQL, sql } from "drizzle-orm";
import type { AccountHealth } from "#domain/operations/alerts.ts";
import { isMonthlyInvoiceDueSql } from "#worker/store/bookings/billing.ts";
import { isHeldOperationDueSql } from "#worker/store/check-in/review.ts";
import type { Database } from "#worker/store/database.ts";
import { isMailDueSql } from "#worker/store/mails/outgoing-mails.ts";
import { isCardHoldActionDueSql } from "#worker/store/payments/card-holds.ts";
import { isGatewayRefundDueSql } from "#worker/store/payments/gateway-refunds.ts";
import {
  isPastTransferAllocationSql,
  isPaymentAbandonedSql,
  isQuoteExpiryUnrecordedSql,
  isQuoteHoldExpiredSql,
  isUnpaidHoldExpiredSql,
} from "#worker/store/payments/payments.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";
import { hasPendingWebhookDeliveriesSql } from "#worker/store/webhooks/deliveries.ts";
import { hasPendingNotificationsSql } from "./booking-mails.ts";
import { NEWEST_PARTNER_KEY_SECRET_SQL } from "./health.ts";
import { isBackupCheckDueSql, isBackupRunDueSql, isExpiredDataPurgeDueSql, isExportDueSql } from "./upkeep.ts";

/** Kinds of work due for an account. */
export interface DueJobs {
  readonly holds: boolean;
  /** Whether a rental has a completed month to invoice. */
  readonly monthlyInvoices: boolean;
  /** Whether booking events need mails. */
  readonly pendingNotifications: boolean;
  readonly mails: boolean;
  /** Whether gateway refunds, or captures and releases of card holds, are due. */
  readonly refunds: boolean;
  /** Whether webhook events or deliveries are pending. */
  readonly webhooks: boolean;
  readonly heldOperations: boolean;
  /** Whether electronic invoices of issued documents must be checked. */
  readonly eInvoiceChecks: boolean;
  /** Whether tax records may be sent now. */
  readonly taxRecords: boolean;
  /** Whether the account reports its rentals to the ministry. */
  readonly ministryReports: boolean;
  readonly backup: boolean;
  /** Whether the weekly export is incomplete. */
  readonly export: boolean;
  readonly expiredDataPurge: boolean;
  /** Whether stored files must be copied to the backup. */
  readonly fileCopies: boolean;
  /** Whether the last backup must be verified. */
  readonly backupCheck: boolean;
  /** Maintenance state of the account, for alerts. */
  readonly maintenance: Omit<AccountHealth, "isOpened"> & { readonly sealed: string | null };
}

/** Start of the night's backup period, and of the periods for deletion and verification, in epoch ms. */
export interface NightlyPeriodStarts {
  readonly backupSince: number;
  readonly purgeSince: number;
  readonly backupCheckSince: number;
}

const any = (table: string, condition: SQL | undefined) =>
  sql`EXISTS (SELECT 1 FROM ${sql.raw(table)} WHERE ${condition})`;

const dueWorkQuery = prepareQuery((db) => {
  const now = sql.placeholder("now");
  const holds = [
    any("bookings", isUnpaidHoldExpiredSql(now)),
    any("payment_intents", isPaymentAbandonedSql(now)),
    any("stock_allocations", isPastTransferAllocationSql(now)),
    any("stock_allocations", isQuoteHoldExpiredSql(now)),
    any("quotes", isQuoteExpiryUnrecordedSql(now)),
  ];
  return db
    .select({
      holds: sql<number>`${sql.join(holds, sql` OR `)}`.as("holds"),
      news: sql<number>`${hasPendingNotificationsSql(now)}`.as("news"),
      mails: sql<number>`${any("outgoing_mails", isMailDueSql(now))}`.as("mails"),
      refunds:
        sql<number>`${any("gateway_refunds", isGatewayRefundDueSql(now))} OR ${any("payment_holds", isCardHoldActionDueSql(sql`${now}`))}`.as(
          "refunds",
        ),
      webhooks: sql<number>`${hasPendingWebhookDeliveriesSql(now)}`.as("webhooks"),
      heldOperations: sql<number>`${any("check_in_operations", isHeldOperationDueSql(now))}`.as("held_operations"),
      eInvoiceChecks: sql<number>`${any("einvoice_checks", sql`check_at <= ${now}`)}`.as("einvoice_checks"),
      ministryReports: sql<number>`(SELECT ses_mode <> 'none' FROM settings WHERE id = 1)`.as("ministry_reports"),
      taxRecords: sql<number>`(SELECT EXISTS (SELECT 1 FROM tax_record_states WHERE state = 'waiting')
        AND EXISTS (SELECT 1 FROM tax_chains WHERE next_at <= ${now} AND leased_until <= ${now}))`.as("tax_records"),
      backup: sql<number>`${any("upkeep", isBackupRunDueSql(sql.placeholder("backupSince"), now))}`.as("backup"),
      export: sql<number>`${any("upkeep", isExportDueSql(now))}`.as("export"),
      photos:
        sql<number>`(EXISTS (SELECT 1 FROM check_in_files WHERE removed_at IS NULL AND uploaded_at > (SELECT photos_until FROM upkeep))
          OR EXISTS (SELECT 1 FROM customer_files WHERE created_at > (SELECT photos_until FROM upkeep))
          OR EXISTS (SELECT 1 FROM catalogue_photos WHERE created_at > (SELECT photos_until FROM upkeep)))`.as(
          "photos",
        ),
      expiredDataPurge: sql<number>`${any("upkeep", isExpiredDataPurgeDueSql(sql.placeholder("purgeSince")))}`.as(
        "expired_data_purge",
      ),
      backupCheck: sql<number>`${any("upkeep", isBackupCheckDueSql(sql.placeholder("backupCheckSince"), now))}`.as(
        "backup_check",
      ),
      keeping:
        sql<string>`(SELECT json_object('hasSettings', EXISTS (SELECT 1 FROM settings), 'backedUpAt', coalesce(backed_up_at, since),
        'backupCheckedAt', coalesce(backup_verified_at, since), 'hasFailed', backup_problem IS NOT NULL, 'sizeBytes', size_bytes,
        'sealed', ${NEWEST_PARTNER_KEY_SECRET_SQL}, 'oldestMailAt', (SELECT min(created_at) FROM outgoing_mails),
        'oldestTaxRecordAt', (SELECT min(record.generated_at) FROM tax_record_states AS state JOIN tax_records AS record ON record.id = state.record_id
          WHERE state.state = 'waiting')) FROM upkeep)`.as("keeping"),
      months: sql<number>`${isMonthlyInvoiceDueSql(sql`${now}`)}`.as("months"),
    })
    .from(catalogueVersion);
});

/** Checks all kinds in one statement, because most accounts usually have no work. */
export async function findDueJobs(db: Database, now: number, nightly: NightlyPeriodStarts): Promise<DueJobs> {
  const [[row]] = await db.batch([dueWorkQuery(db, { now, ...nightly })]);
  return {
    holds: row?.holds === 1,
    monthlyInvoices: row?.months === 1,
    pendingNotifications: row?.news === 1,
    mails: row?.mails === 1,
    refunds: row?.refunds === 1,
    webhooks: row?.webhooks === 1,
    heldOperations: row?.heldOperations === 1,
    eInvoiceChecks: row?.eInvoiceChecks === 1,
    taxRecords: row?.taxRecords === 1,
    ministryReports: row?.ministryReports === 1,
    backup: row?.backup === 1,
    export: row?.export === 1,
    expiredDataPurge: row?.expiredDataPurge === 1,
    fileCopies: row?.photos === 1,
    backupCheck: row?.backupCheck === 1,
    maintenance: parseMaintenanceState(row?.keeping),
  };
}

// Parses the maintenance state. Converts its numbers to booleans, because SQLite has no boolean type.
function parseMaintenanceState(text: string | undefined): DueJobs["maintenance"] {
  const storedState = JSON.parse(text ?? "{}") as DueJobs["maintenance"];
  return {
    ...storedState,
    sealed: storedState.sealed ?? null,
    hasSettings: Boolean(storedState.hasSettings),
    hasFailed: Boolean(storedState.hasFailed),
  };
}
