import { createAdditionalImportFiles } from "./additional-import-files.ts";

// Fictional company with exports of another rental system: Windows-1252, semicolons, decimal commas, Spanish headings,
// tabs and spreadsheet habits. The same seed creates the same company.

/** An error in the files, and the place that a dry run must report. */
export interface ImportedFileFault {
  readonly file: string;
  readonly line: number;
  readonly field: string;
}

export interface OtherSystemExport {
  /** Content of each file by its name. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly faults: readonly ImportedFileFault[];
  readonly counts: {
    readonly customers: number;
    readonly vehicles: number;
    readonly contracts: number;
    readonly invoices: number;
  };
  /** Sum of all payments, in cents. */
  readonly paid: number;
}

/** Mapping that the company must write, because its file names are unusual. */
export const OTHER_SYSTEM_MAPPING = {
  files: {
    "27 edades.csv": "driver_age_rules",
    "28 reglas.csv": "selling_rules",
    "29 cancelacion.csv": "cancellation_terms",
    "31 condiciones.jsonl": "contract_terms",
  },
  columns: { branches: { "Oficina nombre": "name", Huso: "timezone", Moneda: "currency" } },
};

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const NAMES = ["José", "Begoña", "Íñigo", "Zoë", "Jürgen", "Núria", "Ana", "Ian"];
const SURNAMES = ["Muñoz", "García Peña", "O'Neill", "Müller", "Çelik", "Ibáñez", "Solé", "López"];
const PRICES = [3190, 4550, 6025, 125_000];

const windows1252 = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));
const utf8WithMark = (text: string) => new TextEncoder().encode(`\uFEFF${text}`);
const formatCommaAmount = (cents: number) => {
  const [whole = "", fraction = ""] = (cents / 100).toFixed(2).split(".");
  return `${whole.replaceAll(/\B(?=(\d{3})+$)/g, ".")},${fraction}`;
};
const day = (number: number) => `${String(number).padStart(2, "0")}`;
const createCsv = (rows: readonly (readonly string[])[], separator = ";") =>
  `${rows.map((row) => row.join(separator)).join("\r\n")}\r\n`;

type Pick = <T>(list: readonly T[]) => T;

interface RentalSheets {
  readonly contracts: string[][];
  readonly charges: string[][];
  readonly invoices: string[][];
}

/** Creates contracts, half of them open, with payments, deposits and invoices. */
function createRentalSheets(plates: readonly string[], pick: Pick): RentalSheets & { readonly paid: number } {
  const sheets: RentalSheets = {
    contracts: ["Clave;Estado;Cliente;Oficina;Desde;Hora desde;Hasta;Categoria;Vehiculo;Total;Fianza".split(";")],
    charges: ["Clave;Contrato;Tipo;Forma de pago;Fecha;Importe".split(";")],
    invoices: ["Contrato;Cliente;Serie;Número;Fecha;Total;IVA".split(";")],
  };
  const prices = plates.map(() => pick(PRICES));
  for (const [index, plate] of plates.entries()) {
    const isOpen = index >= plates.length / 2;
    const rental = {
      index,
      plate,
      price: formatCommaAmount(prices[index] ?? 0),
      method: pick(["Tarjeta", "Efectivo"]),
    };
    if (isOpen) addOpen(sheets, rental);
    else addClosed(sheets, rental);
  }
  return { ...sheets, paid: prices.reduce((sum, price) => sum + price, 0) };
}

interface Rental {
  readonly index: number;
  readonly plate: string;
  readonly price: string;
  readonly method: string;
}

const getOfficeCode = (index: number) => (index % 4 === 0 ? "MAO" : "PMI");
const getCategoryCode = (index: number) => (index % 3 === 0 ? "B" : "A");

function addOpen({ contracts, charges }: RentalSheets, { index, plate, price, method }: Rental): void {
  const [key, office, category] = [`2026/${index}`, getOfficeCode(index), getCategoryCode(index)];
  const from = "28/06/2026";
  contracts.push([key, "Abierto", `C-${index}`, office, from, "9:00", "10/07/2026", category, plate, price, "300,00"]);
  charges.push([`P-${index}`, key, "contrato", method, `${from} 09:05`, price]);
  charges.push([`F-${index}`, key, "fianza", "Tarjeta", `${from} 09:06`, "300,00"]);
}

function addClosed({ contracts, charges, invoices }: RentalSheets, { index, plate, price, method }: Rental): void {
  const [key, office, category] = [`2026/${index}`, getOfficeCode(index), getCategoryCode(index)];
  const [from, to] = [`${day(1 + (index % 20))}/05/2026`, `${day(4 + (index % 20))}/05/2026`];
  contracts.push([key, "Cerrado", `C-${index}`, office, from, "9:00", to, category, plate, price, "0,00"]);
  charges.push([`P-${index}`, key, "contrato", method, `${from} 09:05`, price]);
  invoices.push([key, `C-${index}`, "F-PMI-26", String(invoices.length), "20/06/2026", price, "21,00"]);
}

