/** Producer responsible for the software. Undefined fields aren't configured. */
export interface ConfiguredProducer {
  readonly name: string | undefined;
  readonly taxId: string | undefined;
  readonly address: string | undefined;
  readonly place: string | undefined;
  /** Date of signing, `2026-11-22`. */
  readonly date: string | undefined;
  readonly contact: string | undefined;
  readonly website: string | undefined;
}

/** Software as named in records. */
export interface DeclaredSystem {
  readonly name: string;
  readonly id: string;
  readonly version: string;
}

/** Point of the declaration: its letter, the heading required by the order, and its text. */
export interface DeclarationPoint {
  readonly letter: string;
  readonly label: string;
  /** Text of the point. Undefined if the deployment doesn't configure it. */
  readonly text: string | undefined;
}

/** Declaration by which the software's producer assures that it complies with the law on billing systems. */
export interface ResponsibleDeclaration {
  readonly title: string;
  /** Points a to l, in the order of art. 15.1 of Orden HAC/1177/2024. */
  readonly points: readonly DeclarationPoint[];
  /** Points m, n and ñ, recommended by its art. 15.2. */
  readonly annex: readonly DeclarationPoint[];
  /** Missing fields. The declaration is invalid without them. */
  readonly missing: readonly (keyof ConfiguredProducer)[];
}

const TITLE = "DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN";
const COMPONENTS =
  "Software en la nube, sin hardware propio: servicio web en Cloudflare Workers con una base de datos D1 por empresa, páginas para la oficina y para la entrega de vehículos, generador de PDF y proceso periódico de envío. Gestiona el alquiler de vehículos: reservas, contratos, cobros y sus facturas completas, simplificadas y rectificativas. Con cada factura genera en la misma operación su registro de facturación encadenado y lo remite a la Agencia Estatal de Administración Tributaria.";
const COMPLIANCE =
  "La persona o entidad productora hace constar que el sistema informático, en la versión indicada, cumple con lo dispuesto en el artículo 29.2.j) de la Ley 58/2003, de 17 de diciembre, General Tributaria, en el Reglamento que establece los requisitos que deben adoptar los sistemas y programas informáticos o electrónicos que soporten los procesos de facturación de empresarios y profesionales, y la estandarización de formatos de los registros de facturación, aprobado por el Real Decreto 1007/2023, de 5 de diciembre, en la Orden HAC/1177/2024, de 17 de octubre, y en la sede electrónica de la Agencia Estatal de Administración Tributaria para todo aquello que complete las especificaciones de dicha orden.";
const HOW =
  "Cada factura y su registro se escriben en una sola transacción; la base de datos rechaza un registro que no sea el siguiente de su cadena, y todo cambio o borrado posterior. La huella es SHA-256 sobre el texto que fija la Agencia, que se conserva al pie de la letra. La cadena se comprueba cada noche y cuando se pide. Los registros se envían en su orden, hasta 1.000 por envío, respetando la espera que indica la respuesta; los que no se pudieron enviar se reintentan al menos cada hora con la marca de incidencia, y la oficina muestra cuántos faltan. Las facturas llevan el código QR y la leyenda al principio de su primera página. Los errores se corrigen con factura rectificativa, registro de subsanación o registro de anulación; nada se borra.";

/** Creates the producer's responsible declaration (RD 1007/2023, art. 13; Orden HAC/1177/2024, art. 15), in Spanish. */
export function createResponsibleDeclaration(
  producer: ConfiguredProducer,
  { name, id, version }: DeclaredSystem,
): ResponsibleDeclaration {
  const { date, place } = producer;
  const signed = date && place ? `${date.split("-").reverse().join("/")}, ${place}` : undefined;
  const points: readonly DeclarationPoint[] = [
    { letter: "a", label: "Nombre del sistema informático", text: name },
    { letter: "b", label: "Código identificador del sistema informático", text: id },
    { letter: "c", label: "Identificador completo de la versión", text: version },
    { letter: "d", label: "Componentes, descripción y principales funcionalidades", text: COMPONENTS },
    {
      letter: "e",
      label: "Si solo puede funcionar exclusivamente como «VERI*FACTU»",
      text: "S: funciona exclusivamente como «VERI*FACTU».",
    },
    {
      letter: "f",
      label: "Si permite ser usado por varios obligados tributarios",
      text: "S: cada obligado tributario tiene su propia cadena de registros.",
    },
    {
      letter: "g",
      label: "Tipos de firma utilizados si no se utiliza como «VERI*FACTU»",
      text: "Ninguno: el sistema solo se utiliza como «VERI*FACTU».",
    },
    { letter: "h", label: "Nombre y apellidos o razón social de la entidad productora", text: producer.name },
    { letter: "i", label: "Número de identificación fiscal (NIF) de la entidad productora", text: producer.taxId },
    { letter: "j", label: "Dirección postal completa de contacto", text: producer.address },
    { letter: "k", label: "Cumplimiento", text: COMPLIANCE },
    { letter: "l", label: "Fecha y lugar de suscripción", text: signed },
  ];
  const annex: readonly DeclarationPoint[] = [
    { letter: "m", label: "Otras formas de contacto con la entidad productora", text: producer.contact },
    { letter: "n", label: "Direcciones de Internet de la entidad productora", text: producer.website },
    { letter: "ñ", label: "Cómo cumple el sistema las especificaciones técnicas y funcionales", text: HOW },
  ];
  const needed = ["name", "taxId", "address", "place", "date"] as const;
  return { title: TITLE, points, annex, missing: needed.filter((field) => !producer[field]) };
}
