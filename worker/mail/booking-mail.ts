import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { WeekdayRangeHours } from "#domain/catalogue/open-days.ts";
import type { Travellers } from "#domain/catalogue/transfers.ts";
import { getColonWithSpacing } from "#domain/money-notation.ts";
import type { PaymentMethod } from "#domain/payments/charges.ts";
import type { InvoiceKind } from "#domain/printing/documents.ts";
import { getPrintTexts } from "#domain/printing/texts.ts";
import { BRANCH_TEXTS } from "./branch-texts.ts";
import { addCatalanToArticle, addItalianToArticle } from "./dates-with-article.ts";
import { escapeHtml, renderTextAsHtml } from "./escape-html.ts";
import { PICKUP_GUIDE_TEXTS } from "./guide-texts.ts";
import {
  type MailLink,
  type MailTableRow,
  renderMailButton,
  renderMailHtml,
  renderMailLink,
  renderMailTable,
} from "./mail-html.ts";
import { type BranchSignature, formatSignatureHtml, listSignatureLines } from "./signature.ts";
import { TRANSFER_TEXTS } from "./transfer-texts.ts";
import type { WrittenMail } from "./written-mail.ts";

type Kind =
  | "request_received"
  | "confirmed"
  | "changed"
  | "cancelled"
  | "payment_received"
  | "refunded"
  | "deposit_returned"
  | "reminder"
  | "hold_ending"
  | "delivered"
  | "collected"
  | "invoiced"
  | "payment_link";

type LinkedPage = "contract" | "payment" | InvoiceKind;

/**
 * Content of a booking mail. All texts are from the company, except the customer's name, which is checked to contain no
 * link.
 */
export interface BookingMail {
  readonly company: string;
  /** Name by which the mail addresses the recipient. Empty if it uses none. */
  readonly person: string;
  /** Customer's name in mails to the branch, "" if it must not be shown. Undefined in mails to the customer. */
  readonly customer?: string | undefined;
  /** Number of the reservation. Absent if the mail is about a document without a reservation. */
  readonly reservation: number | undefined;
  readonly pickup: string;
  /** Time and place of the return, or of a transfer's arrival. */
  readonly return: string;
  readonly isTransfer: boolean;
  /** Outward and return trip of a transfer, with their times. Empty for one trip and for a rental. */
  readonly trips?: readonly string[] | undefined;
  readonly products: string;
  /** Kilometres that the price of a rental includes, with their label. Absent if unlimited. */
  readonly kilometres?: { readonly label: string; readonly value: string } | undefined;
  /** Discount included in the total, negative. Absent if there is none. */
  readonly discount?: string | undefined;
  /** Formatted total with its currency. */
  readonly total: string;
  readonly paid: string;
  /**
   * Amount that an agent collected, and amount of the credit notes. Absent if zero. Together with the paid
   * and the pending amount, they add up to the total.
   */
  readonly paidToAgent: string | undefined;
  readonly credited: string | undefined;
  /** Amount still to pay. Absent if no payment is expected, for example while a late payment awaits a decision. */
  readonly pending: string | undefined;
  /** Retained fee and refund of a cancellation. Absent if zero. */
  readonly fee: string | undefined;
  readonly refund: string | undefined;
  /** Amount of the payment link that the mail is about, and whether it's a security deposit. */
  readonly paymentLink?: { readonly amount: string; readonly isHold: boolean } | undefined;
  /** Refund that the mail is about, and the payment method that receives it. */
  readonly refunded?: { readonly amount: string; readonly method: PaymentMethod } | undefined;
  /** Total of the returned deposit that the mail is about, and whether it was a card hold that was released. */
  readonly depositReturn?: { readonly amount: string; readonly isHold: boolean } | undefined;
  /** Returned deposits to show, each with its payment method. The method is null for a released card hold. */
  readonly returnedDeposits?: readonly { readonly amount: string; readonly method: PaymentMethod | null }[] | undefined;
  /** End of the hold of an unpaid reservation, in the account's time zone. */
  readonly holdUntil: string | undefined;
  /** Whether the reservation was cancelled because its hold expired without payment or confirmation. */
  readonly isExpired: boolean;
  /** Whether the payment came too late to confirm the reservation, so that staff must decide. */
  readonly isPaidTooLate: boolean;
  /** Page to see, pay and change the reservation. Absent in mails to the branch. */
  readonly page: string | undefined;
  /** Whether the reservation can still be changed on its page. */
  readonly isOpen: boolean;
  /** Whether the customer can pay online on the reservation's page. */
  readonly isPayable: boolean;
  /** Color of the company's documents, `#rrggbb`. */
  readonly color?: string | undefined;
  /** Address of the company's logo. Absent in mails to the branch. */
  readonly logo?: string | undefined;
  /** Names of the booked extras. Empty if there are none. */
  readonly extras?: string | undefined;
  /** Passengers, luggage, addresses and flights of a transfer. Absent for a rental. */
  readonly transfer?: TransferFacts | undefined;
  /** Facts to prepare the pickup. Absent in mails to the branch. */
  readonly guide?: PickupGuide | undefined;
  /** Invoice or credit note with its own amounts. */
  readonly invoice?: InvoiceFacts | undefined;
  /** Type of the document that a mail of kind `invoiced` is about. Defaults to an invoice. */
  readonly documentKind?: InvoiceKind | undefined;
  /** Documents to read and keep, linked on our own site. */
  readonly links: readonly { readonly kind: LinkedPage; readonly name: string; readonly url: string }[];
}

/** Document that staff mailed, or invoice of a month or of several reservations. */
interface InvoiceFacts {
  readonly number: string;
  /** Numbers of the reservations of a collective invoice. Empty for other documents. */
  readonly reservations: string;
  readonly dueDate: string | undefined;
  /** Formatted total with its currency. */
  readonly total: string;
  /** Amount still to pay. Absent for a credit note, which isn't paid. */
  readonly pending: string | undefined;
}

/** Facts that the passengers of a transfer need. The customer's texts were checked to contain no link. */
interface TransferFacts extends Travellers {
  /** Numbers of the luggage, if the customer stated them. */
  readonly bags: string | undefined;
  readonly largeItems: string | undefined;
  /** Outward trip, then the return. */
  readonly trips: readonly { readonly origin: TripEnd; readonly destination: TripEnd }[];
}

/** Address and flight at an end of a trip. Empty if the customer stated none. */
interface TripEnd {
  readonly address: string;
  readonly flight: string;
}

