/** Record stored by the simulator. */
export interface SimulatedTaxRecord {
  readonly number: string;
  readonly date: string;
  readonly kind: "registration" | "annulment";
  readonly hash: string;
  readonly total: string | undefined;
  readonly state: "Correcto" | "AceptadoConErrores";
  readonly code: string | undefined;
}

/** Simulator's data of a taxpayer's installation: accepted records in order. */
export interface SimulatedTaxRecordChain {
  readonly issuer: string;
  readonly installation: string;
  readonly records: readonly SimulatedTaxRecord[];
  /** Hash of the last received record, including rejected ones. The next record refers to it. */
  readonly last?: string | undefined;
}

/** Configured failure of the simulator, and its remaining repetitions. */
export interface SimulatedTaxAgencyFault {
  readonly mode: "down" | "lost_answer" | "suspended" | "refuse";
  readonly times: number;
}

const FOLDER = "stand-in/tax-agency";
const FAULT = `${FOLDER}/fault.json`;

const getChainKey = (issuer: string, installation: string) => `${FOLDER}/chains/${issuer}/${installation}.json`;

/** Returns the simulator's data of an installation. */
export async function readSimulatedChain(
  files: R2Bucket,
  issuer: string,
  installation: string,
): Promise<SimulatedTaxRecordChain> {
  const storedFile = await files.get(getChainKey(issuer, installation));
  return storedFile ? storedFile.json<SimulatedTaxRecordChain>() : { issuer, installation, records: [] };
}

export async function saveSimulatedChain(files: R2Bucket, chain: SimulatedTaxRecordChain): Promise<void> {
  await files.put(getChainKey(chain.issuer, chain.installation), JSON.stringify(chain));
}

/** Returns all of the simulator's data. */
export async function listSimulatedChains(files: R2Bucket): Promise<readonly SimulatedTaxRecordChain[]> {
  const { objects } = await files.list({ prefix: `${FOLDER}/chains/` });
  const storedFile = await Promise.all(objects.map(({ key }) => files.get(key)));
  return Promise.all(
    storedFile.flatMap((r2ObjectBody) => (r2ObjectBody ? [r2ObjectBody.json<SimulatedTaxRecordChain>()] : [])),
  );
}

/** Makes the simulator fail this many times. */
export async function saveSimulatedTaxAgencyFault(files: R2Bucket, fault: SimulatedTaxAgencyFault): Promise<void> {
  await files.put(FAULT, JSON.stringify(fault));
}

/** Returns the current failure mode and decrements its count. */
export async function consumeSimulatedTaxAgencyFault(
  files: R2Bucket,
): Promise<SimulatedTaxAgencyFault["mode"] | undefined> {
  const fault = await (await files.get(FAULT))?.json<SimulatedTaxAgencyFault>();
  if (!fault || fault.times <= 0) return undefined;
  await saveSimulatedTaxAgencyFault(files, { ...fault, times: fault.times - 1 });
  return fault.mode;
}
