import { isPersonalTaxNumber, parseSpanishTaxId } from "#domain/tax-records/tax-id.ts";
import { parseEuVatNumber } from "#domain/tax-records/vat-numbers.ts";
import { findDescendant, findOutermostDescendants, getChildText, type XmlElement } from "#domain/xml.ts";

// Rules beyond the schema, from the agency's list of errors (docs/interfaces/verifactu.md#rules-of-the-simulator).

/** A refusal of the agency. */
export type RuleViolation = readonly [code: string, description: string];

const FORBIDDEN = /[<>"'=]/;
const NAMES = ["NombreRazonEmisor", "NombreRazon", "DescripcionOperacion"];

/** Returns the first business rule that a registration breaks. */
export function findBrokenTaxRecordRule(record: XmlElement, issuer: string): RuleViolation | undefined {
  return findBadName(record) ?? findBadRecipient(record, issuer) ?? findBadLine(record) ?? findBadWhole(record);
}

function findBadName(record: XmlElement): RuleViolation | undefined {
  const bad = NAMES.flatMap((name) => findOutermostDescendants(record, name)).find(({ text }) => FORBIDDEN.test(text));
  return bad && ["1287", `El campo ${bad.name} contiene caracteres no permitidos.`];
}

interface TaxedRecipient {
  readonly kind: string;
  readonly country: string | undefined;
  readonly id: string;
  /** Type of the invoice in the agency's list, such as `F1`. */
  readonly type: string | undefined;
}

type Rule<Subject> = readonly [...RuleViolation, isBroken: (subject: Subject) => boolean];

const OTHER_ID_RULES: readonly Rule<TaxedRecipient>[] = [
  ["1111", "CodigoPais es obligatorio si IDType no es 02.", ({ country, kind }) => !country && kind !== "02"],
  ["1126", "ES sólo con IDType 03 o 07.", ({ country, kind }) => country === "ES" && !["03", "07"].includes(kind)],
  [
    "1131",
    "El ID ha de ser el NIF de una persona física.",
    ({ kind, id }) => kind === "07" && !isPersonalTaxNumber(id),
  ],
  ["1103", "El valor del campo ID es incorrecto.", ({ kind, id }) => kind === "02" && !parseEuVatNumber(id)],
  ["1122", "CodigoPais no coincide con el identificador.", hasOtherCountry],
  ["1191", "Si TipoFactura es R3 sólo se admite NIF o IDType 07.", ({ type, kind }) => type === "R3" && kind !== "07"],
  [
    "1192",
    "Si TipoFactura es R2 sólo NIF, 07 o 02.",
    ({ type, kind }) => type === "R2" && !["02", "07"].includes(kind),
  ],
];

function hasOtherCountry({ kind, country, id }: TaxedRecipient): boolean {
  return kind === "02" && country !== undefined && !id.startsWith(country);
}

function findBadRecipient(record: XmlElement, issuer: string): RuleViolation | undefined {
  const recipient = findDescendant(record, "IDDestinatario");
  if (!recipient) return undefined;
  const taxId = getChildText(recipient, "NIF");
  if (taxId === issuer) return ["1193", "El NIF del destinatario es el del obligado a la emisión."];
  if (taxId !== undefined)
    return parseSpanishTaxId(taxId) === taxId ? undefined : ["1123", "El formato del NIF es incorrecto."];
  return findBroken(OTHER_ID_RULES, {
    kind: getChildText(recipient, "IDType") ?? "",
    country: getChildText(recipient, "CodigoPais"),
    id: getChildText(recipient, "ID") ?? "",
    type: getChildText(record, "TipoFactura"),
  });
}

interface TaxedLine {
  readonly tax: string | undefined;
  readonly regime: string | undefined;
  readonly exemption: string | undefined;
  readonly qualification: string | undefined;
  readonly rate: number | undefined;
  readonly base: number;
  readonly amount: number | undefined;
  /** Type of the invoice in the agency's list, such as `F1`. */
  readonly type: string | undefined;
  /** Date of issue, `2026-11-21`. */
  readonly date: string;
}

const VAT_RATES = [0, 2, 4, 5, 7.5, 10, 21];
const SIMPLIFIED = ["F2", "R5"];
/** Credit notes that take back the tax alone. */
const RECOVERED_TAX = ["R2", "R3"];
/** Operations that a regime of VAT or IGIC allows, with the code of the refusal. */
const REGIMES: Readonly<Record<string, readonly [code: string, allowed: RegExp]>> = {
  "02": ["1286", /^E/],
  "03": ["1200", /^S1$/],
  "04": ["1201", /^(?:S2|E\d)$/],
  "07": ["1203", /^(?:S1|E[16])$/],
  "10": ["1205", /^N1$/],
};
const TRANSFER_REGIMES: typeof REGIMES = { "08": ["1252", /^N2$/], "20": ["1293", /^N2$/] };

const isVat = ({ tax }: TaxedLine): boolean => tax === undefined || tax === "01";
const isWithin = ({ date }: TaxedLine, from: string, to: string): boolean => date >= from && date <= to;
const has = ({ exemption, qualification }: TaxedLine, ...operations: readonly string[]): boolean =>
  operations.includes(qualification ?? exemption ?? "");
const isTaxed = ({ rate, amount }: TaxedLine): boolean => rate !== undefined || amount !== undefined;

function isOutsideRegime(line: TaxedLine, code: string): boolean {
  const { tax, regime = "", qualification, exemption } = line;
  const rule = (tax === "02" ? undefined : REGIMES[regime]) ?? (isVat(line) ? TRANSFER_REGIMES[regime] : undefined);
  return rule !== undefined && rule[0] === code && !rule[1].test(qualification ?? exemption ?? "");
}

const regimeRule = (code: string): Rule<TaxedLine> => [
  code,
  "La operación no corresponde a la ClaveRegimen.",
  (line) => isOutsideRegime(line, code),
];

const LINE_RULES: readonly Rule<TaxedLine>[] = [
  ["1245", "El campo ClaveRegimen debe estar cumplimentado.", ({ regime }) => regime === undefined],
  ["1195", "Falta OperacionExenta o CalificacionOperacion.", (line) => !line.exemption && !line.qualification],
  ["1196", "OperacionExenta y CalificacionOperacion se excluyen.", (line) => !!line.exemption && !!line.qualification],
  ["1199", "Con ClaveRegimen 01 no pueden marcarse E2, E3.", (line) => line.regime === "01" && has(line, "E2", "E3")],
  ["1238", "Una operación exenta no tiene tipo ni cuota.", (line) => !!line.exemption && isTaxed(line)],
  [
    "1237",
    "Una operación no sujeta no tiene tipo ni cuota.",
    (line) => isVat(line) && has(line, "N1", "N2") && isTaxed(line),
  ],
  ["1197", "S2 no se admite en F2 ni R5.", (line) => has(line, "S2") && SIMPLIFIED.includes(line.type ?? "")],
  ["1198", "Con S2 el tipo y la cuota son 0.", (line) => has(line, "S2") && (line.rate !== 0 || line.amount !== 0)],
  [
    "1208",
    "Con S1 el tipo y la cuota son obligatorios.",
    (line) => has(line, "S1") && !(line.rate !== undefined && line.amount !== undefined),
  ],
  [
    "1124",
    "TipoImpositivo no permitido.",
    (line) => isVat(line) && line.rate !== undefined && !VAT_RATES.includes(line.rate),
  ],
  [
    "1194",
    "El 5 % acabó el 30-09-2024.",
    (line) => isVat(line) && line.rate === 5 && !isWithin(line, "2022-07-01", "2024-09-30"),
  ],
  [
    "1235",
    "El 2 % acabó el 31-12-2024.",
    (line) => isVat(line) && line.rate === 2 && !isWithin(line, "2024-10-01", "2024-12-31"),
  ],
  [
    "1236",
    "El 7,5 % acabó el 31-12-2024.",
    (line) => isVat(line) && line.rate === 7.5 && !isWithin(line, "2024-10-01", "2024-12-31"),
  ],
  ["1206", "ClaveRegimen 11 es del 21 %.", (line) => isVat(line) && line.regime === "11" && line.rate !== 21],
  ["1202", "ClaveRegimen 06 requiere BaseImponibleACoste.", (line) => line.tax !== "02" && line.regime === "06"],
  ["1147", "ClaveRegimen 14 requiere FechaOperacion.", (line) => line.tax !== "02" && line.regime === "14"],
  ...["1286", "1200", "1201", "1203", "1205", "1252", "1293"].map(regimeRule),
  ["1143", "Cuota y base de signo distinto.", ({ base, amount = 0 }) => base * amount < 0],
  [
    "1142",
    "La cuota no corresponde a base y tipo.",
    ({ base, rate = 0, amount = 0, type }) =>
      !RECOVERED_TAX.includes(type ?? "") && Math.abs((base * rate) / 100 - amount) > 10,
  ],
];

function findBadLine(record: XmlElement): RuleViolation | undefined {
  const lines = findDescendant(record, "Desglose")?.children ?? [];
  const type = getChildText(record, "TipoFactura");
  const date = toIsoDate(getIssueDate(record));
  const toNumber = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const problems = lines.map((line) =>
    findBroken(LINE_RULES, {
      tax: getChildText(line, "Impuesto"),
      regime: getChildText(line, "ClaveRegimen"),
      exemption: getChildText(line, "OperacionExenta"),
      qualification: getChildText(line, "CalificacionOperacion"),
      rate: toNumber(getChildText(line, "TipoImpositivo")),
      base: toNumber(getChildText(line, "BaseImponibleOimporteNoSujeto")) ?? 0,
      amount: toNumber(getChildText(line, "CuotaRepercutida")),
      type,
      date,
    }),
  );
  return problems.find(Boolean);
}

const getIssueDate = (record: XmlElement): string =>
  getChildText(findDescendant(record, "IDFactura"), "FechaExpedicionFactura") ?? "";
const toIsoDate = (text: string): string => text.split("-").toReversed().join("-");

const FIRST_DATE = "2024-10-28";
const MAX_SIMPLIFIED = 3_010;

// The agency allows ten euros of tolerance for a simplified invoice's limit.
function findBadWhole(record: XmlElement): RuleViolation | undefined {
  const date = toIsoDate(getIssueDate(record));
  if (date > (getChildText(record, "FechaHoraHusoGenRegistro") ?? "").slice(0, 10))
    return ["1112", "FechaExpedicionFactura es superior a la fecha actual."];
  if (date < FIRST_DATE) return ["1152", "FechaExpedicionFactura es inferior al 28 de octubre de 2024."];
  const isSimplified = getChildText(record, "TipoFactura") === "F2";
  return isSimplified && Number(getChildText(record, "ImporteTotal")) > MAX_SIMPLIFIED
    ? ["1150", "Una factura F2 no supera 3.000."]
    : undefined;
}

function findBroken<Subject>(rules: readonly Rule<Subject>[], subject: Subject): RuleViolation | undefined {
  const broken = rules.find(([, , isBroken]) => isBroken(subject));
  return broken && [broken[0], broken[1]];
}
