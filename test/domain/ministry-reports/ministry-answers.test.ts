import { describe, expect, test } from "vitest";
import {
  findSesAccessError,
  readSesLotAnswer,
  readSesSubmissionAnswer,
  unzipBase64,
  writeSesRequest,
} from "#worker/authorities/ses/envelope.ts";

const soap = (body: string) =>
  `<?xml version="1.0"?><S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body>${body}</S:Body></S:Envelope>`;
const answer = (fields: string) =>
  soap(`<ns2:comunicacionResponse><respuesta>${fields}</respuesta></ns2:comunicacionResponse>`);
const refusal = (code: string, text: string) => answer(`<codigo>${code}</codigo><descripcion>${text}</descripcion>`);
const readLotAnswer = (fields: string) =>
  readSesLotAnswer(
    soap(
      `<ns2:consultaLoteResponse><respuesta><codigo>0</codigo></respuesta><resultado><lote>L1</lote>${fields}</resultado></ns2:consultaLoteResponse>`,
    ),
  )[0];
const fault = soap("<S:Fault><faultcode>S:Server</faultcode><faultstring>Internal error</faultstring></S:Fault>");

describe("requests to the ministry", () => {
  test.each([
    ["A", "AV", "<tipoOperacion>A</tipoOperacion><tipoComunicacion>AV</tipoComunicacion>"],
    ["B", undefined, "<tipoOperacion>B</tipoOperacion>"],
  ] as const)(
    "includes the kind of report only in a submission (A), not in an annulment (B): %s",
    (operation, kind, expected) => {
      const request = writeSesRequest({ lessor: "0000000001", operation, kind }, "<a/>");
      expect(request).toContain(`${expected}</cabecera>`);
      expect(request).toContain("<codigoArrendador>0000000001</codigoArrendador>");
    },
  );

  test("packs a long report in one deflated zip entry, in base64 on one line, always in the same bytes", () => {
    const xml = `<nombre>${"Ñandú ".repeat(400)}</nombre>`;
    const head = { lessor: "1", operation: "A", kind: "RV" } as const;
    const packed = /<solicitud>(.*)<\/solicitud>/s.exec(writeSesRequest(head, xml))?.[1] ?? "";
    expect(packed).toMatch(/^[A-Za-z0-9+/]+=*$/);
    const bytes = Buffer.from(packed, "base64");
    // The signature of a zip, unlike gzip's 1f8b, and method 8: deflate.
    expect([bytes.subarray(0, 4).toString("hex"), bytes.readUInt16LE(8)]).toEqual(["504b0304", 8]);
    // The end record counts the entries.
    expect(bytes.readUInt16LE(bytes.length - 12)).toBe(1);
    expect(unzipBase64(packed)).toBe(xml);
    expect(writeSesRequest(head, xml)).toBe(writeSesRequest(head, xml));
  });
});

describe("answers of the ministry", () => {
  test("reads the batch number of a received report, also under the manual's other name of the result code", () => {
    const received = { lot: "L1", error: undefined, isAlreadyStored: false, mayPass: false };
    expect(readSesSubmissionAnswer(answer("<codigo>0</codigo><descripcion>Ok</descripcion><lote>L1</lote>"))).toEqual(
      received,
    );
    expect(readSesSubmissionAnswer(answer("<codigoRetorno>0</codigoRetorno><lote>L1</lote>"))).toEqual(received);
  });

  test.each([
    ["10121", "El XML no es válido", { isAlreadyStored: false, mayPass: false }],
    ["10111", "La solicitud no es correcta", { isAlreadyStored: false, mayPass: false }],
    ["10130", "Ya existe", { isAlreadyStored: true, mayPass: false }],
    ["10131", "Lote duplicado", { isAlreadyStored: true, mayPass: false }],
    ["10103", "El arrendador no existe", { isAlreadyStored: false, mayPass: true }],
    ["10120", "Servicio web no habilitado", { isAlreadyStored: false, mayPass: true }],
    ["10999", "Error inesperado", { isAlreadyStored: false, mayPass: true }],
    ["-1", "Unknown", { isAlreadyStored: false, mayPass: true }],
  ])(
    "returns the ministry's error %s %s, and whether to retry or treat the report as already stored",
    (code, text, expected) => {
      expect(readSesSubmissionAnswer(refusal(code, text))).toEqual({
        lot: undefined,
        error: `${code} ${text}`,
        ...expected,
      });
    },
  );

  test.each([
    ["a fault", fault, "Internal error"],
    ["a code without a lot", answer("<codigo>0</codigo><descripcion>Ok</descripcion>"), "0 Ok"],
    ["an empty answer", soap(""), ""],
  ])("retries a report after %s instead of treating the report as rejected", (_, text, error) => {
    expect(readSesSubmissionAnswer(text)).toEqual({ lot: undefined, error, isAlreadyStored: false, mayPass: true });
  });

  test.each([
    ["1", "<codigoComunicacion>C1</codigoComunicacion>", { state: "done", code: "C1" }],
    ["2", "<descEstado>Error de formato</descEstado>", { state: "failed", error: "Error de formato" }],
    ["3", "<descEstado>Error inesperado</descEstado>", { state: "failed", error: "Error inesperado" }],
    ["4", "<descEstado>En proceso</descEstado>", { state: "works", error: undefined }],
    ["5", "<descEstado>Pendiente</descEstado>", { state: "works", error: undefined }],
    ["6", "<tipoError>10121</tipoError><error>Falta</error>", { state: "failed", error: "10121 Falta" }],
    ["7", "<descEstado>Aplazado</descEstado>", { state: "works", code: undefined, error: "7 Aplazado" }],
    ["", "<descEstado>Aplazado</descEstado>", { state: "works", code: undefined, error: "Aplazado" }],
  ] as const)("reads the state %s of a lot, and keeps the literal of an unknown one", (state, details, expected) => {
    const misspelled = `<tipoComuniacion>AV</tipoComuniacion><codigoEstado>${state}</codigoEstado><resutadoComunicacion>${details}</resutadoComunicacion>`;
    expect(readLotAnswer(misspelled)).toMatchObject({ lot: "L1", ...expected });
  });

  test.each([
    ["a positive code", answer("<codigo>0</codigo>"), undefined],
    ["an unknown lot", refusal("10140", "El lote no existe"), undefined],
    ["a disabled web service", refusal("10120", "Servicio web no habilitado"), "10120 Servicio web no habilitado"],
    ["a fault", fault, "Internal error"],
  ])("finds an access problem, if any, in the ministry's answer to a query with %s", (_, text, expected) => {
    expect(findSesAccessError(text)).toBe(expected);
  });
});
