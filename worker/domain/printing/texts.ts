import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { PaymentMethod } from "#domain/payments/charges.ts";

/** Fixed texts of documents and receipts, in addition to the account's own. */
export interface PrintTexts {
  readonly page: string;
  readonly carriedOver: string;
  /** Replaces a text or a printout beyond the limits. */
  readonly tooLong: string;
  readonly draft: string;
  readonly cancelled: string;
  readonly invoice: string;
  readonly simplifiedInvoice: string;
  readonly advanceInvoice: string;
  readonly creditNote: string;
  readonly internalBond: string;
  readonly number: string;
  readonly date: string;
  readonly contract: string;
  readonly corrects: string;
  readonly replaces: string;
  readonly period: string;
  readonly vehicle: string;
  readonly agency: string;
  readonly issuer: string;
  readonly customer: string;
  readonly taxId: string;
  readonly concept: string;
  readonly quantity: string;
  readonly price: string;
  readonly rate: string;
  readonly amount: string;
  readonly discount: string;
  /** Without the rate. */
  readonly base: string;
  readonly tax: string;
  readonly total: string;
  readonly paid: string;
  readonly credited: string;
  readonly paidToAgent: string;
  readonly pending: string;
  /** List of a customer's documents. */
  readonly statement: string;
  readonly dueDate: string;
  readonly overdue: string;
  readonly taxesIncluded: string;
  readonly receipt: string;
  readonly receivedFrom: string;
  readonly paidTo: string;
  readonly method: string;
  readonly reference: string;
  readonly forWhat: string;
  readonly kinds: Readonly<
    Record<"charge" | "payment" | "deposit_received" | "deposit_returned" | "deposit_kept", string>
  >;
  readonly methods: Readonly<Record<PaymentMethod, string>>;
}

