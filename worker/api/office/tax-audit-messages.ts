import { z } from "zod";
import { type ChainFault, FAULTS, faultSentence } from "#domain/tax-records/audit.ts";
import type { Declaration, DeclarationPoint } from "#domain/tax-records/declaration.ts";

const chainFault = z
  .object({
    fault: z.enum(FAULTS),
    chain: z.string(),
    position: z.int().nullable(),
    number: z.string().meta({ description: "Series and number of the document" }),
    message: z.string(),
  })
  .meta({ id: "TaxChainFault" });

/** Result of auditing all tax records. */
export const chainCheck = z.object({
  records: z.int().meta({ description: "How many were looked at" }),
  faults: z.array(chainFault),
});
export type TaxChainCheckMessage = z.output<typeof chainCheck>;

export function toChainCheckMessage({
  records,
  faults,
}: {
  readonly records: number;
  readonly faults: readonly ChainFault[];
}): z.output<typeof chainCheck> {
  return {
    records,
    faults: faults.map((fault) => ({ ...fault, position: fault.position ?? null, message: faultSentence(fault) })),
  };
}

const point = z
  .object({ letter: z.string(), label: z.string(), text: z.string().nullable() })
  .meta({ id: "DeclarationPoint" });

/** Responsible declaration, in Spanish as required by law. */
export const declaration = z.object({
  title: z.string(),
  points: z.array(point).meta({ description: "a to l, in the order of the law" }),
  annex: z.array(point).meta({ description: "m, n, ñ" }),
  missing: z.array(z.string()).meta({ description: "Missing deployment settings. Nothing is declared without them" }),
});
export type TaxDeclarationMessage = z.output<typeof declaration>;

const VARIABLES: Readonly<Record<string, string>> = {
  name: "PRODUCER_NAME",
  taxId: "PRODUCER_TAX_ID",
  address: "PRODUCER_ADDRESS",
  place: "PRODUCER_PLACE",
  date: "PRODUCER_DATE",
};

export function toDeclarationMessage({ title, points, annex, missing }: Declaration): z.output<typeof declaration> {
  const fromDeclarationPoints = (all: readonly DeclarationPoint[]) =>
    all.map(({ letter, label, text }) => ({ letter, label, text: text ?? null }));
  return {
    title,
    points: fromDeclarationPoints(points),
    annex: fromDeclarationPoints(annex),
    missing: missing.map((field) => VARIABLES[field] ?? field),
  };
}