/** Facts that a customer needs before and at the pickup. All texts are the company's own. */
export interface PickupGuide {
  readonly pickupAt: MailPlace | undefined;
  /** Address of the return. Absent if it's the pickup's address. */
  readonly returnAt: MailPlace | undefined;
  /** Opening hours of the pickup's branch. Empty if it's always open. */
  readonly hours: readonly WeekdayRangeHours[] | undefined;
  /** Special hours of the day of the pickup, with its date. */
  readonly specialHours?: { readonly date: string; readonly times: readonly string[] } | undefined;
  /** Security deposit. Absent if there is none. */
  readonly deposit: string | undefined;
  /** Fees of a cancellation by their last moment, from now on. Without a fee while it's free. */
  readonly cancellation: readonly { readonly until: string; readonly fee: string | undefined }[];
  /** Levels that the vehicle must have again at the return. */
  readonly levels: readonly ("fuel" | "charge")[];
  /** Whether the customer must show documents at the pickup. */
  readonly needsDocuments: boolean;
  /** Whether a calendar file is attached. */
  readonly hasCalendar: boolean;
  readonly branch: BranchSignature | undefined;
}

interface MailPlace {
  readonly address: string;
  readonly map: string | undefined;
}

type RefundDestination = "card" | "wallet" | "bank" | "hold";

/** Where a refund that takes days arrives. Absent for methods that pay back at once or in an unknown way. */
const REFUND_DESTINATIONS: Readonly<Partial<Record<PaymentMethod, RefundDestination>>> = {
  ...{ credit_card: "card", tpvA_256: "card", tpvB: "card", tpvC: "card", tpvD: "card", tpv_online: "card" },
  ...{ wallet_standard: "wallet", bank_transfer: "bank" },
};

interface BookingMailTexts {
  readonly greeting: (person: string) => string;
  readonly labels: Readonly<
    Record<
      | "reservation"
      | "pickup"
      | "return"
      | "departure"
      | "arrival"
      | "outward"
      | "back"
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
  readonly events: Readonly<Record<Kind | "credited", { readonly subject: string; readonly sentence: string }>>;
  readonly until: (moment: string) => string;
  /** Sentence of a mail with a link that authorises a security deposit, with the placeholder `{amount}`. */
  readonly authorisation: string;
  /** Sentence of a mail about a returned deposit that was held on a card and is now released. */
  readonly released: string;
  /** Sentence by destination: how long a refund takes to arrive, or a released card hold to disappear. */
  readonly refundArrival: Readonly<Record<RefundDestination, string>>;
  readonly expired: string;
  readonly paidTooLate: string;
  readonly linkLabels: Readonly<Record<Exclude<LinkedPage, InvoiceKind>, string>>;
  readonly page: string;
  /** Button to the reservation's page if the customer can pay there, instead of `page`. */
  readonly pay: string;
  readonly pageAbout: string;
  /** Text about the page of a transfer, which has no contract. */
  readonly transferPageAbout: string;
}

