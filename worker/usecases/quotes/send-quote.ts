import { sanitizeNameForMail } from "#domain/bookings/booking-mails.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { formatAddress } from "#domain/catalogue/map-address.ts";
import { translateName } from "#domain/catalogue/names.ts";
import { createReason } from "#domain/problems.ts";
import { formatQuoteContent } from "#domain/quotes/printout.ts";
import { formatQuoteNumber } from "#domain/quotes/quotes.ts";
import { getQuoteTexts } from "#domain/quotes/texts.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { writeQuoteMail } from "#worker/mail/quote-mail.ts";
import type { QueryResults } from "#worker/store/database.ts";
import { enqueueMailStatement, findMailId } from "#worker/store/mails/outgoing-mails.ts";
import { addQuoteHistoryStatement, type QuoteRow, updateQuoteColumnsStatement } from "#worker/store/quotes/quotes.ts";
import { getMailBrand } from "#worker/usecases/mails/mail-brand.ts";
import { encryptOutgoingMail, sendOutgoingMail } from "#worker/usecases/mails/send-mails.ts";
import type { OfficeWrite } from "#worker/usecases/office/office-context.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { applyQuoteActionOnce, type QuoteIdAndVersion, type QuoteRefusal } from "./office-quotes.ts";
import {
  getNamesInQuoteLanguage,
  getQuoteFileName,
  getQuoteLanguage,
  printQuotePdf,
  quotePrintoutQueries,
  toPrintedQuote,
} from "./print-quote.ts";
import { getQuotePageUrl, type QuoteAnswer } from "./quote-answer.ts";

type Mail = Parameters<typeof encryptOutgoingMail>[1];

/**
 * Sends a quote to its customer: a mail with the PDF and the link, stored in the batch that marks the quote as sent.
 * `email` replaces the customer's address for this mail.
 */
export async function sendQuote(
  write: OfficeWrite,
  context: QuoteIdAndVersion,
  email: string | undefined,
): Promise<Result<StaffAnswer<QuoteAnswer>, QuoteRefusal>> {
  const { tenant, now } = write;
  const { db } = tenant;
  let outgoing: { readonly mail: Mail; readonly sealed: string } | undefined;
  const sendResult = await applyQuoteActionOnce(write, context, {
    action: "send",
    content: { email },
    read: () => quotePrintoutQueries(db),
    decide: async ({ quote, catalogue, rows, at, actor }) => {
      const recipient = email ?? quote.customerEmail;
      if (recipient === null) return err({ kind: "invalid", field: "email", reason: createReason("missing") });
      const pdf = await printQuotePdf(tenant, catalogue, quote, rows);
      const mail = {
        ...writeMail(write, catalogue, quote, rows),
        ...{ recipient, company: catalogue.settings.accountName },
        attachments: [{ name: getQuoteFileName(quote), base64: Buffer.from(pdf).toString("base64") }],
      };
      const row = await encryptOutgoingMail(tenant, mail, now, quote.validUntil);
      outgoing = { mail, sealed: row.sealed };
      return ok({
        statements: [
          updateQuoteColumnsStatement(db, quote, { status: "sent", sentAt: at, sentTo: recipient, lastUpdate: at }),
          addQuoteHistoryStatement(db, quote.freeAccessId, { at, actor, event: "sent", detail: { email: recipient } }),
          enqueueMailStatement(db, row),
        ],
        resource: quote.freeAccessId,
      });
    },
  });
  const id = sendResult.ok && outgoing ? await findMailId(db, outgoing.sealed) : undefined;
  if (outgoing && id !== undefined) await sendOutgoingMail(tenant, id, outgoing.mail, now);
  return sendResult;
}

function writeMail(
  { tenant }: OfficeWrite,
  catalogue: Catalogue,
  quote: QuoteRow,
  [, issuers, terms]: QueryResults<ReturnType<typeof quotePrintoutQueries>>,
) {
  const { settings } = catalogue;
  const language = getQuoteLanguage(quote, catalogue);
  const printedQuote = toPrintedQuote(quote, catalogue, terms, language);
  const { facts, rows, total, deposit } = formatQuoteContent(printedQuote, {
    language,
    country: settings.countryCode,
    money: { currency: settings.currency, decimals: settings.currencyDecimals },
    names: getNamesInQuoteLanguage(catalogue, language),
  });
  const texts = getQuoteTexts(language);
  const link = getQuotePageUrl(tenant, catalogue, quote.freeAccessId);
  const issuer = issuers.find(({ code }) => code === quote.branchCode);
  const branch = catalogue.branches.get(quote.branchCode);
  return writeQuoteMail(
    {
      ...getMailBrand(tenant, catalogue),
      branch: issuer && {
        name: translateName(branch?.names, language, branch?.name ?? settings.accountName),
        address: formatAddress(issuer),
        phone: issuer.phoneNumber ?? undefined,
        email: issuer.email ?? undefined,
      },
      person: sanitizeNameForMail(quote.customerName),
      number: formatQuoteNumber(quote),
      facts: [
        ...facts,
        ...rows.map(({ name, quantity, amount }) => ({
          label: Number(quantity) > 1 ? `${quantity} × ${name}` : name,
          value: amount,
        })),
        { label: texts.total, value: total, isStrong: true },
        ...(deposit === undefined ? [] : [{ label: texts.deposit, value: deposit }]),
      ],
      link,
      pdfLink: `${link}/quote.pdf`,
    },
    language,
  );
}
