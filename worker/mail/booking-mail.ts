import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { BRANCH_TEXTS } from "./branch-words.ts";
import { escapeHtml } from "./escape-html.ts";
import { mailHtml } from "./mail-html.ts";
import type { WrittenMail } from "./written-mail.ts";

type Kind =
  | "request_received"
  | "confirmed"
  | "changed"
  | "cancelled"
  | "payment_received"
  | "reminder"
  | "hold_ending"
  | "delivered"
  | "collected"
  | "invoiced"
  | "payment_link";

type Paper = "contract" | "invoice" | "creditNote" | "payment";

/** Content of a booking mail. All texts are the company's own except the name, which contains no link. */
export interface BookingMail {
  readonly company: string;
  /** Empty if the mail doesn't address the recipient by name. */
  readonly person: string;
  /** Customer's name in mails to the branch, "" if it must not be shown. Undefined in mails to the customer. */
  readonly customer?: string | undefined;
  readonly reservation: number;
  readonly pickup: string;
  /** Time and place of the return, or of a transfer's arrival. */
  readonly return: string;
  readonly isTransfer: boolean;
  readonly products: string;
  /** Includes the currency. */
  readonly total: string;
  readonly paid: string;
  /** Paid to an agent, and credited. Absent if zero. With the paid amount and the rest they add up to the total. */
  readonly paidToAgent: string | undefined;
  readonly credited: string | undefined;
  /** Absent if no further payment is expected, for example while a late payment awaits a decision. */
  readonly pending: string | undefined;
  /** Retained fee and refund of a cancellation. Absent if zero. */
  readonly fee: string | undefined;
  readonly refund: string | undefined;
  /** End of the hold, in the account's time zone. */
  readonly holdUntil: string | undefined;
  /** Whether its hold expired without payment or confirmation. */
  readonly isExpired: boolean;
  /** Whether it was paid too late for a confirmation, so that staff must decide. */
  readonly isPaidTooLate: boolean;
  /** Page to see, pay and change the reservation. Absent in mails to the branch. */
  readonly page: string | undefined;
  /** Whether the reservation can still be changed there. */
  readonly isOpen: boolean;
  /** Documents to read and keep, linked on our own site. */
  readonly papers: readonly { readonly paper: Paper; readonly name: string; readonly url: string }[];
}

interface BookingMailTexts {
  readonly greeting: (person: string) => string;
  readonly labels: Readonly<
    Record<
      | "reservation"
      | "pickup"
      | "return"
      | "arrival"
      | "products"
      | "total"
      | "paidToAgent"
      | "credited"
      | "paid"
      | "pending"
      | "fee"
      | "refund",
      string
    >
  >;
  readonly told: Readonly<Record<Kind, { readonly subject: string; readonly sentence: string }>>;
  readonly until: (moment: string) => string;
  readonly expired: string;
  readonly paidTooLate: string;
  readonly papers: Readonly<Record<Paper, string>>;
  readonly page: string;
  readonly pageAbout: string;
}

