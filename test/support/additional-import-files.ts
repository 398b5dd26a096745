import { createWorkbook } from "./workbook.ts";

/** A file of the other system and its errors if messy: row and column, counted from the headings. */
export interface AdditionalImportFile {
  readonly file: string;
  readonly rows: string[][];
  readonly write: (rows: readonly (readonly string[])[]) => Uint8Array;
  readonly faults?: readonly {
    readonly row: number;
    readonly column: number;
    readonly value: string;
    readonly field: string;
  }[];
}

const joinCells = (rows: readonly (readonly string[])[], separator: string) =>
  rows.map((row) =>
    row.map((cell) => (/[";\t|\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator),
  );
const encodeWindowsCsv = (rows: readonly (readonly string[])[]) =>
  Uint8Array.from(Buffer.from(`${joinCells(rows, ";").join("\r\n")}\r\n`, "latin1"));
const encodeTabs = (rows: readonly (readonly string[])[]) =>
  Uint8Array.from(Buffer.from(`${joinCells(rows, "\t").join("\n")}\n`, "latin1"));
const encodeBars = (rows: readonly (readonly string[])[]) =>
  new TextEncoder().encode(`${joinCells(rows, "|").join("\n")}\n`);
const encodeMarkedCsv = (rows: readonly (readonly string[])[]) =>
  new TextEncoder().encode(`\uFEFF${joinCells(rows, ";").join("\r\n")}\r\n\r\n;;\r\n`);
const utf16 = (rows: readonly (readonly string[])[]) =>
  Uint8Array.from(Buffer.from(`\uFEFF${joinCells(rows, "\t").join("\r\n")}\r\n`, "utf16le"));
const jsonLines = ([headings = [], ...rows]: readonly (readonly string[])[]) =>
  new TextEncoder().encode(
    rows.map((row) => `${JSON.stringify(Object.fromEntries(row.map((cell, at) => [headings[at], cell])))}\n`).join(""),
  );
const createSheet = (name: string) => (rows: readonly (readonly string[])[]) => createWorkbook({ [name]: rows });

/** Creates the company's other data besides fleet, customers and contracts, by the same authors and in all formats. */
export function createAdditionalImportFiles(plates: readonly string[]): readonly AdditionalImportFile[] {
  const [first = "", second = "", third = ""] = plates;
  return [
    {
      file: "12 canales.csv",
      rows: [
        ["Código", "Nombre"],
        ["WEB", "Página web"],
        ["MOST", "Mostrador "],
      ],
      write: utf16,
    },
    {
      file: "13 horarios.csv",
      rows: [
        ["Oficina", "weekday", "opens", "closes"],
        ["PMI", "1", "8:00", "22:00"],
        ["PMI", "2", "8.00", "22:00"],
        ["MAO", "1", "9:00h", "13:00"],
      ],
      write: encodeWindowsCsv,
      faults: [{ row: 2, column: 1, value: "9", field: "weekday" }],
    },
    {
      file: "14 festivos.csv",
      rows: [
        ["Oficina", "Fecha", "reason"],
        ["PMI", "25/12/2026", "Navidad"],
        ["MAO", "6/1/2027", "Reyes; día de"],
      ],
      write: encodeMarkedCsv,
      faults: [{ row: 2, column: 1, value: "31/06/2027", field: "date" }],
    },
    {
      file: "15 lugares.csv",
      rows: [
        ["Oficina", "Nombre", "place_type", "Precio"],
        ["PMI", "Aeropuerto, llegadas", "aeropuerto", "0,00"],
        ["MAO", "Puerto de Maó", "puerto", "1.015,00 €"],
      ],
      write: encodeBars,
    },
    {
      file: "16 familias.csv",
      rows: [
        ["Código", "Nombre"],
        ["TUR", "Turismos"],
        ["FUR", "Furgonetas"],
      ],
      write: encodeTabs,
    },
    {
      file: "17 opcionales.xlsx",
      rows: [
        ["Código", "Nombre", "Por", "Precio", "IVA", "max_quantity"],
        ["SILLA", "Silla de niño", "diario", "5.50", "21", "2"],
        ["GPS", "Navegador", "alquiler", "25", "21", "1"],
      ],
      write: createSheet("Hoja1"),
      faults: [{ row: 2, column: 2, value: "semana", field: "price_per" }],
    },
    {
      file: "18 extras_de_contrato.csv",
      rows: [
        ["Contrato", "extra_code", "Cantidad", "extra"],
        ["2026/0", "SILLA", "2", "0,00"],
        ["2026/1", "SILLA", "1", "0,00"],
      ],
      write: encodeWindowsCsv,
      faults: [{ row: 2, column: 0, value: "2026/999", field: "booking_id" }],
    },
    {
      file: "19 agencias.csv",
      rows: [
        ["Nombre", "Canal"],
        ["Viajes Ñandú", "WEB"],
      ],
      write: encodeWindowsCsv,
    },
    {
      file: "20 agentes.csv",
      rows: [
        ["Nombre", "commission_percent"],
        ["Hotel Sol", "12,50 %"],
        ["Hotel Luna", "10 %"],
      ],
      write: encodeMarkedCsv,
      faults: [{ row: 1, column: 0, value: "Hotel Espa\uFFFDa", field: "name" }],
    },
    {
      file: "21 ofertas.csv",
      rows: [
        ["Nombre", "discount_type", "value", "rental_from", "rental_to"],
        ["Otoño", "porcentaje", "15", "01/10/2026", "30/11/2026"],
        ["Fijo", "amount", "20,00", "", ""],
      ],
      write: encodeWindowsCsv,
      faults: [{ row: 1, column: 2, value: "150", field: "value" }],
    },
    {
      file: "22 codigos_promocionales.csv",
      rows: [
        ["Código", "discount_type", "value"],
        ["VERANO", "percentage", "10"],
      ],
      write: encodeWindowsCsv,
      faults: [{ row: 1, column: 0, value: "verano", field: "code" }],
    },
    {
      file: "23 bloqueos.csv",
      rows: [
        ["Matrícula", "kind", "starts_at", "ends_at", "reason"],
        [first, "taller", "13/07/2026 8:00", "14/07/2026 18:00", "ITV"],
        [second, "averia", "20/07/2026", "21/07/2026", ""],
      ],
      write: encodeWindowsCsv,
      faults: [{ row: 2, column: 3, value: "19/07/2026", field: "ends_at" }],
    },
    { file: "24 cuentas_de_gasto.csv", rows: [["Nombre"], ["Flota"]], write: encodeWindowsCsv },
    {
      file: "25 conceptos_de_gasto.csv",
      rows: [
        ["expense_account_id", "Nombre"],
        ["Flota", "Neumáticos"],
        ["Flota", "Seguro"],
      ],
      write: encodeWindowsCsv,
    },
    {
      file: "26 gastos.csv",
      rows: [
        ["Vehículo", "expense_concept_id", "Fecha", "Base", "Cuota", "Total", "description"],
        [first, "Neumáticos", "02/04/2026", "100,00", "21,00", "121,00", "4 ruedas"],
        [third, "Seguro", "03/04/2026", "1.100,00", "0,00", "1.100,00", ""],
      ],
      write: encodeWindowsCsv,
      faults: [{ row: 2, column: 5, value: "1.000,00", field: "total" }],
    },
    {
      file: "27 edades.csv",
      rows: [
        ["description", "age_from", "age_to", "cost_per", "cost"],
        ["Joven", "18", "24", "diario", "10,00"],
        ["Adulto", "25", "99", "diario", "0,00"],
      ],
      write: encodeWindowsCsv,
      faults: [{ row: 2, column: 1, value: "24", field: "" }],
    },
    {
      file: "28 reglas.csv",
      rows: [
        ["Categoria", "minimum_days", "no_pickup_weekdays"],
        ["A", "2", "6 7"],
        ["B", "3", ""],
      ],
      write: encodeWindowsCsv,
      faults: [{ row: 1, column: 2, value: "domingo", field: "no_pickup_weekdays" }],
    },
    {
      file: "29 cancelacion.csv",
      rows: [
        ["occasion", "hours_before", "fee_type", "fee_value"],
        ["cancellation", "48", "percentage", "50"],
        ["cancellation", "24", "days", "1"],
        ["no_show", "", "percentage", "100 %"],
      ],
      write: encodeWindowsCsv,
    },
    {
      file: "30 series.csv",
      rows: [
        ["Serie", "last_number", "last_date"],
        ["R-PMI-26", "12", "15/06/2026"],
      ],
      write: encodeWindowsCsv,
      faults: [{ row: 1, column: 2, value: "15/06/2062", field: "last_date" }],
    },
    {
      file: "31 condiciones.jsonl",
      rows: [
        ["language", "terms"],
        ["es", "## Uso\nEl vehículo se entrega limpio."],
        ["ca", "## Ús\nEl vehicle es lliura net."],
      ],
      write: jsonLines,
    },
  ];
}
