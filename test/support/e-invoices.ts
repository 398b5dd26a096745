import { calculateItem, type DocumentItem, negateItem, sumTaxesByRate } from "#domain/documents/items.ts";
import type { DocumentForEInvoice, StoredParty } from "#domain/e-invoices/e-invoice.ts";

const SELLER: StoredParty = {
  name: "Coches del Sur SL",
  taxId: "B12345674",
  isPerson: false,
  street: "Calle Mayor 1",
  zip: "07001",
  city: "Palma",
  state: "Illes Balears",
  country: "ES",
  email: "facturas@sur.example",
  phone: "+34 971 000 000",
};

/** Customer with everything that any format needs. */
export const BUYER: StoredParty = {
  name: "Obras & Mar SL",
  taxId: "A58818501",
  isPerson: false,
  street: "Gran Via 2",
  zip: "28013",
  city: "Madrid",
  state: "Madrid",
  country: "ES",
  email: "pagos@obras.example",
  phone: "+34 910 000 000",
};

export type EInvoiceItem = readonly [concept: string, quantity: number, unitCents: number, vat: number];

const ITEMS: readonly EInvoiceItem[] = [
  ["Fiat 500", 1, 15_333, 2100],
  ["Silla infantil", 3, 1_111, 2100],
];

const toItem = ([concept, quantity, unitCents, vat]: EInvoiceItem): DocumentItem =>
  calculateItem({ concept, quantity, unitCents, vat });

/** Creates a document to convert, with the taxes of its items. */
export function createDocumentForEInvoice(
  changes: Partial<Omit<DocumentForEInvoice, "items">> & { readonly items?: readonly EInvoiceItem[] } = {},
  operations: Readonly<Record<number, DocumentForEInvoice["taxes"][number]["operation"]>> = {},
): DocumentForEInvoice {
  const { items: requestedItems = ITEMS, ...others } = changes;
  const items = requestedItems.map(toItem).map((item) => (others.form === "credit_note" ? negateItem(item) : item));
  return {
    form: "full",
    isAdvance: false,
    serie: "A-PMI-26",
    number: 7,
    date: "2026-05-07",
    dueDate: "2026-06-06",
    currency: "EUR",
    currencyDecimals: 2,
    language: "es",
    territory: "iva",
    concept: "Contrato 12",
    referenceDates: "2026-05-03 10:00 - 2026-05-06 10:00",
    reservation: "12",
    seller: SELLER,
    iban: "ES9121000418450200051332",
    buyer: BUYER,
    details: { buyer_reference: "04011000-12345-34" },
    paidCents: 0,
    preceding: [],
    creditReason: undefined,
    recordUrl: undefined,
    ...others,
    items,
    taxes: sumTaxesByRate(items).map((tax) => ({ ...tax, operation: operations[tax.vat] })),
  };
}