const TEXTS: Readonly<Record<PlatformLanguage, BookingMailTexts>> = {
  es: {
    greeting: (person) => (person ? `Hola, ${person}:` : "Hola:"),
    labels: {
      reservation: "Reserva",
      pickup: "Recogida",
      return: "Devolución",
      departure: "Recogida",
      arrival: "Llegada",
      outward: "Ida",
      back: "Vuelta",
      products: "Vehículo",
      total: "Total",
      paidToAgent: "Pagado al agente",
      credited: "Rectificativas",
      paid: "Pagado",
      pending: "Pendiente de pago",
      fee: "Gastos de cancelación",
      refund: "Reembolso",
    },
    events: {
      request_received: {
        subject: "hemos recibido su solicitud",
        sentence: "Hemos recibido su solicitud de reserva. Le avisaremos en cuanto esté confirmada.",
      },
      confirmed: { subject: "reserva confirmada", sentence: "Su reserva está confirmada." },
      changed: { subject: "reserva modificada", sentence: "Su reserva ha cambiado. Así queda:" },
      cancelled: { subject: "reserva cancelada", sentence: "Su reserva está cancelada." },
      payment_received: { subject: "pago recibido", sentence: "Hemos recibido su pago. Gracias." },
      refunded: { subject: "reembolso realizado", sentence: "Le hemos reembolsado {amount}." },
      deposit_returned: { subject: "fianza devuelta", sentence: "Le hemos devuelto la fianza de {amount}." },
      reminder: { subject: "recordatorio de su recogida", sentence: "Le recordamos que se acerca su recogida." },
      hold_ending: {
        subject: "su reserva está a punto de caducar",
        sentence: "Su reserva está pendiente de pago y está a punto de caducar.",
      },
      delivered: { subject: "vehículo entregado", sentence: "Le hemos entregado el vehículo. Buen viaje." },
      collected: { subject: "vehículo devuelto", sentence: "Hemos recibido el vehículo. Gracias por su confianza." },
      invoiced: { subject: "su factura", sentence: "Su factura está lista." },
      credited: { subject: "su factura rectificativa", sentence: "Su factura rectificativa está lista." },
      payment_link: { subject: "enlace de pago", sentence: "Con este enlace puede pagar {amount}." },
    },
    until: (moment) => `Le guardamos el vehículo hasta el ${moment}.`,
    expired: "La reserva no se pagó ni se confirmó a tiempo. Ya no le guardamos el vehículo.",
    paidTooLate:
      "El pago ha llegado tarde para confirmar su reserva. Lo revisaremos y le avisaremos. No pague otra vez.",
    authorisation: "Con este enlace puede autorizar una fianza de {amount}. Ahora no se cobra nada.",
    released: "Hemos liberado la fianza de {amount} que estaba retenida en su tarjeta.",
    refundArrival: {
      card: "El dinero vuelve a la tarjeta con la que pagó. Suele tardar entre 5 y 10 días laborables en aparecer en su cuenta.",
      wallet: "Suele aparecer en su monedero electrónico en pocos días.",
      bank: "Suele tardar entre 1 y 3 días laborables en llegar a su cuenta bancaria.",
      hold: "No se ha cobrado nada. Según su banco, la retención suele desaparecer en pocos días.",
    },
    linkLabels: { contract: "Contrato", payment: "Abrir la página de pago" },
    page: "Ver mi reserva",
    pay: "Pagar mi reserva",
    pageAbout: "Allí puede pagarla, cambiarla o cancelarla y completar los datos del contrato.",
    transferPageAbout: "Allí puede pagarla, cambiarla o cancelarla.",
  },
  ca: {
    greeting: (person) => (person ? `Hola, ${person}:` : "Hola:"),
    labels: {
      reservation: "Reserva",
      pickup: "Recollida",
      return: "Devolució",
      departure: "Recollida",
      arrival: "Arribada",
      outward: "Anada",
      back: "Tornada",
      products: "Vehicle",
      total: "Total",
      paidToAgent: "Pagat a l'agent",
      credited: "Rectificatives",
      paid: "Pagat",
      pending: "Pendent de pagament",
      fee: "Despeses de cancel·lació",
      refund: "Reemborsament",
    },
    events: {
      request_received: {
        subject: "hem rebut la vostra sol·licitud",
        sentence: "Hem rebut la vostra sol·licitud de reserva. Us avisarem quan estigui confirmada.",
      },
      confirmed: { subject: "reserva confirmada", sentence: "La vostra reserva està confirmada." },
      changed: { subject: "reserva modificada", sentence: "La vostra reserva ha canviat. Queda així:" },
      cancelled: { subject: "reserva cancel·lada", sentence: "La vostra reserva està cancel·lada." },
      payment_received: { subject: "pagament rebut", sentence: "Hem rebut el vostre pagament. Gràcies." },
      refunded: { subject: "reemborsament fet", sentence: "Us hem reemborsat {amount}." },
      deposit_returned: { subject: "fiança retornada", sentence: "Us hem retornat la fiança de {amount}." },
      reminder: { subject: "recordatori de la recollida", sentence: "Us recordem que s'acosta la vostra recollida." },
      hold_ending: {
        subject: "la vostra reserva està a punt de caducar",
        sentence: "La vostra reserva està pendent de pagament i està a punt de caducar.",
      },
      delivered: { subject: "vehicle lliurat", sentence: "Us hem lliurat el vehicle. Bon viatge." },
      collected: { subject: "vehicle retornat", sentence: "Hem rebut el vehicle. Gràcies per la vostra confiança." },
      invoiced: { subject: "la vostra factura", sentence: "La vostra factura està a punt." },
      credited: {
        subject: "la vostra factura rectificativa",
        sentence: "La vostra factura rectificativa està a punt.",
      },
      payment_link: { subject: "enllaç de pagament", sentence: "Amb aquest enllaç podeu pagar {amount}." },
    },
    until: (moment) => `Us guardem el vehicle fins ${addCatalanToArticle(moment)}.`,
    expired: "La reserva no es va pagar ni confirmar a temps. Ja no us guardem el vehicle.",
    paidTooLate:
      "El pagament ha arribat tard per confirmar la vostra reserva. El revisarem i us avisarem. No torneu a pagar.",
    authorisation: "Amb aquest enllaç podeu autoritzar una fiança de {amount}. Ara no es cobra res.",
    released: "Hem alliberat la fiança de {amount} que estava retinguda a la vostra targeta.",
    refundArrival: {
      card: "Els diners tornen a la targeta amb què vau pagar. Solen trigar entre 5 i 10 dies laborables a aparèixer al vostre compte.",
      wallet: "Solen aparèixer al vostre moneder electrònic en pocs dies.",
      bank: "Solen trigar entre 1 i 3 dies laborables a arribar al vostre compte bancari.",
      hold: "No s'ha cobrat res. Segons el vostre banc, la retenció sol desaparèixer en pocs dies.",
    },
    linkLabels: { contract: "Contracte", payment: "Obre la pàgina de pagament" },
    page: "Mostra la meva reserva",
    pay: "Paga la meva reserva",
    pageAbout: "Allà podeu pagar-la, canviar-la o cancel·lar-la i completar les dades del contracte.",
    transferPageAbout: "Allà podeu pagar-la, canviar-la o cancel·lar-la.",
  },
  en: {
    greeting: (person) => (person ? `Hello ${person},` : "Hello,"),
    labels: {
      reservation: "Reservation",
      pickup: "Pickup",
      return: "Return",
      departure: "Pickup",
      arrival: "Arrival",
      outward: "Outward trip",
      back: "Return trip",
      products: "Vehicle",
      total: "Total",
      paidToAgent: "Paid to the agent",
      credited: "Credit notes",
      paid: "Paid",
      pending: "Still to pay",
      fee: "Cancellation fee",
      refund: "Refund",
    },
    events: {
      request_received: {
        subject: "we received your request",
        sentence: "We have received your request. We'll email you as soon as it's confirmed.",
      },
      confirmed: { subject: "reservation confirmed", sentence: "Your reservation is confirmed." },
      changed: { subject: "reservation changed", sentence: "Your reservation has changed. The current details:" },
      cancelled: { subject: "reservation cancelled", sentence: "Your reservation is cancelled." },
      payment_received: { subject: "payment received", sentence: "We have received your payment. Thank you." },
      refunded: { subject: "refund made", sentence: "We have refunded {amount} to you." },
      deposit_returned: {
        subject: "security deposit refunded",
        sentence: "We have refunded your security deposit of {amount}.",
      },
      reminder: { subject: "your pickup is coming up", sentence: "Your pickup is coming up." },
      hold_ending: {
        subject: "your reservation expires soon",
        sentence: "Your reservation expires soon because it isn't paid yet.",
      },
      delivered: {
        subject: "vehicle handed over",
        sentence: "We have handed the vehicle over to you. Have a good trip.",
      },
      collected: { subject: "vehicle returned", sentence: "We have received the vehicle. Thank you." },
      invoiced: { subject: "your invoice", sentence: "Your invoice is ready." },
      credited: { subject: "your credit note", sentence: "Your credit note is ready." },
      payment_link: { subject: "payment link", sentence: "Use this link to pay {amount}." },
    },
    until: (moment) => `We hold the vehicle for you until ${moment}.`,
    expired: "The reservation wasn't paid or confirmed in time, so we no longer hold the vehicle.",
    paidTooLate:
      "The payment arrived too late to confirm your reservation. We'll check it and contact you. Please don't pay again.",
    authorisation: "Use this link to authorise a security deposit of {amount}. Your card isn't charged now.",
    released: "We have released the security deposit of {amount} held on your card.",
    refundArrival: {
      card: "The money returns to the card you paid with. It usually appears in your account within 5 to 10 business days.",
      wallet: "It usually appears in your electronic wallet within a few days.",
      bank: "It usually arrives in your bank account within 1 to 3 business days.",
      hold: "Your card wasn't charged. The hold usually disappears within a few days, depending on your bank.",
    },
    linkLabels: { contract: "Contract", payment: "Open the payment page" },
    page: "View my reservation",
    pay: "Pay my reservation",
    pageAbout: "There you can pay for it, change it, cancel it or complete the contract details.",
    transferPageAbout: "There you can pay for it, change it or cancel it.",
  },
  de: {
    greeting: (person) => (person ? `Guten Tag ${person},` : "Guten Tag,"),
    labels: {
      reservation: "Reservierung",
      pickup: "Abholung",
      return: "Rückgabe",
      departure: "Abholung",
      arrival: "Ankunft",
      outward: "Hinfahrt",
      back: "Rückfahrt",
      products: "Fahrzeug",
      total: "Gesamt",
      paidToAgent: "An die Agentur bezahlt",
      credited: "Rechnungskorrekturen",
      paid: "Bezahlt",
      pending: "Noch zu zahlen",
      fee: "Stornogebühr",
      refund: "Erstattung",
    },
    events: {
      request_received: {
        subject: "Ihre Anfrage ist eingegangen",
        sentence: "Ihre Anfrage ist bei uns eingegangen. Wir melden uns, sobald sie bestätigt ist.",
      },
      confirmed: { subject: "Reservierung bestätigt", sentence: "Ihre Reservierung ist bestätigt." },
      changed: {
        subject: "Reservierung geändert",
        sentence: "Ihre Reservierung wurde geändert. Die aktuellen Angaben:",
      },
      cancelled: { subject: "Reservierung storniert", sentence: "Ihre Reservierung ist storniert." },
      payment_received: { subject: "Zahlung eingegangen", sentence: "Ihre Zahlung ist eingegangen. Vielen Dank." },
      refunded: { subject: "Erstattung ausgeführt", sentence: "wir haben Ihnen {amount} erstattet." },
      deposit_returned: {
        subject: "Kaution erstattet",
        sentence: "wir haben Ihnen die Kaution von {amount} erstattet.",
      },
      reminder: { subject: "Ihre Abholung steht bevor", sentence: "Ihre Abholung steht bevor." },
      hold_ending: {
        subject: "Ihre Reservierung läuft bald ab",
        sentence: "Ihre Reservierung läuft bald ab, weil sie noch nicht bezahlt ist.",
      },
      delivered: { subject: "Fahrzeug übergeben", sentence: "Sie haben das Fahrzeug erhalten. Gute Fahrt." },
      collected: { subject: "Fahrzeug zurückgegeben", sentence: "Sie haben das Fahrzeug zurückgegeben. Vielen Dank." },
      invoiced: { subject: "Ihre Rechnung", sentence: "Ihre Rechnung liegt bereit." },
      credited: { subject: "Ihre Rechnungskorrektur", sentence: "Ihre Rechnungskorrektur liegt bereit." },
      payment_link: {
        subject: "Zahlungslink",
        sentence: "über diesen Link können Sie {amount} zahlen.",
      },
    },
    until: (moment) => `Wir halten das Fahrzeug bis ${moment} für Sie frei.`,
    expired: "Die Reservierung wurde nicht rechtzeitig bezahlt oder bestätigt. Das Fahrzeug ist wieder frei.",
    paidTooLate:
      "Die Zahlung kam zu spät, um Ihre Reservierung zu bestätigen. Wir prüfen das und melden uns. Bitte zahlen Sie nicht noch einmal.",
    authorisation:
      "über diesen Link können Sie eine Kaution von {amount} autorisieren. Ihre Karte wird jetzt nicht belastet.",
    released: "wir haben die auf Ihrer Karte vorgemerkte Kaution von {amount} freigegeben.",
    refundArrival: {
      card: "Das Geld geht auf die Karte zurück, mit der Sie bezahlt haben. Es erscheint meist innerhalb von 5 bis 10 Werktagen auf Ihrem Konto.",
      wallet: "Es erscheint meist innerhalb weniger Tage in Ihrer elektronischen Geldbörse.",
      bank: "Es kommt meist innerhalb von 1 bis 3 Werktagen auf Ihrem Bankkonto an.",
      hold: "Ihre Karte wurde nicht belastet. Der vorgemerkte Betrag verschwindet je nach Bank meist innerhalb weniger Tage.",
    },
    linkLabels: { contract: "Vertrag", payment: "Zahlungsseite öffnen" },
    page: "Meine Reservierung ansehen",
    pay: "Meine Reservierung bezahlen",
    pageAbout: "Dort können Sie sie bezahlen, ändern oder stornieren und die Vertragsdaten ergänzen.",
    transferPageAbout: "Dort können Sie sie bezahlen, ändern oder stornieren.",
  },
  fr: {
    greeting: (person) => (person ? `Bonjour ${person},` : "Bonjour,"),
    labels: {
      reservation: "Réservation",
      pickup: "Prise en charge",
      return: "Restitution",
      departure: "Prise en charge",
      arrival: "Arrivée",
      outward: "Trajet aller",
      back: "Trajet retour",
      products: "Véhicule",
      total: "Total",
      paidToAgent: "Payé à l'agence de voyages",
      credited: "Avoirs",
      paid: "Payé",
      pending: "Reste à payer",
      fee: "Frais d'annulation",
      refund: "Remboursement",
    },
    events: {
      request_received: {
        subject: "nous avons reçu votre demande",
        sentence: "Nous avons bien reçu votre demande. Nous vous écrirons dès que la réservation sera confirmée.",
      },
      confirmed: { subject: "réservation confirmée", sentence: "Votre réservation est confirmée." },
      changed: {
        subject: "réservation modifiée",
        sentence: "Votre réservation a été modifiée. En voici les détails\u00a0:",
      },
      cancelled: { subject: "réservation annulée", sentence: "Votre réservation est annulée." },
      payment_received: { subject: "paiement reçu", sentence: "Nous avons bien reçu votre paiement. Merci." },
      refunded: { subject: "remboursement effectué", sentence: "Nous vous avons remboursé {amount}." },
      deposit_returned: {
        subject: "dépôt de garantie remboursé",
        sentence: "Nous vous avons remboursé le dépôt de garantie de {amount}.",
      },
      reminder: {
        subject: "votre prise en charge approche",
        sentence: "Nous vous rappelons que votre prise en charge approche.",
      },
      hold_ending: {
        subject: "votre réservation expire bientôt",
        sentence: "Votre réservation expire bientôt, car elle n'est pas encore payée.",
      },
      delivered: { subject: "véhicule remis", sentence: "Nous vous avons remis le véhicule. Bonne route." },
      collected: {
        subject: "véhicule restitué",
        sentence: "Nous avons bien reçu le véhicule. Merci de votre confiance.",
      },
      invoiced: { subject: "votre facture", sentence: "Votre facture est disponible." },
      credited: { subject: "votre facture d'avoir", sentence: "Votre facture d'avoir est disponible." },
      payment_link: {
        subject: "lien de paiement",
        sentence: "Ce lien vous permet de payer {amount}.",
      },
    },
    until: (moment) => `Nous vous gardons le véhicule jusqu'au ${moment}.`,
    expired: "La réservation n'a pas été payée ou confirmée à temps. Nous ne gardons plus le véhicule.",
    paidTooLate:
      "Le paiement est arrivé trop tard pour confirmer votre réservation. Nous vérifions et vous contacterons\u00a0; ne payez pas une seconde fois.",
    authorisation:
      "Ce lien vous permet d'autoriser un dépôt de garantie de {amount}. Votre carte n'est pas débitée maintenant.",
    released: "Nous avons libéré le dépôt de garantie de {amount} bloqué sur votre carte.",
    refundArrival: {
      card: "L'argent revient sur la carte avec laquelle vous avez payé. Il apparaît en général sur votre compte sous 5 à 10 jours ouvrés.",
      wallet: "Il apparaît en général dans votre portefeuille électronique sous quelques jours.",
      bank: "Il arrive en général sur votre compte bancaire sous 1 à 3 jours ouvrés.",
      hold: "Votre carte n'a pas été débitée. Selon votre banque, le blocage disparaît en général sous quelques jours.",
    },
    linkLabels: { contract: "Contrat", payment: "Ouvrir la page de paiement" },
    page: "Voir ma réservation",
    pay: "Payer ma réservation",
    pageAbout: "Vous pouvez y payer, modifier ou annuler la réservation et compléter les informations du contrat.",
    transferPageAbout: "Vous pouvez y payer, modifier ou annuler la réservation.",
  },
  it: {
    greeting: (person) => (person ? `Buongiorno ${person},` : "Buongiorno,"),
    labels: {
      reservation: "Prenotazione",
      pickup: "Ritiro",
      return: "Riconsegna",
      departure: "Partenza",
      arrival: "Arrivo",
      outward: "Andata",
      back: "Ritorno",
      products: "Veicolo",
      total: "Totale",
      paidToAgent: "Pagato all'agenzia",
      credited: "Note di credito",
      paid: "Pagato",
      pending: "Da pagare",
      fee: "Penale di annullamento",
      refund: "Rimborso",
    },
    events: {
      request_received: {
        subject: "abbiamo ricevuto la Sua richiesta",
        sentence: "Abbiamo ricevuto la Sua richiesta. Le scriveremo appena la prenotazione sarà confermata.",
      },
      confirmed: { subject: "prenotazione confermata", sentence: "La Sua prenotazione è confermata." },
      changed: {
        subject: "prenotazione modificata",
        sentence: "La Sua prenotazione è stata modificata. Ecco i dettagli aggiornati:",
      },
      cancelled: { subject: "prenotazione annullata", sentence: "La Sua prenotazione è annullata." },
      payment_received: { subject: "pagamento ricevuto", sentence: "Abbiamo ricevuto il Suo pagamento. Grazie." },
      refunded: { subject: "rimborso effettuato", sentence: "Le abbiamo rimborsato {amount}." },
      deposit_returned: {
        subject: "deposito cauzionale rimborsato",
        sentence: "Le abbiamo rimborsato il deposito cauzionale di {amount}.",
      },
      reminder: { subject: "il Suo ritiro si avvicina", sentence: "Le ricordiamo che il ritiro si avvicina." },
      hold_ending: {
        subject: "la Sua prenotazione sta per scadere",
        sentence: "La Sua prenotazione sta per scadere perché non è ancora stata pagata.",
      },
      delivered: { subject: "veicolo consegnato", sentence: "Le abbiamo consegnato il veicolo. Buon viaggio." },
      collected: {
        subject: "veicolo riconsegnato",
        sentence: "Abbiamo ricevuto il veicolo. Grazie per la fiducia.",
      },
      invoiced: { subject: "la Sua fattura", sentence: "La Sua fattura è disponibile." },
      credited: { subject: "la Sua nota di credito", sentence: "La Sua nota di credito è disponibile." },
      payment_link: {
        subject: "link di pagamento",
        sentence: "Con questo link può pagare {amount}.",
      },
    },
    until: (moment) => `Le teniamo riservato il veicolo fino ${addItalianToArticle(moment)}.`,
    expired: "La prenotazione non è stata pagata o confermata in tempo. Il veicolo non è più riservato.",
    paidTooLate:
      "Il pagamento è arrivato troppo tardi per confermare la prenotazione. Lo verificheremo e La contatteremo. Non paghi di nuovo.",
    authorisation:
      "Con questo link può autorizzare un deposito cauzionale di {amount}. La Sua carta non viene addebitata ora.",
    released: "Abbiamo sbloccato il deposito cauzionale di {amount} autorizzato sulla Sua carta.",
    refundArrival: {
      card: "Il denaro torna sulla carta con cui ha pagato. Di solito compare sul Suo conto entro 5–10 giorni lavorativi.",
      wallet: "Di solito compare nel Suo portafoglio elettronico entro pochi giorni.",
      bank: "Di solito arriva sul Suo conto bancario entro 1–3 giorni lavorativi.",
      hold: "La Sua carta non è stata addebitata. A seconda della banca, il blocco scompare di solito entro pochi giorni.",
    },
    linkLabels: { contract: "Contratto", payment: "Apri la pagina di pagamento" },
    page: "Vedi la mia prenotazione",
    pay: "Paga la mia prenotazione",
    pageAbout: "Lì può pagare, modificare o annullare la prenotazione e completare i dati del contratto.",
    transferPageAbout: "Lì può pagare, modificare o annullare la prenotazione.",
  },
  pt: {
    greeting: (person) => (person ? `Olá, ${person},` : "Olá,"),
    labels: {
      reservation: "Reserva",
      pickup: "Levantamento",
      return: "Devolução",
      departure: "Partida",
      arrival: "Chegada",
      outward: "Viagem de ida",
      back: "Viagem de volta",
      products: "Viatura",
      total: "Total",
      paidToAgent: "Pago à agência",
      credited: "Notas de crédito",
      paid: "Pago",
      pending: "Por pagar",
      fee: "Taxa de cancelamento",
      refund: "Reembolso",
    },
    events: {
      request_received: {
        subject: "recebemos o seu pedido",
        sentence: "Recebemos o seu pedido. Receberá um e-mail assim que a reserva estiver confirmada.",
      },
      confirmed: { subject: "reserva confirmada", sentence: "A sua reserva está confirmada." },
      changed: {
        subject: "reserva alterada",
        sentence: "A sua reserva foi alterada. Seguem os dados atualizados:",
      },
      cancelled: { subject: "reserva cancelada", sentence: "A sua reserva foi cancelada." },
      payment_received: { subject: "pagamento recebido", sentence: "Recebemos o seu pagamento. Obrigado." },
      refunded: { subject: "reembolso efetuado", sentence: "Reembolsámos-lhe {amount}." },
      deposit_returned: { subject: "caução devolvida", sentence: "Devolvemos-lhe a caução de {amount}." },
      reminder: {
        subject: "o seu levantamento aproxima-se",
        sentence: "Lembramos que o levantamento da viatura se aproxima.",
      },
      hold_ending: {
        subject: "a sua reserva está prestes a expirar",
        sentence: "A sua reserva está prestes a expirar por falta de pagamento.",
      },
      delivered: { subject: "viatura entregue", sentence: "Entregámos-lhe a viatura. Boa viagem." },
      collected: { subject: "viatura devolvida", sentence: "Recebemos a viatura. Obrigado pela sua confiança." },
      invoiced: { subject: "a sua fatura", sentence: "A sua fatura está disponível." },
      credited: { subject: "a sua nota de crédito", sentence: "A sua nota de crédito está disponível." },
      payment_link: {
        subject: "link de pagamento",
        sentence: "Com este link pode pagar {amount}.",
      },
    },
    until: (moment) => `Guardamos a viatura para si até ${moment}.`,
    expired: "A reserva não foi paga ou confirmada a tempo. Já não guardamos a viatura.",
    paidTooLate:
      "O pagamento chegou tarde demais para confirmar a sua reserva. Vamos verificar e entrar em contacto. Não pague de novo.",
    authorisation: "Com este link pode autorizar uma caução de {amount}. O seu cartão não é debitado agora.",
    released: "Libertámos a caução de {amount} retida no seu cartão.",
    refundArrival: {
      card: "O dinheiro volta ao cartão com que pagou. Em geral aparece na sua conta em 5 a 10 dias úteis.",
      wallet: "Em geral aparece na sua carteira eletrónica em poucos dias.",
      bank: "Em geral chega à sua conta bancária em 1 a 3 dias úteis.",
      hold: "O seu cartão não foi debitado. Consoante o banco, a retenção desaparece em geral em poucos dias.",
    },
    linkLabels: { contract: "Contrato", payment: "Abrir a página de pagamento" },
    page: "Ver a minha reserva",
    pay: "Pagar a minha reserva",
    pageAbout: "Aí pode pagar, alterar ou cancelar a reserva e completar os dados do contrato.",
    transferPageAbout: "Aí pode pagar, alterar ou cancelar a reserva.",
  },
  nl: {
    greeting: (person) => (person ? `Beste ${person},` : "Goedendag,"),
    labels: {
      reservation: "Reservering",
      pickup: "Ophalen",
      return: "Inleveren",
      departure: "Ophalen",
      arrival: "Aankomst",
      outward: "Heenrit",
      back: "Terugrit",
      products: "Voertuig",
      total: "Totaal",
      paidToAgent: "Betaald aan het reisbureau",
      credited: "Creditnota's",
      paid: "Betaald",
      pending: "Nog te betalen",
      fee: "Annuleringskosten",
      refund: "Terugbetaling",
    },
    events: {
      request_received: {
        subject: "wij hebben uw aanvraag ontvangen",
        sentence: "Wij hebben uw aanvraag ontvangen. U krijgt bericht zodra de reservering is bevestigd.",
      },
      confirmed: { subject: "reservering bevestigd", sentence: "Uw reservering is bevestigd." },
      changed: {
        subject: "reservering gewijzigd",
        sentence: "Uw reservering is gewijzigd. Dit zijn de actuele gegevens:",
      },
      cancelled: { subject: "reservering geannuleerd", sentence: "Uw reservering is geannuleerd." },
      payment_received: {
        subject: "betaling ontvangen",
        sentence: "Wij hebben uw betaling ontvangen. Hartelijk dank.",
      },
      refunded: { subject: "terugbetaling uitgevoerd", sentence: "Wij hebben u {amount} terugbetaald." },
      deposit_returned: { subject: "borg terugbetaald", sentence: "Wij hebben u de borg van {amount} terugbetaald." },
      reminder: {
        subject: "binnenkort haalt u uw voertuig op",
        sentence: "Wij herinneren u eraan dat u binnenkort uw voertuig ophaalt.",
      },
      hold_ending: {
        subject: "uw reservering verloopt binnenkort",
        sentence: "Uw reservering verloopt binnenkort omdat deze nog niet is betaald.",
      },
      delivered: { subject: "voertuig overhandigd", sentence: "Wij hebben u het voertuig overhandigd. Goede reis." },
      collected: { subject: "voertuig ingeleverd", sentence: "Wij hebben het voertuig ontvangen. Hartelijk dank." },
      invoiced: { subject: "uw factuur", sentence: "Uw factuur staat klaar." },
      credited: { subject: "uw creditnota", sentence: "Uw creditnota staat klaar." },
      payment_link: {
        subject: "betaallink",
        sentence: "Via deze link kunt u {amount} betalen.",
      },
    },
    until: (moment) => `Wij houden het voertuig voor u vast tot ${moment}.`,
    expired: "De reservering is niet op tijd betaald of bevestigd. Wij houden het voertuig niet meer vast.",
    paidTooLate:
      "De betaling kwam te laat om uw reservering te bevestigen. Wij controleren dit en nemen contact op; betaal niet opnieuw.",
    authorisation: "Via deze link kunt u een borg van {amount} autoriseren. Uw kaart wordt nu niet belast.",
    released: "Wij hebben de borg van {amount} op uw kaart vrijgegeven.",
    refundArrival: {
      card: "Het geld gaat terug naar de kaart waarmee u hebt betaald. Meestal staat het binnen 5 tot 10 werkdagen op uw rekening.",
      wallet: "Meestal staat het binnen enkele dagen in uw elektronische portemonnee.",
      bank: "Meestal staat het binnen 1 tot 3 werkdagen op uw bankrekening.",
      hold: "Uw kaart is niet belast. Afhankelijk van uw bank verdwijnt de blokkering meestal binnen enkele dagen.",
    },
    linkLabels: { contract: "Contract", payment: "Betaalpagina openen" },
    page: "Mijn reservering bekijken",
    pay: "Mijn reservering betalen",
    pageAbout: "Daar kunt u betalen, de reservering wijzigen of annuleren en de contractgegevens aanvullen.",
    transferPageAbout: "Daar kunt u betalen, de reservering wijzigen of annuleren.",
  },
};

