import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { chargeAllocations, charges, documents } from "#worker/store/schema/documents.ts";

/**
 * Contract or document whose money is allocated: contracts, a document without contract (the invoice, not its credit
 * notes), or all.
 */
export type MoneyAllocationScope =
  | { readonly bookingId: number }
  | { readonly bookingIds: readonly number[] }
  | { readonly documentId: number }
  | { readonly bookingIdSql: SQL }
  | "all";

// Owner of documents and charges: the contract's id, or the negative id of an invoice without contract. Documents that
// replaced that invoice, and their credit notes, have the same owner.
const ROOT = `coalesce((SELECT coalesce(firm.exchanges_document_id, firm.id) FROM documents AS firm WHERE firm.id = documents.corrects_document_id),
  exchanges_document_id, id)`;
const OWNER = `coalesce(booking_id, -${ROOT})`;
const CHARGE_OWNER = `coalesce(charges.booking_id, -(SELECT ${ROOT} FROM documents WHERE documents.id = charges.document_id))`;

// Each part uses its own index. An `OR` would scan all documents without a contract.
function hasRoot(id: number): SQL {
  const exchanged = sql`SELECT id FROM documents WHERE exchanges_document_id = ${id}`;
  return sql`id IN (SELECT ${id} UNION SELECT id FROM documents WHERE corrects_document_id = ${id}
    UNION ${exchanged} UNION SELECT id FROM documents WHERE corrects_document_id IN (${exchanged}))`;
}

type ContractAllocationScope = Exclude<MoneyAllocationScope, "all" | { readonly documentId: number }>;

