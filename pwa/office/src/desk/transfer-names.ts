import { getUserLanguage } from "../account.ts";
import { useOptions } from "./use-options.ts";

/** Record with a name in the company's language and others. */
interface NamedRecord {
  readonly name: string | null;
  readonly translations: unknown;
}

type Names = Readonly<Record<string, string>>;

const readNames = ({ translations }: NamedRecord): Names =>
  (translations as { readonly name?: Names } | null)?.name ?? {};

/** Returns the name of a record in the user's language, or its own name without a translation. */
export const getRecordName = (record: NamedRecord): string => readNames(record)[getUserLanguage()] ?? record.name ?? "";

/** Returns an agreed name in the user's language. Names that no record has any more stay as agreed. */
export function translateAgreedName(records: readonly NamedRecord[], agreed: string): string {
  const record = records.find((item) => item.name === agreed || Object.values(readNames(item)).includes(agreed));
  return record ? getRecordName(record) : agreed;
}

/** Returns a function that translates agreed names of transfer points. */
export function useTransferPointNames(isNeeded: boolean): (agreed: string) => string {
  const points = useOptions("transfer-points", isNeeded);
  return (agreed) => translateAgreedName(points, agreed);
}

/** Returns a function that translates agreed names of transfer vehicles and extras. */
export function useTransferVehicleAndExtraNames(isNeeded: boolean): (agreed: string) => string {
  const vehicles = useOptions("transfer-vehicles", isNeeded);
  const extras = useOptions("transfer-extras", isNeeded);
  return (agreed) => translateAgreedName([...vehicles, ...extras], agreed);
}