/** Writes a mail for a booking event in a supported language. The only visitor input is a checked name. */
export function writeBookingMail(kind: Kind, mail: BookingMail, language: PlatformLanguage): WrittenMail {
  const texts = TEXTS[language];
  const { subject, sentence } = getMailIntro(kind, mail, language);
  const lines = getFactLines(kind, mail, texts, language);
  const sentences = [sentence, ...getDetailLines(kind, mail, texts)];
  const colon = getColonWithSpacing(language);
  const { main, links } = getLinks(kind, mail, texts, language);
  const greeting = texts.greeting(mail.person);
  const guide = getGuide(mail, language);
  const contact = listSignatureLines(mail.company, mail.guide?.branch, language);
  const linkLine = ({ label, url }: MailLink) => `${label}${colon} ${url}`;
  const factLines = lines.flatMap(({ label, value, link }) => [
    `${label}${colon} ${value}`,
    ...(link ? [linkLine(link)] : []),
  ]);
  const { bring } = PICKUP_GUIDE_TEXTS[language];
  const paragraphs = [
    [greeting],
    [sentences.join(" ")],
    main ? [linkLine(main), ...main.about] : [],
    factLines,
    guide.terms.length > 1 ? guide.terms.map((text) => `- ${text}`) : guide.terms,
    guide.sentences,
    guide.bring.length > 0 ? [`${bring}${colon}`, ...guide.bring.map((text) => `- ${text}`)] : [],
    links.map(linkLine),
    contact,
  ];
  const content = { greeting, sentences, lines, guide, main, links, contact };
  return {
    subject: `${mail.company}${colon} ${subject} (${mail.invoice?.number ?? mail.reservation})`,
    text: paragraphs
      .filter((paragraph) => paragraph.length > 0)
      .map((paragraph) => paragraph.join("\n"))
      .join("\n\n"),
    html: toHtml(content, mail, language),
  };
}