const TEXTS: Readonly<Record<PlatformLanguage, BookingMailTexts>> = {
  es: {
    greeting: (person) => (person ? `Hola, ${person}:` : "Hola:"),
    labels: {
      reservation: "Reserva",
      pickup: "Recogida",
      return: "Devolución",
      arrival: "Llegada",
      products: "Vehículo",
      total: "Total",
      paidToAgent: "Pagado al agente",
      credited: "Abonado",
      paid: "Pagado",
      pending: "Pendiente",
      fee: "Gastos de cancelación",
      refund: "A devolver",
    },
    told: {
      request_received: {
        subject: "hemos recibido su solicitud",
        sentence: "Hemos recibido su solicitud de reserva. Le avisaremos en cuanto esté confirmada.",
      },
      confirmed: { subject: "reserva confirmada", sentence: "Su reserva está confirmada." },
      changed: { subject: "reserva modificada", sentence: "Su reserva ha cambiado. Así queda:" },
      cancelled: { subject: "reserva cancelada", sentence: "Su reserva está cancelada." },
      payment_received: { subject: "pago recibido", sentence: "Hemos recibido su pago. Gracias." },
      reminder: { subject: "su recogida se acerca", sentence: "Le recordamos que su recogida se acerca." },
      hold_ending: {
        subject: "su reserva está a punto de caducar",
        sentence: "Su reserva está pendiente de pago y está a punto de caducar.",
      },
      delivered: { subject: "vehículo entregado", sentence: "Le hemos entregado el vehículo. Buen viaje." },
      collected: { subject: "vehículo devuelto", sentence: "Hemos recibido el vehículo. Gracias por su confianza." },
      invoiced: { subject: "su factura", sentence: "Su factura está lista." },
      payment_link: { subject: "enlace de pago", sentence: "Con este enlace puede pagar o autorizar el importe." },
    },
    until: (moment) => `La mantenemos hasta el ${moment}.`,
    expired: "Ha terminado el plazo durante el que la manteníamos sin que se pagara o se confirmara.",
    paidTooLate:
      "Ha llegado cuando ya no podía confirmar su reserva. Lo estamos revisando y nos pondremos en contacto; por favor, no pague otra vez.",
    papers: { contract: "Contrato", invoice: "Factura", creditNote: "Factura rectificativa", payment: "Pagar" },
    page: "Ver mi reserva",
    pageAbout: "Allí puede pagarla, cambiarla o cancelarla y completar los datos del contrato.",
  },
  ca: {
    greeting: (person) => (person ? `Hola, ${person}:` : "Hola:"),
    labels: {
      reservation: "Reserva",
      pickup: "Recollida",
      return: "Devolució",
      arrival: "Arribada",
      products: "Vehicle",
      total: "Total",
      paidToAgent: "Pagat a l'agent",
      credited: "Abonat",
      paid: "Pagat",
      pending: "Pendent",
      fee: "Despeses de cancel·lació",
      refund: "A tornar",
    },
    told: {
      request_received: {
        subject: "hem rebut la vostra sol·licitud",
        sentence: "Hem rebut la vostra sol·licitud de reserva. Us avisarem quan estigui confirmada.",
      },
      confirmed: { subject: "reserva confirmada", sentence: "La vostra reserva està confirmada." },
      changed: { subject: "reserva modificada", sentence: "La vostra reserva ha canviat. Queda així:" },
      cancelled: { subject: "reserva cancel·lada", sentence: "La vostra reserva està cancel·lada." },
      payment_received: { subject: "pagament rebut", sentence: "Hem rebut el vostre pagament. Gràcies." },
      reminder: { subject: "la vostra recollida s'acosta", sentence: "Us recordem que la vostra recollida s'acosta." },
      hold_ending: {
        subject: "la vostra reserva està a punt de caducar",
        sentence: "La vostra reserva està pendent de pagament i està a punt de caducar.",
      },
      delivered: { subject: "vehicle lliurat", sentence: "Us hem lliurat el vehicle. Bon viatge." },
      collected: { subject: "vehicle tornat", sentence: "Hem rebut el vehicle. Gràcies per la vostra confiança." },
      invoiced: { subject: "la vostra factura", sentence: "La vostra factura està a punt." },
      payment_link: { subject: "enllaç de pagament", sentence: "Amb aquest enllaç podeu pagar o autoritzar l'import." },
    },
    until: (moment) => `La mantenim fins al ${moment}.`,
    expired: "S'ha acabat el termini durant el qual la manteníem sense que es pagués o es confirmés.",
    paidTooLate:
      "Ha arribat quan ja no podia confirmar la vostra reserva. L'estem revisant i ens posarem en contacte; si us plau, no torneu a pagar.",
    papers: { contract: "Contracte", invoice: "Factura", creditNote: "Factura rectificativa", payment: "Pagar" },
    page: "Veure la meva reserva",
    pageAbout: "Allà podeu pagar-la, canviar-la o cancel·lar-la i completar les dades del contracte.",
  },
  en: {
    greeting: (person) => (person ? `Hello ${person},` : "Hello,"),
    labels: {
      reservation: "Reservation",
      pickup: "Pickup",
      return: "Return",
      arrival: "Arrival",
      products: "Vehicle",
      total: "Total",
      paidToAgent: "Paid to the agent",
      credited: "Credited",
      paid: "Paid",
      pending: "Still to pay",
      fee: "Cancellation fee",
      refund: "Refund",
    },
    told: {
      request_received: {
        subject: "we have your request",
        sentence: "We have received your request. We'll email you as soon as it's confirmed.",
      },
      confirmed: { subject: "reservation confirmed", sentence: "Your reservation is confirmed." },
      changed: { subject: "reservation changed", sentence: "Your reservation has changed. The current details:" },
      cancelled: { subject: "reservation cancelled", sentence: "Your reservation is cancelled." },
      payment_received: { subject: "payment received", sentence: "We have received your payment. Thank you." },
      reminder: { subject: "your pickup is near", sentence: "Your pickup is coming up." },
      hold_ending: {
        subject: "your reservation expires soon",
        sentence: "Your reservation expires soon because its payment is missing.",
      },
      delivered: {
        subject: "vehicle handed over",
        sentence: "We have handed the vehicle over to you. Have a good trip.",
      },
      collected: { subject: "vehicle returned", sentence: "We have received the vehicle. Thank you." },
      invoiced: { subject: "your invoice", sentence: "Your invoice is ready." },
      payment_link: { subject: "payment link", sentence: "Use this link to pay or authorise the amount." },
    },
    until: (moment) => `We hold it until ${moment}.`,
    expired: "The time for which we held it is over, and it was neither paid nor confirmed by then.",
    paidTooLate:
      "It came when it could no longer confirm your reservation. We are looking at it and will be in touch; please do not pay again.",
    papers: { contract: "Contract", invoice: "Invoice", creditNote: "Credit note", payment: "Pay" },
    page: "View my reservation",
    pageAbout: "There you can pay, change or cancel it and complete the contract details.",
  },
  de: {
    greeting: (person) => (person ? `Guten Tag, ${person},` : "Guten Tag,"),
    labels: {
      reservation: "Reservierung",
      pickup: "Abholung",
      return: "Rückgabe",
      arrival: "Ankunft",
      products: "Fahrzeug",
      total: "Gesamt",
      paidToAgent: "An den Vermittler bezahlt",
      credited: "Gutgeschrieben",
      paid: "Bezahlt",
      pending: "Noch offen",
      fee: "Stornogebühr",
      refund: "Wird erstattet",
    },
    told: {
      request_received: {
        subject: "Ihre Anfrage ist eingegangen",
        sentence: "Ihre Anfrage ist bei uns eingegangen. Wir melden uns, sobald sie bestätigt ist.",
      },
      confirmed: { subject: "Reservierung bestätigt", sentence: "Ihre Reservierung ist bestätigt." },
      changed: { subject: "Reservierung geändert", sentence: "Ihre Reservierung wurde geändert. So steht sie jetzt:" },
      cancelled: { subject: "Reservierung storniert", sentence: "Ihre Reservierung ist storniert." },
      payment_received: { subject: "Zahlung eingegangen", sentence: "Ihre Zahlung ist eingegangen. Vielen Dank." },
      reminder: { subject: "Ihre Abholung steht bevor", sentence: "Wir erinnern Sie an Ihre baldige Abholung." },
      hold_ending: {
        subject: "Ihre Reservierung läuft bald ab",
        sentence: "Ihre Reservierung wartet auf die Zahlung und läuft bald ab.",
      },
      delivered: { subject: "Fahrzeug übergeben", sentence: "Wir haben Ihnen das Fahrzeug übergeben. Gute Fahrt." },
      collected: { subject: "Fahrzeug zurückgegeben", sentence: "Das Fahrzeug ist bei uns eingegangen. Vielen Dank." },
      invoiced: { subject: "Ihre Rechnung", sentence: "Ihre Rechnung liegt bereit." },
      payment_link: {
        subject: "Zahlungslink",
        sentence: "Über diesen Link können Sie den Betrag zahlen oder autorisieren.",
      },
    },
    until: (moment) => `Wir halten sie bis ${moment}.`,
    expired: "Die Zeit, für die wir sie gehalten haben, ist um; bis dahin wurde sie weder bezahlt noch bestätigt.",
    paidTooLate:
      "Sie kam, als sie Ihre Reservierung nicht mehr bestätigen konnte. Wir prüfen sie und melden uns; bitte zahlen Sie nicht noch einmal.",
    papers: { contract: "Vertrag", invoice: "Rechnung", creditNote: "Rechnungskorrektur", payment: "Bezahlen" },
    page: "Meine Reservierung ansehen",
    pageAbout: "Dort können Sie sie bezahlen, ändern oder stornieren und die Vertragsdaten ergänzen.",
  },
};

