import { z } from "zod";
import { CHAIN_FAULT_KINDS, type ChainFault, formatChainFault } from "#domain/tax-records/audit.ts";
import type { DeclarationPoint, ResponsibleDeclaration } from "#domain/tax-records/declaration.ts";

const chainFault = z
  .object({
    fault: z.enum(CHAIN_FAULT_KINDS),
    chain: z.string(),
    position: z.int().nullable(),
    number: z.string().meta({ description: "Series and number of the document" }),
    message: z.string(),
  })
  .meta({ id: "TaxChainFault" });

/** Result of auditing all tax records. */
export const taxChainCheckAnswer = z.object({
  records: z.int().meta({ description: "How many were looked at" }),
  faults: z.array(chainFault),
});
export type TaxChainCheckMessage = z.output<typeof taxChainCheckAnswer>;

export function toTaxChainCheckMessage({
  records,
  faults,
}: {
  readonly records: number;
  readonly faults: readonly ChainFault[];
}): z.output<typeof taxChainCheckAnswer> {
  return {
    records,
    faults: faults.map((fault) => ({ ...fault, position: fault.position ?? null, message: formatChainFault(fault) })),
  };
}

const point = z
  .object({ letter: z.string(), label: z.string(), text: z.string().nullable() })
  .meta({ id: "DeclarationPoint" });

/** Responsible declaration, in Spanish as required by law. */
export const producerDeclarationAnswer = z.object({
  title: z.string(),
  points: z.array(point).meta({ description: "a to l, in the order of the law" }),
  annex: z.array(point).meta({ description: "m, n, ñ" }),
  missing: z.array(z.string()).meta({ description: "Missing deployment settings. Nothing is declared without them" }),
});
export type ProducerDeclarationMessage = z.output<typeof producerDeclarationAnswer>;

const VARIABLES: Readonly<Record<string, string>> = {
  name: "PRODUCER_NAME",
  taxId: "PRODUCER_TAX_ID",
  address: "PRODUCER_ADDRESS",
  place: "PRODUCER_PLACE",
  date: "PRODUCER_DATE",
};

export function toProducerDeclarationMessage({
  title,
  points,
  annex,
  missing,
}: ResponsibleDeclaration): z.output<typeof producerDeclarationAnswer> {
  const fromDeclarationPoints = (all: readonly DeclarationPoint[]) =>
    all.map(({ letter, label, text }) => ({ letter, label, text: text ?? null }));
  return {
    title,
    points: fromDeclarationPoints(points),
    annex: fromDeclarationPoints(annex),
    missing: missing.map((field) => VARIABLES[field] ?? field),
  };
}