/** Returns the text of the link to a reservation's page. */
export const getReservationLinkText = (language: PlatformLanguage): string => TEXTS[language].page;

// Returns the main link as a button (the payment if the mail asks for it, else the page), and the other
// links.
function getLinks(
  kind: Kind,
  { links, page: url, isOpen, isPayable, isPaidTooLate, isTransfer }: BookingMail,
  texts: BookingMailTexts,
  language: PlatformLanguage,
) {
  const linkLabels = { ...getPrintTexts(language), ...texts.linkLabels };
  const toLink = ({ kind, name, url }: BookingMail["links"][number]): MailLink => ({
    label: `${linkLabels[kind]} ${name}`.trim(),
    url,
    isPdf: kind !== "payment",
  });
  const payment = kind === "payment_link" ? links.find(({ kind }) => kind === "payment") : undefined;
  const documents = links.filter((link) => link !== payment).map(toLink);
  const label = kind === "hold_ending" && isPayable ? texts.pay : texts.page;
  const about = isOpen && !isPaidTooLate ? [isTransfer ? texts.transferPageAbout : texts.pageAbout] : [];
  const page = url === undefined ? undefined : { label, url, about };
  if (!payment) return { main: page, links: documents };
  return { main: { ...toLink(payment), about: [] }, links: page ? [page, ...documents] : documents };
}

