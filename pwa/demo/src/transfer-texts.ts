import type { Language } from "./texts.ts";

const en = {
  title: "From where to where?",
  from: "From",
  to: "To",
  both: "Return trip",
  back: "Return",
  adults: "Adults",
  children: "Children",
  flight: "Flight number",
  yours: "Your transfer",
};

export type TransferTexts = typeof en;

export const transferTexts: Readonly<Record<Language, TransferTexts>> = {
  en,
  es: {
    title: "¿De dónde a dónde?",
    from: "Origen",
    to: "Destino",
    both: "Ida y vuelta",
    back: "Vuelta",
    adults: "Adultos",
    children: "Niños",
    flight: "Número de vuelo",
    yours: "Su traslado",
  },
  ca: {
    title: "D'on a on?",
    from: "Origen",
    to: "Destinació",
    both: "Anada i tornada",
    back: "Tornada",
    adults: "Adults",
    children: "Nens",
    flight: "Número de vol",
    yours: "El vostre trasllat",
  },
  de: {
    title: "Von wo nach wo?",
    from: "Von",
    to: "Nach",
    both: "Hin und zurück",
    back: "Rückfahrt",
    adults: "Erwachsene",
    children: "Kinder",
    flight: "Flugnummer",
    yours: "Ihr Transfer",
  },
};