/** Writes a mail for a booking event in a supported language. The only visitor input is a checked name. */
export function writeBookingMail(kind: Kind, mail: BookingMail, language: PlatformLanguage): WrittenMail {
  const texts = TEXTS[language];
  const { subject, sentence } = getMailIntro(kind, mail, language);
  const lines = getFactLines(mail, texts, language);
  const links = mail.papers.map(({ paper, name, url }) => ({ label: `${texts.papers[paper]} ${name}`.trim(), url }));
  const sentences = [sentence, ...getDetailLines(kind, mail, texts)];
  const about = mail.isOpen ? [texts.pageAbout] : [];
  const page = mail.page === undefined ? undefined : { label: texts.page, url: mail.page, about };
  return {
    subject: `${mail.company}: ${subject} (${mail.reservation})`,
    text: [
      texts.greeting(mail.person),
      sentences.join(" "),
      lines.map(([label, value]) => `${label}: ${value}`).join("\n"),
      ...(mail.page === undefined ? [] : [[`${texts.page}: ${mail.page}`, ...about].join("\n")]),
      ...(links.length === 0 ? [] : [links.map(({ label, url }) => `${label}: ${url}`).join("\n")]),
      mail.company,
    ].join("\n\n"),
    html: toHtml(texts.greeting(mail.person), sentences, lines, {
      ...{ company: mail.company, language, page },
      links: kind === "payment_link" ? links : links.map(({ label, url }) => ({ label: `${label} (PDF)`, url })),
    }),
  };
}