// Returns sentences about a refund's arrival, a hold's end, an expired hold or a late payment. Mails to the branch omit
// the last two, which are in its task list.
function getDetailLines(kind: Kind, mail: BookingMail, texts: BookingMailTexts): readonly string[] {
  const { customer, holdUntil, isExpired, isPaidTooLate, refunded, returnedDeposits = [] } = mail;
  if (kind === "refunded") return listRefundArrivals(refunded ? [refunded] : [], texts);
  if (returnedDeposits.length > 0) return listRefundArrivals(returnedDeposits, texts);
  if (kind === "cancelled" && isExpired && customer === undefined) return [texts.expired];
  if (kind === "payment_received" && isPaidTooLate && customer === undefined) return [texts.paidTooLate];
  return holdUntil === undefined ? [] : [texts.until(holdUntil)];
}

// Returns one sentence for each destination of the money.
function listRefundArrivals(
  refunds: NonNullable<BookingMail["returnedDeposits"]>,
  texts: BookingMailTexts,
): readonly string[] {
  const destinations = refunds.flatMap(({ method }) =>
    method === null ? "hold" : (REFUND_DESTINATIONS[method] ?? []),
  );
  return [...new Set(destinations)].map((destination) => texts.refundArrival[destination]);
}

function getMailIntro(
  kind: Kind,
  { customer, documentKind, paymentLink, refunded, depositReturn }: BookingMail,
  language: PlatformLanguage,
) {
  const { events, authorisation, released } = TEXTS[language];
  const forBranch = customer === undefined ? undefined : BRANCH_TEXTS[language].events[kind];
  const isCreditNote = kind === "invoiced" && documentKind === "creditNote";
  const intro = forBranch ?? events[isCreditNote ? "credited" : kind];
  const { amount } = paymentLink ?? refunded ?? depositReturn ?? {};
  if (amount === undefined) return intro;
  const { subject, sentence } = paymentLink?.isHold
    ? { subject: PICKUP_GUIDE_TEXTS[language].deposit, sentence: authorisation }
    : { ...intro, ...(depositReturn?.isHold && { sentence: released }) };
  return { subject, sentence: sentence.replace("{amount}", () => amount) };
}