/** Creates the company's files. `messy` adds errors that must be corrected manually. */
export function createOtherSystemExport(
  seed: number,
  { messy, size = 40 }: { readonly messy: boolean; readonly size?: number },
): OtherSystemExport {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const faults: ImportedFileFault[] = [];
  const spoil = (rows: string[][], file: string, row: number, column: number, value: string, field: string) => {
    const cells = rows[row];
    if (!messy || !cells) return;
    cells[column] = value;
    faults.push({ file, line: row + 1, field });
  };
  const plates = Array.from({ length: size }, (_, index) => `${String(1000 + index * 7)} BCD`);
  const people = Array.from({ length: size }, (_, index) => ({
    name: pick(NAMES),
    surname: pick(SURNAMES),
    nif: `${10_000_000 + index}X`,
  }));
  const files = new Map<string, Uint8Array>();

  const offices = [
    ["Código", "Oficina nombre", "Zona", "Huso", "País", "Moneda"],
    ["PMI", "Palma Aeropuerto", "Mallorca", "Europe/Madrid", "ES", "EUR"],
    ["MAO", "Mahón", "Menorca", "Europe/Madrid", "ES", "EUR"],
  ];
  spoil(offices, "02 sucursales.csv", 2, 5, "eur", "currency");
  spoil(offices, "02 sucursales.csv", 2, 3, "Europa/Madrid", "timezone");
  files.set("01 zonas.csv", utf8WithMark(createCsv([["Nombre"], ["Mallorca"], ["Menorca"]])));
  files.set("02 sucursales.csv", windows1252(createCsv(offices)));
  files.set(
    "03 categorias.csv",
    windows1252(
      createCsv([
        ["Codigo", "Nombre", "IVA", "Combustible", "Fianza"],
        ["A", "Pequeño", "21,00", "Gasolina", "300,00"],
        ["B", "Familiar", "21,00", "Gasóleo", "1.200,50"],
      ]),
    ),
  );
  files.set("04 temporadas.csv", utf8WithMark("Nombre\nAlta\nBaja \n"));
  const periods = [
    ["Temporada", "Desde", "Hasta"],
    ["Alta", "01/06/2026", "30/09/2026"],
    ["Baja", "01/10/2026", "31/12/2026"],
  ];
  spoil(periods, "05 periodos.csv", 2, 1, "15/09/2026", "");
  files.set("05 periodos.csv", windows1252(createCsv(periods)));
  files.set(
    "06 tramos.csv",
    windows1252(
      createCsv([
        ["Categoria", "Temporada", "Desde dias", "Hasta dias", "Precio"],
        ["A", "Alta", "1", "7", "45,50"],
        ["A", "Alta", "8", "", "39,90"],
        ["B", "Alta", "1", "", "1.075,00"],
        ["A", "Baja", "1", "", "25,00"],
      ]),
    ),
  );

  const cars = [
    ["Matrícula", "Marca", "Modelo", "Categoria", "Oficina", "Km", "Combustible", "Activo", "Fecha compra"],
    ...plates.map((plate, index) => [
      plate,
      "Fiat",
      "500 ",
      index % 3 === 0 ? "B" : "A",
      index % 4 === 0 ? "MAO" : "PMI",
      `${index}.500`,
      pick(["Gasolina", "Gasóleo"]),
      "SI",
      `${day(1 + (index % 28))}/03/2024`,
    ]),
  ];
  spoil(cars, "07 vehiculos.csv", 9, 3, "Z", "category_code");
  spoil(cars, "07 vehiculos.csv", 12, 8, "31/02/2024", "acquisition_date");
  // Three cars share one plate. Contracts of the other two don't name it.
  for (const row of [20, 22]) spoil(cars, "07 vehiculos.csv", row, 0, plates[17] ?? "", "");
  files.set("07 vehiculos.csv", windows1252(createCsv(cars)));

  const clients = [
    ["Código externo", "Nombre", "Apellidos", "NIF", "E-mail", "Teléfono", "Fecha nacimiento", "Idioma", "País"],
    ...people.map(({ name, surname, nif }, index) => [
      `C-${index}`,
      name,
      surname,
      nif,
      `c${index}@example.com`,
      `+34 600 ${100_000 + index}`,
      `${day(1 + (index % 28))}/12/1980`,
      "es",
      "ES",
    ]),
  ];
  spoil(clients, "08 clientes.csv", 4, 8, "es", "address_country");
  spoil(clients, "08 clientes.csv", 6, 4, "sin correo", "email");
  files.set("08 clientes.csv", windows1252(createCsv(clients)));

  const { contracts, charges, invoices, paid } = createRentalSheets(plates, pick);
  spoil(contracts, "09 contratos.csv", 3, 7, "", "category_code");
  spoil(contracts, "09 contratos.csv", 5, 1, "perdido", "status");
  spoil(charges, "10 cobros.csv", 2, 5, "12.345.6", "amount");
  spoil(invoices, "11 facturas.csv", 7, 3, "", "number");
  if (messy) for (const line of [21, 23]) faults.push({ file: "09 contratos.csv", line, field: "vehicle_reference" });
  files.set("09 contratos.csv", windows1252(createCsv(contracts)));
  files.set("10 cobros.csv", windows1252(createCsv(charges, "\t")));
  files.set("11 facturas.csv", windows1252(createCsv(invoices)));
  for (const { file, rows, write, faults: more = [] } of createAdditionalImportFiles(plates)) {
    for (const { row, column, value, field } of more) spoil(rows, file, row, column, value, field);
    files.set(file, write(rows));
  }
  return {
    files,
    faults,
    counts: { customers: size, vehicles: size, contracts: size, invoices: invoices.length - 1 },
    paid,
  };
}
