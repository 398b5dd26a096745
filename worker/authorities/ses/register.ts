import { listMissingReportData } from "#domain/ministry-reports/missing-data.ts";
import { listShortenedReportData } from "#domain/ministry-reports/shortened-data.ts";
import type { RentalRegister } from "#worker/authorities/register.ts";
import {
  findSesAccessError,
  readSesAnswer,
  readSesListAnswer,
  readSesLotAnswer,
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
export const sesHospedajes: RentalRegister = {
  missing: listMissingReportData,
  shortened: listShortenedReportData,
  write: writeMinistryReportXml,
  open: ({ lessor, ask }) => ({
    send: async (kind, text) => readSesAnswer(await ask(writeSesRequest({ lessor, operation: "A", kind }, text))),
    annul: async (code) =>
      readSesAnswer(await ask(writeSesRequest({ lessor, operation: "B", kind: undefined }, writeAnnulmentXml(code)))),
    ask: async (lot) => readSesLotAnswer(await ask(writeSesBatchRequest([lot])))[0],
    list: async (list) => readSesListAnswer(await ask(writeSesListRequest(LISTS[list]))),
    try: async () => findSesAccessError(await ask(writeSesBatchRequest(["0"]))),
  }),
};