const TEXTS: Readonly<Record<PlatformLanguage, PrintTexts>> = {
  es: {
    page: "Página {page} de {pages}",
    carriedOver: "Suma y sigue",
    tooLong: "Este texto es demasiado largo para imprimirlo.",
    draft: "BORRADOR",
    cancelled: "CANCELADO",
    invoice: "Factura",
    simplifiedInvoice: "Factura simplificada",
    advanceInvoice: "Factura de anticipo",
    creditNote: "Factura rectificativa",
    internalBond: "Vale interno",
    number: "Número",
    date: "Fecha",
    contract: "Contrato",
    corrects: "Rectifica a",
    replaces: "Sustituye a",
    period: "Periodo",
    vehicle: "Vehículo",
    agency: "Agencia",
    issuer: "EMISOR",
    customer: "CLIENTE",
    taxId: "NIF",
    concept: "Concepto",
    quantity: "Cant.",
    price: "Precio",
    rate: "IVA",
    amount: "Importe",
    discount: "Descuento",
    base: "Base imponible",
    tax: "IVA",
    total: "Total",
    paid: "Pagado",
    credited: "Rectificado",
    paidToAgent: "Pagado a la agencia",
    pending: "Pendiente",
    statement: "Extracto de cuenta",
    dueDate: "Vencimiento",
    overdue: "Vencido",
    taxesIncluded: "Precios e importes con impuestos incluidos.",
    receipt: "Recibo",
    receivedFrom: "Recibido de",
    paidTo: "Pagado a",
    method: "Forma de pago",
    reference: "Operación",
    forWhat: "Por",
    kinds: {
      charge: "Pago del cliente",
      payment: "Devolución al cliente",
      deposit_received: "Fianza recibida",
      deposit_returned: "Fianza devuelta",
      deposit_kept: "Cargo contra la fianza",
    },
    methods: {
      credit_card: "Tarjeta",
      cash: "Efectivo",
      bank_transfer: "Transferencia bancaria",
      wallet_standard: "Monedero electrónico",
      tpvA_256: "Tarjeta en línea",
      tpvB: "Tarjeta en línea",
      tpvC: "Tarjeta en línea",
      tpvD: "Tarjeta en línea",
      tpv_online: "Tarjeta en línea",
      check: "Cheque",
      promissory_note: "Pagaré",
      booking_portal: "Portal de reservas",
    },
  },
  ca: {
    page: "Pàgina {page} de {pages}",
    carriedOver: "Suma i segueix",
    tooLong: "Aquest text és massa llarg per imprimir-lo.",
    draft: "ESBORRANY",
    cancelled: "CANCEL·LAT",
    invoice: "Factura",
    simplifiedInvoice: "Factura simplificada",
    advanceInvoice: "Factura de bestreta",
    creditNote: "Factura rectificativa",
    internalBond: "Val intern",
    number: "Número",
    date: "Data",
    contract: "Contracte",
    corrects: "Rectifica la",
    replaces: "Substitueix",
    period: "Període",
    vehicle: "Vehicle",
    agency: "Agència",
    issuer: "EMISSOR",
    customer: "CLIENT",
    taxId: "NIF",
    concept: "Concepte",
    quantity: "Quant.",
    price: "Preu",
    rate: "IVA",
    amount: "Import",
    discount: "Descompte",
    base: "Base imposable",
    tax: "IVA",
    total: "Total",
    paid: "Pagat",
    credited: "Rectificat",
    paidToAgent: "Pagat a l'agència",
    pending: "Pendent",
    statement: "Extracte de compte",
    dueDate: "Venciment",
    overdue: "Vençut",
    taxesIncluded: "Preus i imports amb impostos inclosos.",
    receipt: "Rebut",
    receivedFrom: "Rebut de",
    paidTo: "Pagat a",
    method: "Forma de pagament",
    reference: "Operació",
    forWhat: "Per",
    kinds: {
      charge: "Pagament del client",
      payment: "Devolució al client",
      deposit_received: "Fiança rebuda",
      deposit_returned: "Fiança tornada",
      deposit_kept: "Càrrec contra la fiança",
    },
    methods: {
      credit_card: "Targeta",
      cash: "Efectiu",
      bank_transfer: "Transferència bancària",
      wallet_standard: "Moneder electrònic",
      tpvA_256: "Targeta en línia",
      tpvB: "Targeta en línia",
      tpvC: "Targeta en línia",
      tpvD: "Targeta en línia",
      tpv_online: "Targeta en línia",
      check: "Xec",
      promissory_note: "Pagaré",
      booking_portal: "Portal de reserves",
    },
  },
  en: {
    page: "Page {page} of {pages}",
    carriedOver: "Carried over",
    tooLong: "This text is too long to print.",
    draft: "DRAFT",
    cancelled: "CANCELLED",
    invoice: "Invoice",
    simplifiedInvoice: "Simplified invoice",
    advanceInvoice: "Advance payment invoice",
    creditNote: "Credit note",
    internalBond: "Internal bond",
    number: "Number",
    date: "Date",
    contract: "Contract",
    corrects: "Corrects",
    replaces: "Replaces",
    period: "Period",
    vehicle: "Vehicle",
    agency: "Agency",
    issuer: "FROM",
    customer: "TO",
    taxId: "Tax id",
    concept: "Description",
    quantity: "Qty",
    price: "Price",
    rate: "VAT",
    amount: "Amount",
    discount: "Discount",
    base: "Net amount",
    tax: "VAT",
    total: "Total",
    paid: "Paid",
    credited: "Credited",
    paidToAgent: "Paid to the agency",
    pending: "Balance due",
    statement: "Statement of account",
    dueDate: "Due date",
    overdue: "Overdue",
    taxesIncluded: "Prices and amounts include taxes.",
    receipt: "Receipt",
    receivedFrom: "Received from",
    paidTo: "Paid to",
    method: "Method",
    reference: "Transaction",
    forWhat: "For",
    kinds: {
      charge: "Payment by the customer",
      payment: "Refund to the customer",
      deposit_received: "Deposit received",
      deposit_returned: "Deposit returned",
      deposit_kept: "Charged to the deposit",
    },
    methods: {
      credit_card: "Card",
      cash: "Cash",
      bank_transfer: "Bank transfer",
      wallet_standard: "Electronic wallet",
      tpvA_256: "Card, online",
      tpvB: "Card, online",
      tpvC: "Card, online",
      tpvD: "Card, online",
      tpv_online: "Card, online",
      check: "Cheque",
      promissory_note: "Promissory note",
      booking_portal: "Booking portal",
    },
  },
  de: {
    page: "Seite {page} von {pages}",
    carriedOver: "Übertrag",
    tooLong: "Dieser Text ist zu lang zum Drucken.",
    draft: "ENTWURF",
    cancelled: "STORNIERT",
    invoice: "Rechnung",
    simplifiedInvoice: "Vereinfachte Rechnung",
    advanceInvoice: "Anzahlungsrechnung",
    creditNote: "Rechnungskorrektur",
    internalBond: "Interner Beleg",
    number: "Nummer",
    date: "Datum",
    contract: "Vertrag",
    corrects: "Korrigiert",
    replaces: "Ersetzt",
    period: "Zeitraum",
    vehicle: "Fahrzeug",
    agency: "Agentur",
    issuer: "VON",
    customer: "AN",
    taxId: "Steuernummer",
    concept: "Bezeichnung",
    quantity: "Menge",
    price: "Preis",
    rate: "USt.",
    amount: "Betrag",
    discount: "Nachlass",
    base: "Netto",
    tax: "USt.",
    total: "Gesamtbetrag",
    paid: "Bezahlt",
    credited: "Gutgeschrieben",
    paidToAgent: "An die Agentur bezahlt",
    pending: "Noch offen",
    statement: "Kontoauszug",
    dueDate: "Fällig am",
    overdue: "Überfällig",
    taxesIncluded: "Preise und Beträge enthalten die Steuern.",
    receipt: "Quittung",
    receivedFrom: "Erhalten von",
    paidTo: "Gezahlt an",
    method: "Zahlungsart",
    reference: "Vorgang",
    forWhat: "Für",
    kinds: {
      charge: "Zahlung des Kunden",
      payment: "Erstattung an den Kunden",
      deposit_received: "Kaution erhalten",
      deposit_returned: "Kaution zurückgegeben",
      deposit_kept: "Mit der Kaution verrechnet",
    },
    methods: {
      credit_card: "Karte",
      cash: "Bar",
      bank_transfer: "Überweisung",
      wallet_standard: "Elektronische Geldbörse",
      tpvA_256: "Karte, online",
      tpvB: "Karte, online",
      tpvC: "Karte, online",
      tpvD: "Karte, online",
      tpv_online: "Karte, online",
      check: "Scheck",
      promissory_note: "Eigenwechsel",
      booking_portal: "Buchungsportal",
    },
  },
};

/** Returns the printout texts in a supported language. */
export function printTexts(language: PlatformLanguage): PrintTexts {
  return TEXTS[language];
}