function hasContract(column: SQL, account: ContractAllocationScope): SQL {
  if ("bookingId" in account) return sql`${column} = ${account.bookingId}`;
  if ("bookingIds" in account)
    return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(account.bookingIds)}))`;
  return sql`${column} = ${account.bookingIdSql}`;
}

function selectDocuments(account: MoneyAllocationScope): SQL {
  if (account === "all") return sql`true`;
  if ("documentId" in account) return sql`+booking_id IS NULL AND ${hasRoot(account.documentId)}`;
  return sql`(${hasContract(sql`booking_id`, account)}
    OR id IN (SELECT document_id FROM document_contracts WHERE ${hasContract(sql`booking_id`, account)}))`;
}

// Selects amounts due on the documents of a contract, or of an invoice without contract. A collective document has one
// amount for each contract.
function selectAccountDocuments(account: MoneyAllocationScope): SQL {
  const shares = sql`SELECT documents.id, part.booking_id AS owner, corrects_document_id AS corrects, date,
      iif(replaced_by_document_id IS NULL, part.total_cents - part.agent_commission_prepaid_cents, 0) AS due
    FROM document_contracts AS part JOIN documents ON documents.id = part.document_id WHERE invoice_status = 'invoice'`;
  const own = sql`SELECT id, ${sql.raw(OWNER)} AS owner, corrects_document_id AS corrects, date,
      iif(replaced_by_document_id IS NULL, total_cents - agent_commission_prepaid_cents, 0) AS due
    FROM documents WHERE invoice_status = 'invoice'`;
  const isPlain = sql`NOT EXISTS (SELECT 1 FROM document_contracts AS part WHERE part.document_id = documents.id)`;
  if (account === "all") return sql`${own} AND ${isPlain} UNION ALL ${shares}`;
  if ("documentId" in account) return sql`${own} AND ${selectDocuments(account)} AND ${isPlain}`;
  return sql`${own} AND ${hasContract(sql`booking_id`, account)}
    UNION ALL ${shares} AND ${hasContract(sql`part.booking_id`, account)}`;
}

function selectMoney(account: MoneyAllocationScope): SQL {
  if (account === "all") return sql`true`;
  if ("documentId" in account)
    return sql`+charges.booking_id IS NULL AND charges.document_id IN (SELECT id FROM documents
      WHERE +booking_id IS NULL AND ${hasRoot(account.documentId)})`;
  return hasContract(sql`charges.booking_id`, account);
}

/**
 * Returns the allocation of an account's money. It's `allocateContract` of the domain in SQL, so that it includes
 * earlier writes of the batch (decision 0022). A test compares them on random contracts.
 */
function allocations(account: MoneyAllocationScope): SQL {
  const raw = (text: string) => sql.raw(text);
  return sql`WITH account_documents AS MATERIALIZED (${selectAccountDocuments(account)}),
  credits AS (SELECT corrects AS id, owner, -sum(due) AS cents FROM account_documents WHERE corrects IS NOT NULL GROUP BY corrects, owner),
  claims AS MATERIALIZED (
    SELECT id, owner, cents, sum(cents) OVER (PARTITION BY owner ORDER BY date, id) AS upper FROM (
      SELECT account_documents.id, account_documents.owner, date, max(0, due - coalesce(credits.cents, 0)) AS cents
      FROM account_documents LEFT JOIN credits ON credits.id = account_documents.id AND credits.owner = account_documents.owner WHERE corrects IS NULL)),
  moved AS MATERIALIZED (
    SELECT id, owner, document_id, cents, sum(cents) OVER (PARTITION BY owner ORDER BY id) AS upper FROM (
      SELECT id, ${raw(CHARGE_OWNER)} AS owner, document_id, CASE payment_type WHEN 'charge' THEN amount_cents ELSE -amount_cents END AS cents
      FROM charges WHERE virtual = 0 AND ${selectMoney(account)})),
  filled AS MATERIALIZED (
    SELECT moved.id AS charge_id, claims.id AS document_id,
      max(claims.upper - claims.cents, min(claims.upper, moved.upper)) - max(claims.upper - claims.cents, min(claims.upper, moved.upper - moved.cents)) AS cents
    FROM moved JOIN claims ON claims.owner = moved.owner),
  taken AS MATERIALIZED (SELECT charge_id, sum(cents) AS cents FROM filled GROUP BY charge_id),
  rests AS MATERIALIZED (
    SELECT moved.id, owner, document_id, moved.cents - coalesce(taken.cents, 0) AS cents FROM moved LEFT JOIN taken ON taken.charge_id = moved.id),
  ups AS MATERIALIZED (
    SELECT id, owner, cents, sum(cents) OVER (PARTITION BY owner ORDER BY id) AS upper FROM rests WHERE cents > 0),
  downs AS MATERIALIZED (
    SELECT id, owner, cents, sum(cents) OVER (PARTITION BY owner ORDER BY note IS NULL, note_date, note, id) AS upper FROM (
      SELECT rests.id, rests.owner, -cents AS cents, account_documents.id AS note, account_documents.date AS note_date FROM rests
      LEFT JOIN account_documents ON account_documents.id = rests.document_id AND account_documents.owner = rests.owner AND account_documents.corrects IS NOT NULL
      WHERE cents < 0)),
  notes AS MATERIALIZED (
    SELECT id, owner, corrects, -due AS cents, sum(-due) OVER (PARTITION BY owner
      ORDER BY NOT EXISTS (SELECT 1 FROM rests WHERE rests.document_id = account_documents.id AND rests.owner = account_documents.owner), date, id) AS upper
    FROM account_documents WHERE corrects IS NOT NULL AND due < 0),
  parts AS (
    SELECT charge_id, document_id, cents FROM filled
    UNION ALL SELECT ups.id, notes.corrects,
      min(ups.upper, notes.upper, (SELECT max(upper) FROM downs WHERE downs.owner = ups.owner)) - max(ups.upper - ups.cents, notes.upper - notes.cents)
      FROM ups JOIN notes ON notes.owner = ups.owner
      WHERE min(ups.upper, notes.upper, (SELECT max(upper) FROM downs WHERE downs.owner = ups.owner)) > max(ups.upper - ups.cents, notes.upper - notes.cents)
    UNION ALL SELECT downs.id, notes.id,
      max(downs.upper - downs.cents, notes.upper - notes.cents) - min(downs.upper, notes.upper, (SELECT max(upper) FROM ups WHERE ups.owner = downs.owner))
      FROM downs JOIN notes ON notes.owner = downs.owner
      WHERE min(downs.upper, notes.upper, (SELECT max(upper) FROM ups WHERE ups.owner = downs.owner)) > max(downs.upper - downs.cents, notes.upper - notes.cents)
    UNION ALL SELECT kept.charge_id, kept.document_id, 0 FROM moved JOIN charge_allocations AS kept INDEXED BY charge_allocations_by_charge ON kept.charge_id = moved.id)
  SELECT charge_id, document_id, sum(cents) AS amount_cents FROM parts GROUP BY charge_id, document_id`;
}

/**
 * Returns the statements at the end of a caller's batch that reallocate an account's money to its issued documents and
 * update their paid amounts. Unchanged allocations aren't written. `at` is epoch ms.
 */
export function allocateMoneyStatements(db: Database, scope: MoneyAllocationScope, at: number) {
  const computed = allocations(scope);
  return [
    db
      .insert(chargeAllocations)
      // Skips new allocations of zero. Existing allocations that no longer apply are set to zero and deleted below.
      .select(
        selectRowToInsert(
          chargeAllocations,
          { documentId: sql`document_id`, chargeId: sql`charge_id`, amountCents: sql`amount_cents` },
          sql`FROM (${computed}) AS part WHERE amount_cents <> 0
          OR EXISTS (SELECT 1 FROM charge_allocations AS kept WHERE kept.document_id = part.document_id AND kept.charge_id = part.charge_id)`,
        ),
      )
      .onConflictDoUpdate({
        target: [chargeAllocations.documentId, chargeAllocations.chargeId],
        set: { amountCents: sql`excluded.amount_cents` },
        setWhere: sql`charge_allocations.amount_cents <> excluded.amount_cents`,
      }),
    db
      .delete(chargeAllocations)
      .where(sql`amount_cents = 0 AND charge_id IN (SELECT id FROM charges WHERE ${selectMoney(scope)})`),
    nameDocumentsStatement(db, scope, at),
    paidStatement(db, scope, at),
    ...(scope !== "all" && "documentId" in scope ? [] : [creditedStatement(db, scope, at)]),
  ] as const;
}

// Sets the document of a payment. If the payment is no longer allocated to that document, the first document that it's
// allocated to is used.
function nameDocumentsStatement(db: Database, account: MoneyAllocationScope, at: number) {
  const first = sql`(SELECT min(document_id) FROM charge_allocations AS one WHERE one.charge_id = charges.id)`;
  return db
    .update(charges)
    .set({ documentId: first, lastUpdate: sql`max(last_update, ${at})` })
    .where(
      sql`virtual = 0 AND ${selectMoney(account)} AND ${first} IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM charge_allocations AS one WHERE one.charge_id = charges.id AND one.document_id = charges.document_id)`,
    );
}

// Updates a contract's credited amount, which the customer doesn't owe. For a completed contract, this is the
// credited amount that wasn't invoiced again. For a cancelled one, it's the part of the fee that isn't on a
// document. It's zero for a contract without documents, because another system has them. The customer owes
// the agent's share to the agent, so a credit note only refunds the rest.
function creditedStatement(
  db: Database,
  account: Exclude<MoneyAllocationScope, { readonly documentId: number }>,
  at: number,
) {
  const selectForAccount = account === "all" ? sql`true` : hasContract(sql`bookings.id`, account);
  // Drafts of the remaining amount count, because they will be issued. An advance that was never issued doesn't count.
  const counts = sql`document.replaced_by_document_id IS NULL
    AND (document.invoice_status = 'invoice' OR document.invoice_mode <> 'reservation_retainer')`;
  const documentedCents = sql`(SELECT sum(cents) FROM (
    SELECT document.total_cents - document.agent_commission_prepaid_cents AS cents FROM documents AS document
      WHERE document.booking_id = bookings.id AND ${counts}
    UNION ALL SELECT part.total_cents - part.agent_commission_prepaid_cents FROM document_contracts AS part
      JOIN documents AS document ON document.id = part.document_id WHERE part.booking_id = bookings.id AND ${counts}))`;
  const due = sql`total_cents - agent_commission_prepaid_cents`;
  const credited = sql`CASE status WHEN 'done' THEN max(0, ${due} - coalesce(${documentedCents}, ${due}))
    WHEN 'cancelled' THEN max(0, cancellation_fee_cents - coalesce(${documentedCents}, cancellation_fee_cents)) ELSE 0 END`;
  return db
    .update(bookings)
    .set({
      creditedCents: credited,
      paymentStatus: sql`CASE WHEN payment_status NOT IN ('deposit', 'total') THEN payment_status
        WHEN total_paid_cents + agent_commission_prepaid_cents >= total_cents - ${credited} THEN 'total' ELSE 'deposit' END`,
      lastUpdate: sql`max(last_update, ${at})`,
    })
    .where(sql`${selectForAccount} AND credited_cents <> ${credited}`);
}

// Updates the paid amounts of documents. A credit note counts as paid when issued, and a replaced document through its
// replacement. An invoice is paid by money, and by credit notes that weren't refunded.
function paidStatement(db: Database, account: MoneyAllocationScope, at: number) {
  const allocated = (id: string) =>
    sql.raw(`(SELECT coalesce(sum(amount_cents), 0) FROM charge_allocations AS one WHERE one.document_id = ${id})`);
  const credited = sql`(SELECT coalesce(sum(${allocated("note.id")} - note.total_cents + note.agent_commission_prepaid_cents), 0)
    FROM documents AS note WHERE note.corrects_document_id = documents.id AND note.invoice_status = 'invoice')`;
  const paid = sql`CASE WHEN corrects_document_id IS NULL AND replaced_by_document_id IS NULL THEN ${allocated("documents.id")} + ${credited}
    ELSE total_cents - agent_commission_prepaid_cents END`;
  return db
    .update(documents)
    .set({ totalPaidCents: paid, lastUpdate: sql`max(last_update, ${at})` })
    .where(sql`invoice_status = 'invoice' AND ${selectDocuments(account)} AND total_paid_cents <> ${paid}`);
}