const toLine = (label: string, value: string | null | undefined, isStrong = false): readonly MailTableRow[] =>
  value ? [{ label, value, isStrong }] : [];

function getFactLines(
  kind: Kind,
  mail: BookingMail,
  texts: BookingMailTexts,
  language: PlatformLanguage,
): readonly MailTableRow[] {
  if (mail.invoice) return getInvoiceLines(mail, mail.invoice, texts, language);
  const { labels } = texts;
  const guideTexts = PICKUP_GUIDE_TEXTS[language];
  const reservation = toLine(labels.reservation, mail.reservation?.toString());
  const products = toLine(labels.products, mail.products);
  const { start, end } = getPeriodLines(mail, texts);
  // A refund's mail omits the totals, because the reservation's page shows them.
  if (mail.refunded) {
    const { method, methods } = getPrintTexts(language);
    const { amount, method: methodId } = mail.refunded;
    const refund = [...toLine(labels.refund, amount, true), ...toLine(method, methods[methodId])];
    return [...reservation, ...products, ...start, ...end, ...refund];
  }
  const deposits = getDepositLines(mail, texts, language);
  if (mail.depositReturn) return [...reservation, ...products, ...start, ...end, ...deposits];
  const guide = getOpenGuide(mail);
  const trip = getTransferLines(mail, language);
  const place = (label: string, { address, map }: MailPlace = { address: "", map: undefined }) =>
    address
      ? [{ label, value: address, link: map === undefined ? undefined : { label: guideTexts.map, url: map } }]
      : [];
  return [
    ...reservation,
    ...toLine(BRANCH_TEXTS[language].customer, mail.customer),
    ...products,
    ...toLine(guideTexts.extras, mail.extras),
    ...trip.passengers,
    ...start,
    ...trip.start,
    ...place(guideTexts.pickupAddress, guide?.pickupAt),
    ...toLine(guideTexts.hours, guide && hoursText(guide, language)),
    ...end,
    ...trip.end,
    ...place(guideTexts.returnAddress, getReturnPlace(kind, mail)),
    ...getKilometresLine(kind, mail),
    ...toLine(getPrintTexts(language).discount, mail.discount),
    ...toLine(labels.total, mail.total, true),
    ...toLine(labels.credited, mail.credited),
    ...toLine(labels.paidToAgent, mail.paidToAgent),
    ...toLine(labels.paid, mail.paid),
    ...toLine(labels.pending, mail.pending, true),
    ...toLine(labels.fee, mail.fee),
    ...toLine(labels.refund, mail.refund),
    ...deposits,
    ...toLine(guideTexts.deposit, guide?.deposit && guideTexts.depositReturned(guide.deposit)),
  ];
}

// Returns a line for each returned deposit, with the payment method.
function getDepositLines({ returnedDeposits = [] }: BookingMail, texts: BookingMailTexts, language: PlatformLanguage) {
  const { subject } = texts.events.deposit_returned;
  const label = `${subject.charAt(0).toUpperCase()}${subject.slice(1)}`;
  const { methods } = getPrintTexts(language);
  return returnedDeposits.flatMap(({ amount, method }) =>
    toLine(label, method === null ? amount : `${amount} (${methods[method]})`, true),
  );
}

