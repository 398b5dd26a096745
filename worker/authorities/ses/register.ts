import { listMissingReportData } from "#domain/communications/missing-data.ts";
import type { RentalRegister } from "#worker/authorities/register.ts";
import { annulmentXml, communicationXml } from "./communication-xml.ts";
import { readListAnswer, readLotAnswer, readSesAnswer, sesListRequest, sesLotRequest, sesRequest } from "./envelope.ts";

const LISTS = {
  brand: "TIPO_MARCA_VEHICULO",
  color: "TIPO_COLOR",
  type: "TIPO_VEHICULO",
  licence: "TIPO_PERMISO_CONDUCIR",
} as const;

/** SES.HOSPEDAJES of the Spanish ministry of the interior. */
export const sesHospedajes: RentalRegister = {
  missing: listMissingReportData,
  write: communicationXml,
  open: ({ lessor, ask }) => ({
    send: async (kind, text) => readSesAnswer(await ask(sesRequest({ lessor, operation: "A", kind }, text))),
    annul: async (code) =>
      readSesAnswer(await ask(sesRequest({ lessor, operation: "B", kind: undefined }, annulmentXml(code)))),
    ask: async (lot) => readLotAnswer(await ask(sesLotRequest([lot])))[0],
    list: async (list) => readListAnswer(await ask(sesListRequest(LISTS[list]))),
    try: async () => void (await ask(sesLotRequest(["0"]))),
  }),
};
