import { describe, expect, test } from "vitest";
import { readTaxAgencyAnswer } from "#worker/authorities/tax-agency/answer.ts";

const line = (state: string, details = "", kind = "Alta") =>
  `<r:RespuestaLinea><r:IDFactura><f:IDEmisorFactura>89890001K</f:IDEmisorFactura><f:NumSerieFactura>A/1</f:NumSerieFactura></r:IDFactura>
  <r:Operacion><f:TipoOperacion>${kind}</f:TipoOperacion></r:Operacion><r:EstadoRegistro>${state}</r:EstadoRegistro>${details}</r:RespuestaLinea>`;
const envelop = (body: string, head = "<r:CSV>A-1</r:CSV><r:TiempoEsperaEnvio>60</r:TiempoEsperaEnvio>") =>
  `<?xml version="1.0"?><env:Envelope><env:Header/><env:Body><r:RespuestaRegFactuSistemaFacturacion>${head}${body}</r:RespuestaRegFactuSistemaFacturacion></env:Body></env:Envelope>`;
const code = (number: string) =>
  `<r:CodigoErrorRegistro>${number}</r:CodigoErrorRegistro><r:DescripcionErrorRegistro>Error ${number}</r:DescripcionErrorRegistro>`;
const duplicate = (state: string) =>
  `${code("3000")}<r:RegistroDuplicado><f:IdPeticionRegistroDuplicado>1</f:IdPeticionRegistroDuplicado><f:EstadoRegistroDuplicado>${state}</f:EstadoRegistroDuplicado><f:CodigoErrorRegistro>2000</f:CodigoErrorRegistro></r:RegistroDuplicado>`;
const read = (details: string, state = "Correcto") => {
  const answer = readTaxAgencyAnswer(envelop(line(state, details)));
  return answer.kind === "answered" ? answer.records[0] : undefined;
};

describe("answers of the tax agency", () => {
  test.each([
    ["Correcto", "", { state: "accepted", code: undefined, known: undefined }],
    ["AceptadoConErrores", code("2004"), { state: "accepted_with_errors", code: "2004", description: "Error 2004" }],
    ["Incorrecto", code("1189"), { state: "refused", code: "1189", known: undefined }],
    ["Incorrecto", duplicate("Correcta"), { state: "refused", code: "3000", known: "accepted" }],
    ["Incorrecto", duplicate("AceptadaConErrores"), { code: "3000", known: "accepted_with_errors" }],
    ["Incorrecto", duplicate("Anulada"), { code: "3000", known: "annulled" }],
  ] as const)("reads a record's result %s with %s", (state, details, expected) => {
    expect(read(details, state)).toMatchObject({ number: "A/1", isAnnulment: false, ...expected });
  });

  test("reads the result of an annulment, the secure code and the wait before the next submission", () => {
    expect(readTaxAgencyAnswer(envelop(line("Correcto", "", "Anulacion")))).toMatchObject({
      csv: "A-1",
      waitSeconds: 60,
      records: [{ isAnnulment: true, state: "accepted" }],
    });
  });

  test.each(["", "<r:TiempoEsperaEnvio/>", "<r:TiempoEsperaEnvio> </r:TiempoEsperaEnvio>"])(
    "returns no waiting time if the tax agency's answer contains none: %s",
    (head) => {
      const answer = readTaxAgencyAnswer(envelop(line("Incorrecto", code("1100")), head));
      expect(answer).toMatchObject({ kind: "answered", csv: undefined, waitSeconds: undefined });
    },
  );

  test.each([
    ["Codigo[4102].El XML no cumple el esquema.", "4102"],
    ["Codigo[4141]. Envíos suspendidos", "4141"],
    ["Codigo[4112].El titular del certificado debe ser Obligado Emisión", "4112"],
    ["Error interno en el servidor", undefined],
  ])("reads the code of a refused submission: %s", (text, expected) => {
    const fault = `<S:Envelope><S:Body><S:Fault><faultcode>S:Server</faultcode><faultstring>${text}</faultstring></S:Fault></S:Body></S:Envelope>`;
    expect(readTaxAgencyAnswer(fault)).toEqual({ kind: "fault", code: expected, description: text });
  });

  test.each(["", "<html>", "<ok/>"])("rejects a tax agency answer that contains no result: %s", (text) => {
    expect(() => readTaxAgencyAnswer(text)).toThrow();
  });
});
