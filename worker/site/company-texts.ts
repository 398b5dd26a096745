const en = {
  book: "Rent a vehicle",
  transfers: "Transfers",
  closed: "Please call us or write to us to book.",
  script: "Booking needs JavaScript. Please switch it on, or call us.",
  languages: "Language",
  contact: "Contact",
  phone: "Telephone",
  whatsapp: "WhatsApp",
  email: "Email",
  hours: "Opening hours",
  always: "Open 24 hours",
  closedDay: "closed",
  map: "Show on the map",
  imprint: "Company details",
  taxNumber: "Tax number",
  register: "Commercial register",
  description: "{name}: see vehicles, prices and availability, and book online. {cities}",
  notFoundTitle: "Page not found",
  notFound: "The address may be wrong, or the page was removed.",
  home: "To the start page",
};

export type CompanyTexts = typeof en;

/** Texts of the company page. */
export const companyTexts: Readonly<Record<"en" | "es" | "ca" | "de", CompanyTexts>> = {
  en,
  es: {
    book: "Alquilar un vehículo",
    transfers: "Traslados",
    closed: "Para reservar, llámenos o escríbanos.",
    script: "Para reservar hace falta JavaScript. Actívelo o llámenos.",
    languages: "Idioma",
    contact: "Contacto",
    phone: "Teléfono",
    whatsapp: "WhatsApp",
    email: "Correo electrónico",
    hours: "Horario",
    always: "Abierto las 24 horas",
    closedDay: "cerrado",
    map: "Ver en el mapa",
    imprint: "Datos de la empresa",
    taxNumber: "NIF",
    register: "Registro mercantil",
    description: "{name}: vea vehículos, precios y disponibilidad, y reserve en línea. {cities}",
    notFoundTitle: "Página no encontrada",
    notFound: "La dirección puede ser incorrecta, o la página ya no existe.",
    home: "Ir a la página de inicio",
  },
  ca: {
    book: "Llogar un vehicle",
    transfers: "Trasllats",
    closed: "Per reservar, truqueu-nos o escriviu-nos.",
    script: "Per reservar cal JavaScript. Activeu-lo o truqueu-nos.",
    languages: "Idioma",
    contact: "Contacte",
    phone: "Telèfon",
    whatsapp: "WhatsApp",
    email: "Correu electrònic",
    hours: "Horari",
    always: "Obert les 24 hores",
    closedDay: "tancat",
    map: "Veure al mapa",
    imprint: "Dades de l'empresa",
    taxNumber: "NIF",
    register: "Registre mercantil",
    description: "{name}: vegeu vehicles, preus i disponibilitat, i reserveu en línia. {cities}",
    notFoundTitle: "Pàgina no trobada",
    notFound: "L'adreça pot ser incorrecta, o la pàgina ja no existeix.",
    home: "Anar a la pàgina d'inici",
  },
  de: {
    book: "Fahrzeug mieten",
    transfers: "Transfers",
    closed: "Rufen Sie uns zum Buchen bitte an oder schreiben Sie uns.",
    script: "Zum Buchen wird JavaScript gebraucht. Bitte schalten Sie es ein oder rufen Sie uns an.",
    languages: "Sprache",
    contact: "Kontakt",
    phone: "Telefon",
    whatsapp: "WhatsApp",
    email: "E-Mail",
    hours: "Öffnungszeiten",
    always: "Rund um die Uhr geöffnet",
    closedDay: "geschlossen",
    map: "Auf der Karte zeigen",
    imprint: "Impressum",
    taxNumber: "Steuernummer",
    register: "Handelsregister",
    description: "{name}: Fahrzeuge, Preise und Verfügbarkeit ansehen und online buchen. {cities}",
    notFoundTitle: "Seite nicht gefunden",
    notFound: "Die Adresse ist vielleicht falsch, oder es gibt die Seite nicht mehr.",
    home: "Zur Startseite",
  },
};

export type CompanyLanguage = keyof typeof companyTexts;

/** Languages of the company page by name. */
export const LANGUAGE_NAMES: Readonly<Record<CompanyLanguage, string>> = {
  es: "Español",
  ca: "Català",
  en: "English",
  de: "Deutsch",
};

/** Chooses the first supported language of the given tags, or English. */
export function chooseCompanyLanguage(tags: readonly (string | undefined)[]): CompanyLanguage {
  const codes = tags.map((tag) => tag?.trim().slice(0, 2).toLowerCase() ?? "");
  return codes.find((code): code is CompanyLanguage => Object.hasOwn(companyTexts, code)) ?? "en";
}

/** Returns the tags of an Accept-Language header. */
export function listAcceptedLanguages(header: string | undefined): readonly string[] {
  return (header ?? "").slice(0, 200).split(",");
}