function getInvoiceLines(
  mail: BookingMail,
  invoice: InvoiceFacts,
  texts: BookingMailTexts,
  language: PlatformLanguage,
): readonly MailTableRow[] {
  const { labels } = texts;
  const { start, end } = getPeriodLines(mail, texts);
  const isCollective = invoice.reservations !== "";
  return [
    ...toLine(getPrintTexts(language)[mail.documentKind ?? "invoice"], invoice.number),
    ...toLine(labels.reservation, invoice.reservations || mail.reservation?.toString()),
    ...(isCollective ? [] : [...toLine(labels.products, mail.products), ...start, ...end]),
    ...toLine(getPrintTexts(language).dueDate, invoice.dueDate),
    ...toLine(labels.total, invoice.total, true),
    ...toLine(labels.pending, invoice.pending, true),
  ];
}

// Returns pickup and return of a rental, pickup and arrival of one trip, or both trips.
function getPeriodLines({ trips = [], isTransfer, ...mail }: BookingMail, { labels }: BookingMailTexts) {
  const [outward, back] = trips;
  return {
    start: outward
      ? toLine(labels.outward, outward)
      : toLine(isTransfer ? labels.departure : labels.pickup, mail.pickup),
    end: back ? toLine(labels.back, back) : toLine(isTransfer ? labels.arrival : labels.return, mail.return),
  };
}

// Returns the rows with a transfer's passengers, and with the addresses and flights of its start and end.
// With a return trip, `start` describes the outward trip and `end` the return trip. A trip that won't take
// place has no addresses.
function getTransferLines(mail: BookingMail, language: PlatformLanguage) {
  const { transfer } = mail;
  if (!transfer) return { passengers: [], start: [], end: [] };
  const texts = TRANSFER_TEXTS[language];
  const { bags, largeItems } = PICKUP_GUIDE_TEXTS[language];
  const groups = (["adults", "children", "infants"] as const).flatMap((group) => {
    const count = transfer[group];
    const [singular, plural] = texts[group];
    return count > 0 ? [`${count} ${count === 1 ? singular : plural}`] : [];
  });
  const passengers = [
    ...toLine(texts.passengers, groups.join(", ")),
    ...toLine(bags, transfer.bags),
    ...toLine(largeItems, transfer.largeItems),
  ];
  const [outward, back] = isAwaited(mail) ? transfer.trips : [];
  const originLines = ({ address, flight }: TripEnd) => [
    ...toLine(texts.pickupAddress, address),
    ...toLine(texts.arrivalFlight, flight),
  ];
  const destinationLines = ({ address, flight }: TripEnd) => [
    ...toLine(texts.destinationAddress, address),
    ...toLine(texts.departureFlight, flight),
  ];
  const start = outward ? originLines(outward.origin) : [];
  const end = outward ? destinationLines(outward.destination) : [];
  if (!back) return { passengers, start, end };
  return {
    passengers,
    start: [...start, ...end],
    end: [...originLines(back.origin), ...destinationLines(back.destination)],
  };
}

const getKilometresLine = (kind: Kind, mail: BookingMail): readonly MailTableRow[] =>
  mail.kilometres && (getOpenGuide(mail) || kind === "delivered")
    ? toLine(mail.kilometres.label, mail.kilometres.value)
    : [];

// Returns the return's address: before the pickup only if it isn't the pickup's, after the pickup always.
function getReturnPlace(kind: Kind, mail: BookingMail): MailPlace | undefined {
  if (kind === "delivered" && !mail.isTransfer) return mail.guide?.returnAt ?? mail.guide?.pickupAt;
  return getOpenGuide(mail)?.returnAt;
}

// Undefined for a transfer, where no customer comes to the branch.
function hoursText({ hours: days, specialHours }: PickupGuide, language: PlatformLanguage): string | undefined {
  const { always, closedDay } = PICKUP_GUIDE_TEXTS[language];
  if (days && specialHours) return `${specialHours.date}: ${specialHours.times.join(", ") || closedDay}`;
  if (days === undefined || days.length === 0) return days && always;
  const format = new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" });
  // 1 January 2024 was a Monday.
  const dayName = (weekday: number) => format.format(Date.UTC(2024, 0, weekday));
  return days
    .map(({ first, last, times }) => {
      const name = first === last ? dayName(first) : `${dayName(first)}–${dayName(last)}`;
      return `${name} ${times.length === 0 ? closedDay : times.join(", ")}`;
    })
    .join(" · ");
}

// A late payment leaves open whether there will be a pickup. Mails about a refund or deposit are about money alone.
const isAwaited = ({ isOpen, isPaidTooLate, refunded, depositReturn }: BookingMail) =>
  isOpen && !isPaidTooLate && !refunded && !depositReturn;

const getOpenGuide = (mail: BookingMail) => (isAwaited(mail) ? mail.guide : undefined);

// Returns the sentences and required documents that prepare a pickup, unless it's over.
function getGuide(mail: BookingMail, language: PlatformLanguage) {
  const guide = getOpenGuide(mail);
  if (!guide) return { sentences: [], terms: [], bring: [] };
  const texts = PICKUP_GUIDE_TEXTS[language];
  const { cancellation, levels, needsDocuments, hasCalendar } = guide;
  const terms = cancellation.map(({ until, fee }) =>
    fee === undefined ? texts.freeUntil(until) : texts.feeUntil(until, fee),
  );
  return {
    sentences: [...levels.map((level) => texts[level]), ...(hasCalendar ? [texts.calendar] : [])],
    terms,
    bring: needsDocuments ? texts.documents : [],
  };
}

interface MailContent {
  readonly greeting: string;
  readonly sentences: readonly string[];
  readonly lines: readonly MailTableRow[];
  readonly guide: ReturnType<typeof getGuide>;
  readonly main: (MailLink & { readonly about: readonly string[] }) | undefined;
  readonly links: readonly MailLink[];
  readonly contact: readonly string[];
}

const renderList = (texts: readonly string[]): string =>
  `<ul style="margin-top: 0">${texts.map((text) => `<li>${escapeHtml(text)}</li>`).join("")}</ul>`;

function toHtml(content: MailContent, brand: BookingMail, language: PlatformLanguage): string {
  const { greeting, sentences, lines, guide, main, links, contact } = content;
  const paragraph = (text: string) => `<p>${renderTextAsHtml(text)}</p>`;
  const parts = [
    paragraph(greeting),
    paragraph(sentences.join(" ")),
    ...(main ? [renderMailButton(main.label, main.url, brand.color), ...main.about.map(paragraph)] : []),
    renderMailTable(lines),
    ...(guide.terms.length > 1 ? [renderList(guide.terms)] : guide.terms.map(paragraph)),
    ...guide.sentences.map(paragraph),
    ...(guide.bring.length > 0
      ? [
          `<p style="margin-bottom: 4px; font-weight: bold">${escapeHtml(PICKUP_GUIDE_TEXTS[language].bring)}</p>`,
          renderList(guide.bring),
        ]
      : []),
    ...(links.length > 0 ? [`<ul>${links.map((link) => `<li>${renderMailLink(link)}</li>`).join("\n")}</ul>`] : []),
    formatSignatureHtml(contact),
  ];
  return renderMailHtml(language, parts.join("\n"), brand);
}
