import { z } from "zod";

const STATES = ["not_due", "missing_data", "due", "waiting", "dry", "sent", "accepted", "refused"] as const;

const communication = z
  .object({
    kind: z.enum(["RV", "AV"]).meta({ description: "RV: the reservation; AV: a vehicle that went out, each its own" }),
    unit_id: z.int().nullable(),
    state: z.enum(STATES),
    missing: z.array(z.string()).meta({ description: "What is to be asked for before the hand-over, by its names" }),
    xml: z.string().nullable().meta({ description: "As it is or would be sent; null where something is missing" }),
    code: z.string().nullable().meta({ description: "The ministry's, once accepted" }),
    error: z.string().nullable(),
  })
  .meta({ id: "Communication" });

export const communicationList = z.array(communication);
export const tryAnswer = z.object({ works: z.boolean(), problem: z.string().nullable() });

interface Wanted {
  readonly kind: "RV" | "AV";
  readonly unitId: number | null;
  readonly isDue: boolean;
  readonly missing: readonly string[];
  readonly xml: string | undefined;
  readonly kept:
    | { readonly state: string; readonly xml: string; readonly code: string | null; readonly error: string | null }
    | undefined;
}

export function fromCommunications(wanted: readonly Wanted[]): z.output<typeof communicationList> {
  return wanted.map(({ kind, unitId, isDue, missing, xml, kept }) => ({
    kind,
    unit_id: unitId,
    state: STATES.find((one) => one === kept?.state) ?? stateOf(isDue, missing),
    missing: [...missing],
    xml: kept?.xml ?? xml ?? null,
    code: kept?.code ?? null,
    error: kept?.error ?? null,
  }));
}

function stateOf(isDue: boolean, missing: readonly string[]): (typeof STATES)[number] {
  if (!isDue) return "not_due";
  return missing.length > 0 ? "missing_data" : "due";
}
