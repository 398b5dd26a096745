import { isPersonalTaxNumber, parseSpanishTaxId } from "#domain/tax-records/tax-id.ts";
import { parseUnionVatNumber } from "#domain/tax-records/vat-numbers.ts";
import { find, findAll, getChildText, type XmlElement } from "#domain/xml.ts";

// Rules beyond the schema, from the agency's list of errors (docs/interfaces/verifactu.md#rules-of-the-simulator).

/** A refusal of the agency. */
export type Problem = readonly [code: string, description: string];

const FORBIDDEN = /[<>"'=]/;
const NAMES = ["NombreRazonEmisor", "NombreRazon", "DescripcionOperacion"];

/** Returns the first business rule that a registration breaks. */
export function findBrokenRule(record: XmlElement, issuer: string): Problem | undefined {
  return findBadName(record) ?? findBadRecipient(record, issuer) ?? findBadLine(record);
}

function findBadName(record: XmlElement): Problem | undefined {
  const bad = NAMES.flatMap((name) => findAll(record, name)).find(({ text }) => FORBIDDEN.test(text));
  return bad && ["1287", `El campo ${bad.name} contiene caracteres no permitidos.`];
}

interface TaxedRecipient {
  readonly kind: string;
  readonly country: string | undefined;
  readonly id: string;
  /** Invoice type. */
  readonly type: string | undefined;
}

type Rule<Subject> = readonly [...Problem, isBroken: (subject: Subject) => boolean];

const OTHER_ID_RULES: readonly Rule<TaxedRecipient>[] = [
  ["1111", "CodigoPais es obligatorio si IDType no es 02.", ({ country, kind }) => !country && kind !== "02"],
  ["1126", "ES sólo con IDType 03 o 07.", ({ country, kind }) => country === "ES" && !["03", "07"].includes(kind)],
  [
    "1131",
    "El ID ha de ser el NIF de una persona física.",
    ({ kind, id }) => kind === "07" && !isPersonalTaxNumber(id),
  ],
  ["1103", "El valor del campo ID es incorrecto.", ({ kind, id }) => kind === "02" && !parseUnionVatNumber(id)],
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

function findBadRecipient(record: XmlElement, issuer: string): Problem | undefined {
  const recipient = find(record, "IDDestinatario");
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
  readonly regime: string | undefined;
  readonly exemption: string | undefined;
  readonly qualification: string | undefined;
  readonly rate: string | undefined;
}

const LINE_RULES: readonly Rule<TaxedLine>[] = [
  ["1245", "El campo ClaveRegimen debe estar cumplimentado.", ({ regime }) => regime === undefined],
  [
    "1195",
    "OperacionExenta o CalificacionOperacion, uno de los dos.",
    (line) => !line.exemption === !line.qualification,
  ],
  ["1199", "Con ClaveRegimen 01 no pueden marcarse E2, E3.", isExportInGeneralRegime],
  ["1238", "Una operación exenta no tiene TipoImpositivo.", ({ exemption, rate }) => Boolean(exemption && rate)],
];

function isExportInGeneralRegime({ regime, exemption = "" }: TaxedLine): boolean {
  return regime === "01" && ["E2", "E3"].includes(exemption);
}

function findBadLine(record: XmlElement): Problem | undefined {
  const lines = find(record, "Desglose")?.children ?? [];
  const problems = lines.map((line) =>
    findBroken(LINE_RULES, {
      regime: getChildText(line, "ClaveRegimen"),
      exemption: getChildText(line, "OperacionExenta"),
      qualification: getChildText(line, "CalificacionOperacion"),
      rate: getChildText(line, "TipoImpositivo"),
    }),
  );
  return problems.find(Boolean);
}

function findBroken<Subject>(rules: readonly Rule<Subject>[], subject: Subject): Problem | undefined {
  const broken = rules.find(([, , isBroken]) => isBroken(subject));
  return broken && [broken[0], broken[1]];
}
