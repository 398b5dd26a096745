import type { Operation } from "#tools/fuzz/operations.ts";

const REASONS = {
  link: "mails a link after the response and changes nothing (test/api/customer-access/own-downloads.test.ts)",
  week: "A week of opening hours is written like each of them. test/api/office/special-hours.test.ts repeats it",
  seasons: "A copied season is written like each of its parts. test/api/office/season-copies.test.ts repeats it",
  statements: "A paid commission moves no charge. test/api/office/agency-statements.test.ts repeats a payment",
  invitations: "The chaos run reads no mails of staff. test/api/office/invitations.test.ts repeats one",
  photos: "A photo moves neither money nor stock. test/api/office/photos.test.ts repeats one",
  certificate: "A certificate moves neither money nor stock. test/api/office/signing-certificate.test.ts writes it",
  previews: "It writes nothing. test/api/office/money-previews.test.ts compares it with the operation",
  documentMails: "It moves neither money nor stock. test/api/office/payer-mails.test.ts mails documents",
  letterhead: "The logo moves neither money nor stock. test/api/office/letterhead.test.ts writes it",
};

/** Ids of write operations without a writer, and the reason. */
export const OPERATIONS_WITHOUT_WRITER: Readonly<Record<string, string>> = {
  requestBookingLink: REASONS.link,
  writeOpeningWeek: REASONS.week,
  changeLetterhead: REASONS.letterhead,
  replaceSigningCertificate: REASONS.certificate,
  deleteSigningCertificate: REASONS.certificate,
  addPhoto: REASONS.photos,
  inviteStaffAgain: REASONS.invitations,
  payAgencyCommissions: REASONS.statements,
  mailDocument: REASONS.documentMails,
  previewCardHoldCapture: REASONS.previews,
  previewDocumentPayment: REASONS.previews,
  previewReturnRecord: REASONS.previews,
  copySeason: REASONS.seasons,
  undoSeasonCopy: REASONS.seasons,
};

/** Lists all write operations. */
export function listWriteOperations(operations: readonly Operation[]): readonly Operation[] {
  return operations.filter(({ method }) => method !== "GET");
}
