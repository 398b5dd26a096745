import { canAccessBranch } from "#domain/access/sessions.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import { completeDocumentDraft } from "#domain/documents/draft.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { createRegistrationRecord, listFieldsPreventingRecord } from "#domain/tax-records/recording.ts";
import type { TaxRecordContent } from "#domain/tax-records/records.ts";
import {
  getAnnulmentFlags,
  getNextRegistrationFlags,
  type InvoiceTaxRecordStates,
} from "#domain/tax-records/states.ts";
import { selectDocumentId } from "#worker/store/documents/document-names.ts";
import { recordBookingChangeStatements } from "#worker/store/documents/document-requests.ts";
import {
  documentWithCreditsQuery,
  type IssuedDocumentRow,
  toCreditableDocument,
} from "#worker/store/documents/issued-documents.ts";
import {
  newTaxRecordStatement,
  selectTaxRecordDataKeys,
  taxRecordDataQueries,
} from "#worker/store/tax-records/chain.ts";
import { documentTaxRecordsQuery, type TaxRecordRow } from "#worker/store/tax-records/records.ts";
import { createTaxChainName, TaxRecordChains } from "#worker/usecases/issuing/chain-records.ts";
import {
  collectTaxRecordData,
  getTaxRecordSystem,
  type TaxRecordDataRows,
} from "#worker/usecases/issuing/record-documents.ts";
import type { OfficeRefusal, OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { createTaxRecordReadBack, type DocumentTaxRecord } from "./office-records.ts";

/** Correction of a document's tax record, with its reason. */
export interface TaxRecordCorrection {
  readonly documentId: number;
  readonly correction: "amend" | "annul";
  readonly reason: string;
}

/**
 * Corrects the tax record of a document, once per key. Data that isn't printed, such as a rate's code, is fixed by an
 * amendment with all current data. An erroneous document is annulled. A missing required record is created.
 */
export function correctTaxRecord(
  write: OfficeWrite,
  { documentId, correction, reason }: TaxRecordCorrection,
): Promise<Result<StaffAnswer<DocumentTaxRecord>, OfficeRefusal>> {
  const { db } = write.tenant;
  return runOfficeWriteOnce(write, {
    ...createTaxRecordReadBack(write),
    right: "administer",
    content: { correct: documentId, correction, reason },
    read: () =>
      [
        documentWithCreditsQuery(db, documentId),
        documentTaxRecordsQuery(db, { documentId }),
        ...taxRecordDataQueries(db, selectTaxRecordDataKeys(documentId)),
      ] as const,
    decide: async ({ rows: [[document], records, ...recording], staff, actor, catalogue: { settings } }) => {
      if (!document || !canAccessBranch(staff, document.branchCode)) return err({ kind: "documentNotFound" });
      if (records.length === 0 && !document.taxRecordDue) return err({ kind: "recordNotKept" });
      const content = createContent(correction, settings, document, records, recording);
      if (!content.ok) return content;
      const chain = createTaxChainName(
        content.value.id.issuer,
        content.value.system.installation,
        settings.taxEnvironment,
      );
      const timezone = recording[0][0]?.timezone ?? settings.timezone;
      const record = await new TaxRecordChains(recording[3]).add(chain, content.value, { at: write.now, timezone });
      const statement = newTaxRecordStatement(db, { ...record, document: selectDocumentId({ id: documentId }) });
      const detail = { taxRecord: correction, document: documentId, reason };
      const history =
        document.bookingId === null
          ? []
          : recordBookingChangeStatements(db, document.bookingId, { at: write.now, actor, detail });
      return ok({ resource: String(documentId), statements: [statement, ...history] });
    },
  });
}

function createContent(
  correction: "amend" | "annul",
  settings: Settings,
  document: IssuedDocumentRow,
  rows: readonly TaxRecordRow[],
  recording: TaxRecordDataRows,
): Result<TaxRecordContent, OfficeRefusal> {
  const records = rows.map(toInvoiceRecord);
  const id = rows[0]?.content.id;
  const system = getTaxRecordSystem(recording);
  if (correction === "annul") {
    const mark = getAnnulmentFlags(records);
    if (!id) return err({ kind: "recordMissing" });
    return mark ? ok({ kind: "annulment", id, ...mark, system }) : err({ kind: "recordWaits" });
  }
  const mark = getNextRegistrationFlags(records);
  const [branch] = recording[0];
  if (!mark || !branch || document.date === null) return err({ kind: "recordWaits" });
  const head = toCreditableDocument(document);
  const draft = completeDocumentDraft(head, head.items);
  const number = { number: `${head.serie}/${head.number}`, date: document.date as CivilDate };
  const about = collectTaxRecordData(settings, draft, { branch, rows: recording, id: number });
  const [missing] = listFieldsPreventingRecord(about);
  if (missing) return err({ kind: "recordIncomplete", missing });
  return ok({ ...createRegistrationRecord({ ...about, system }), ...mark });
}

function toInvoiceRecord({ content, state, code }: TaxRecordRow): InvoiceTaxRecordStates[number] {
  const amends = content.kind === "registration" && content.amends === true;
  return { kind: content.kind, state, code: code ?? undefined, amends };
}