// Returns additional sentences. The branch has the list of pending tasks.
function getDetailLines(kind: Kind, mail: BookingMail, texts: BookingMailTexts): readonly string[] {
  const { customer, holdUntil, isExpired, isPaidTooLate } = mail;
  if (kind === "cancelled" && isExpired && customer === undefined) return [texts.expired];
  if (kind === "payment_received" && isPaidTooLate && customer === undefined) return [texts.paidTooLate];
  return holdUntil === undefined ? [] : [texts.until(holdUntil)];
}

function getMailIntro(kind: Kind, { customer }: BookingMail, language: PlatformLanguage) {
  const forBranch = customer === undefined ? undefined : BRANCH_TEXTS[language].told[kind];
  return forBranch ?? TEXTS[language].told[kind];
}

function getFactLines(
  mail: BookingMail,
  { labels }: BookingMailTexts,
  language: PlatformLanguage,
): readonly (readonly [string, string])[] {
  return [
    [labels.reservation, String(mail.reservation)],
    ...(mail.customer ? ([[BRANCH_TEXTS[language].customer, mail.customer]] as const) : []),
    [labels.products, mail.products],
    [labels.pickup, mail.pickup],
    [mail.isTransfer ? labels.arrival : labels.return, mail.return],
    [labels.total, mail.total],
    ...(mail.credited === undefined ? [] : ([[labels.credited, mail.credited]] as const)),
    ...(mail.paidToAgent === undefined ? [] : ([[labels.paidToAgent, mail.paidToAgent]] as const)),
    [labels.paid, mail.paid],
    ...(mail.pending === undefined ? [] : ([[labels.pending, mail.pending]] as const)),
    ...(mail.fee === undefined ? [] : ([[labels.fee, mail.fee]] as const)),
    ...(mail.refund === undefined ? [] : ([[labels.refund, mail.refund]] as const)),
  ];
}

function toHtml(
  greeting: string,
  sentences: readonly string[],
  lines: readonly (readonly [string, string])[],
  {
    company,
    language,
    links,
    page,
  }: {
    readonly company: string;
    readonly page: { readonly label: string; readonly url: string; readonly about: readonly string[] } | undefined;
    readonly language: PlatformLanguage;
    readonly links: readonly { readonly label: string; readonly url: string }[];
  },
): string {
  const papers = links.map(({ label, url }) => `<li><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></li>`);
  const button = page
    ? `<p><a href="${escapeHtml(page.url)}" style="display: inline-block; padding: 0.75em 1.25em; border-radius: 6px; background: #0b5fff; color: #ffffff; text-decoration: none">${escapeHtml(page.label)}</a></p>
${page.about.map((text) => `<p>${escapeHtml(text)}</p>\n`).join("")}`
    : "";
  const rows = lines.map(
    ([label, value]) =>
      `<tr><th style="text-align: left; padding-right: 1em; font-weight: normal; color: #57606a">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return mailHtml(
    language,
    `<p>${escapeHtml(greeting)}</p>
<p>${sentences.map(escapeHtml).join(" ")}</p>
<table>${rows.join("\n")}</table>
${button}${papers.length === 0 ? "" : `<ul>${papers.join("\n")}</ul>\n`}<p>${escapeHtml(company)}</p>`,
  );
}