/** One document of every kind, by name. */
export const E_INVOICE_DOCUMENTS_BY_KIND: Readonly<Record<string, DocumentForEInvoice>> = {
  full: createDocumentForEInvoice(),
  paid: createDocumentForEInvoice({ paidCents: 18_666, dueDate: undefined }),
  "partly paid": createDocumentForEInvoice({ paidCents: 5_000 }),
  simplified: createDocumentForEInvoice({ form: "simplified", serie: "T-PMI-26" }),
  "credit note": createDocumentForEInvoice({
    form: "credit_note",
    serie: "R-PMI-26",
    dueDate: undefined,
    preceding: [{ serie: "A-PMI-26", number: 6, date: "2026-05-06" }],
  }),
  advance: createDocumentForEInvoice({ isAdvance: true, items: [["Anticipo", 1, 5_000, 2100]] }),
  "final after an advance": createDocumentForEInvoice({
    items: [
      ["Fiat 500", 1, 15_333, 2100],
      ["Anticipo", 1, -5_000, 2100],
    ],
    preceding: [{ serie: "A-PMI-26", number: 5, date: "2026-04-01" }],
  }),
  "simplified exchanged for full": createDocumentForEInvoice({
    preceding: [
      { serie: "T-PMI-26", number: 3, date: "2026-05-06" },
      { serie: "T-PMI-26", number: 4, date: "2026-05-06" },
    ],
  }),
  "several rates": createDocumentForEInvoice({
    items: [
      ["Fiat 500", 2, 9_999, 2100],
      ["Mapa", 1, 333, 400],
      ["Descuento", 1, -1_001, 2100],
      ["Fianza retenida", 1, 10_000, 0],
    ],
  }),
  igic: createDocumentForEInvoice({
    territory: "igic",
    items: [
      ["Fiat 500", 1, 10_700, 700],
      ["Libro", 1, 1_000, 0],
    ],
  }),
  ipsi: createDocumentForEInvoice({ territory: "ipsi", items: [["Fiat 500", 1, 10_400, 400]] }),
  exempt: createDocumentForEInvoice(
    {
      items: [
        ["Seguro", 1, 3_000, 0],
        ["Fiat 500", 1, 9_000, 2100],
      ],
    },
    { 0: "E1" },
  ),
  export: createDocumentForEInvoice({ items: [["Fiat 500", 1, 9_000, 0]] }, { 0: "E2" }),
  "within the Union": createDocumentForEInvoice(
    { items: [["Fiat 500", 1, 9_000, 0]], buyer: { ...BUYER, taxId: "DE123456789", country: "DE", zip: "10115" } },
    { 0: "E5" },
  ),
  "reverse charge": createDocumentForEInvoice(
    { items: [["Fiat 500", 1, 9_000, 0]], buyer: { ...BUYER, taxId: "DE123456789", country: "DE", zip: "10115" } },
    { 0: "S2" },
  ),
  "five rates": createDocumentForEInvoice({
    items: [
      ["Fiat 500", 1, 10_000, 2100],
      ["Silla infantil", 3, 333, 1000],
      ["Mapa", 1, 999, 500],
      ["Libro", 7, 143, 400],
      ["Fianza retenida", 1, 100, 0],
    ],
  }),
  "without amount": createDocumentForEInvoice({
    items: [
      ["Fiat 500", 1, 5_000, 2100],
      ["Anticipo", 1, -5_000, 2100],
      ["Regalo", 1, 0, 2100],
    ],
    preceding: [{ serie: "A-PMI-26", number: 5, date: "2026-04-01" }],
  }),
  "reduction above the sales of its rate": createDocumentForEInvoice({
    items: [
      ["Fiat 500", 1, 10_000, 2100],
      ["Descuento", 3, -333, 1000],
    ],
  }),
  "part of a collective invoice credited": createDocumentForEInvoice({
    form: "credit_note",
    serie: "R-PMI-26",
    dueDate: undefined,
    items: [
      ["Contrato 12: Fiat 500", 1, 9_000, 2100],
      ["Contrato 12: descuento", 1, -500, 2100],
      ["Contrato 13: Libro", 1, 700, 400],
    ],
    preceding: [{ serie: "A-PMI-26", number: 9, date: "2026-04-30" }],
  }),
  "igic reverse charge": createDocumentForEInvoice(
    { territory: "igic", items: [["Fiat 500", 1, 9_000, 0]] },
    { 0: "S2" },
  ),
  "german customer without a tax number": createDocumentForEInvoice({
    buyer: { ...BUYER, name: "Müller & Söhne", taxId: undefined, country: "DE", zip: "10115", state: undefined },
  }),
  "very long texts": createDocumentForEInvoice({
    concept: "K".repeat(3_000),
    buyer: { ...BUYER, name: "Ñ".repeat(300), street: "ß".repeat(400) },
    items: [["Ü".repeat(4_000), 1, 1_000, 2100]],
  }),
  "control characters": createDocumentForEInvoice({
    concept: "a\u0000b\ud800]]>&<\"'",
    buyer: { ...BUYER, name: "Ä\u000b \u{1f697}\ud83d <x>", street: "Straße\n\r\t 1" },
    items: [["T\u0008ür & \ufffe<", 1, 1_000, 2100]],
  }),
  "not subject": createDocumentForEInvoice({ items: [["Indemnización", 1, 9_000, 0]] }, { 0: "N1" }),
  person: createDocumentForEInvoice({
    buyer: { ...BUYER, name: "Ana García López", taxId: "00000000T", isPerson: true },
  }),
  foreigner: createDocumentForEInvoice({
    buyer: { ...BUYER, name: "John Doe", taxId: "X123456", isPerson: true, country: "GB", zip: "LS1 1AA" },
    details: { buyer_reference: "PO-1", endpoint: "0088:5012345678900" },
  }),
  recorded: createDocumentForEInvoice({
    recordUrl:
      "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674&numserie=A-PMI-26%2F7&fecha=07-05-2026&importe=186.66",
  }),
  "without decimals": createDocumentForEInvoice({
    currency: "JPY",
    currencyDecimals: 0,
    items: [["Fiat 500", 1, 9_000, 1000]],
  }),
  administration: createDocumentForEInvoice({
    details: {
      buyer_reference: "EXP-1",
      accounting_office: "L01280796",
      managing_body: "L01280796",
      processing_unit: "LA0000001",
    },
  }),
};
