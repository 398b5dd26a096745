import { writeElement, writeTextElement } from "#worker/authorities/xml.ts";

// The ministry doesn't publish its code lists. These codes only have the same format.
const LISTS: Readonly<Record<string, string>> = {
  TIPO_MARCA_VEHICULO:
    "AUDI|BMW|CITROEN Citroën|CUPRA|DACIA|FIAT|FORD|HYUNDAI|KIA|MERCEDES Mercedes-Benz|NISSAN|OPEL|PEUGEOT|RENAULT|SEAT|SKODA Škoda|TOYOTA|VOLKSWAGEN|VOLVO|OTRO Otra marca",
  TIPO_COLOR: "AMARILLO|AZUL|BEIGE|BLANCO|GRIS|MARRON Marrón|NARANJA|NEGRO|ROJO|VERDE|OTRO Otro color",
  TIPO_VEHICULO: "TURISMO|FURGONETA|MOTO|CAMION Camión|AUTOBUS Autobús|CAMPER|CARAVANA|OTRO",
  TIPO_PERMISO_CONDUCIR: "AM|A1|A2|A|B|BE|C1|C1E|C|CE|D1|D1E|D|DE",
};

/** Answers a request for one of the ministry's code lists. */
export function simulateCodeListAnswer(list: string | undefined): string {
  const entries = LISTS[list ?? ""]?.split("|").map((line) => line.split(/ (.*)/));
  const resultFields = entries
    ? { codigo: "0", descripcion: "Ok" }
    : { codigo: "10999", descripcion: "Catálogo desconocido" };
  return writeElement(
    "com:catalogoResponse",
    writeElement(
      "resultado",
      writeTextElement("codigo", resultFields.codigo),
      writeTextElement("descripcion", resultFields.descripcion),
    ),
    writeElement(
      "respuesta",
      writeElement(
        "resultado",
        ...(entries ?? []).map(([code = "", word]) =>
          writeElement(
            "tupla",
            writeTextElement("codigo", code),
            writeTextElement("descripcion", word ?? code.charAt(0) + code.slice(1).toLowerCase()),
          ),
        ),
      ),
    ),
  );
}
