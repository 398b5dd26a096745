import { describe, expect, test } from "vitest";
import { listMissingReportData } from "#domain/ministry-reports/missing-data.ts";
import { writeMinistryReportXml } from "#worker/authorities/ses/ministry-report-xml.ts";
import { parseAuthorityXml } from "#worker/authorities/xml.ts";
import { findBrokenSesRule } from "#worker/development/ses/ministry-simulator.ts";
import { createReportedRental } from "./reported-rental.ts";

const KINDS = ["RV", "AV"] as const;
const rental = createReportedRental();
const findProblem = (kind: "RV" | "AV", changed = rental, change = (xml: string) => xml) =>
  findBrokenSesRule(parseAuthorityXml(change(writeMinistryReportXml(kind, changed))), kind);

describe("the simulated ministry", () => {
  test.each(KINDS)("accepts a complete report of the type %s in the ministry's simulator", (kind) => {
    expect(findProblem(kind)).toBeUndefined();
  });

  test.each([
    ["RV", "apellido1", "el nombre y el primer apellido son obligatorios"],
    ["AV", "apellido2", "el segundo apellido es obligatorio con NIF"],
    ["AV", "tipoDocumento", "el documento requiere su tipo"],
    ["AV", "codigoMunicipio", "el código de municipio es obligatorio en España"],
    ["AV", "permisoConducir", "el permiso de conducir es obligatorio para el conductor"],
    ["AV", "(?:numero|tipo)Documento", "el documento es obligatorio"],
    ["AV", "(?:telefono|correo)", "falta teléfono o correo"],
  ] as const)("rejects a report of the type %s without %s in the ministry's simulator", (kind, name, problem) => {
    const without = (xml: string) => xml.replaceAll(new RegExp(`<${name}>.*?</${name}>`, "gs"), "");
    expect(findProblem(kind, rental, without)).toBe(`10121 ${problem}`);
  });

  test.each(KINDS)(
    "accepts in the ministry's simulator each report of the type %s in which the platform finds nothing missing",
    (kind) => {
      const names = Object.keys(rental.data);
      const checked = names.flatMap((name) => {
        const { [name]: _, ...data } = rental.data;
        return [undefined, "P123", "12345678Z", "X1234567L"].flatMap((documentId) =>
          ["García", "García López", "de la Fuente"].flatMap((surname) => {
            const changed = createReportedRental({ data, customer: { ...rental.customer, documentId, surname } });
            if (listMissingReportData(kind, changed).length > 0) return [];
            return [{ name, documentId, surname, problem: findProblem(kind, changed) }];
          }),
        );
      });
      expect(checked.length).toBeGreaterThan(0);
      expect(checked.filter(({ problem }) => problem !== undefined)).toEqual([]);
    },
  );
});
