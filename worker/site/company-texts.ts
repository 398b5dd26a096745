const en = {
  book: "Rent a vehicle",
  transfers: "Transfers",
  elsewhere: "Please book on our website.",
  script: "Booking needs JavaScript. Please switch it on, or call us.",
  team: "For our team and partners",
  checkIn: "Check-in",
  office: "Office",
  analytics: "Analytics",
  docs: "API docs",
};

export type CompanyTexts = typeof en;

/** Texts of the company page. */
export const companyTexts: Readonly<Record<"en" | "es" | "ca" | "de", CompanyTexts>> = {
  en,
  es: {
    book: "Alquilar un vehículo",
    transfers: "Traslados",
    elsewhere: "Reserve en nuestra web.",
    script: "Para reservar hace falta JavaScript. Actívelo o llámenos.",
    team: "Para nuestro equipo y socios",
    checkIn: "Check-in",
    office: "Oficina",
    analytics: "Análisis",
    docs: "Interfaces",
  },
  ca: {
    book: "Llogar un vehicle",
    transfers: "Trasllats",
    elsewhere: "Reserveu al nostre web.",
    script: "Per reservar cal JavaScript. Activeu-lo o truqueu-nos.",
    team: "Per al nostre equip i socis",
    checkIn: "Check-in",
    office: "Oficina",
    analytics: "Anàlisi",
    docs: "Interfícies",
  },
  de: {
    book: "Fahrzeug mieten",
    transfers: "Transfers",
    elsewhere: "Bitte buchen Sie auf unserer Website.",
    script: "Zum Buchen wird JavaScript gebraucht. Bitte schalten Sie es ein oder rufen Sie uns an.",
    team: "Für unser Team und Partner",
    checkIn: "Check-in",
    office: "Büro",
    analytics: "Auswertungen",
    docs: "Schnittstellen",
  },
};
