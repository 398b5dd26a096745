import { listMissingReportData } from "#domain/ministry-reports/missing-data.ts";
import { listShortenedReportData } from "#domain/ministry-reports/shortened-data.ts";
import type { MinistryRegister } from "#worker/authorities/register.ts";
import {
  findSesAccessError,
  readSesListAnswer,
  readSesLotAnswer,
  readSesSubmissionAnswer,
  writeSesBatchRequest,
  writeSesListRequest,
  writeSesRequest,
} from "./envelope.ts";
import { writeAnnulmentXml, writeMinistryReportXml } from "./ministry-report-xml.ts";

const LISTS = {
  brand: "TIPO_MARCA_VEHICULO",
  color: "TIPO_COLOR",
  type: "TIPO_VEHICULO",
  licence: "TIPO_PERMISO_CONDUCIR",
} as const;

/** SES.HOSPEDAJES of the Spanish ministry of the interior. */
export const sesHospedajes: MinistryRegister = {
  listMissingData: listMissingReportData,
  listShortenedFields: listShortenedReportData,
  writeReport: writeMinistryReportXml,
  open: ({ lessor, ask }) => ({
    sendReport: async (kind, text) =>
      readSesSubmissionAnswer(await ask(writeSesRequest({ lessor, operation: "A", kind }, text))),
    withdrawReport: async (code) =>
      readSesSubmissionAnswer(
        await ask(writeSesRequest({ lessor, operation: "B", kind: undefined }, writeAnnulmentXml(code))),
      ),
    readLotState: async (lot) => readSesLotAnswer(await ask(writeSesBatchRequest([lot])))[0],
    readCodeList: async (list) => readSesListAnswer(await ask(writeSesListRequest(LISTS[list]))),
    testConnection: async () => findSesAccessError(await ask(writeSesBatchRequest(["0"]))),
  }),
};
