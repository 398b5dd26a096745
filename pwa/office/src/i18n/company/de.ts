import type { CompanyTextKey } from "./en.ts";

const texts: Readonly<Record<CompanyTextKey, string>> = {
  "list.special-hours": "Sonderöffnungszeiten",
  "about.special-hours": "Öffnungszeiten einzelner Tage, etwa am 24. Dezember. Sie ersetzen die des Wochentags.",
  "hint.special-hours.rental_location_code": "Leer für alle Standorte ohne eigene Sonderöffnungszeiten an dem Tag.",
  "hint.special-hours.times": "Zwei Zeilen ergeben eine Pause. Ohne Zeilen ist der Standort an dem Tag geschlossen.",
  "field.times": "Geöffnet",
  openingWeek: "Öffnungszeiten",
  "about.opening-week": "Die Öffnungszeiten eines Standorts für jeden Wochentag.",
  weekSaved: "Öffnungszeiten gespeichert",
  weekAlways: "Ganz ohne Zeiten ist der Standort immer geöffnet.",
  closedAllDay: "Geschlossen",
  addTime: "Zeit hinzufügen: {day}",
  removeTime: "Zeit entfernen: {day}, {opens}",
  dayOpens: "{day}: öffnet",
  dayCloses: "{day}: schließt",
  sameAsMonday: "Montag auf alle Tage übertragen",
  copySeason: "Saison kopieren",
  copyToYear: "In das Jahr kopieren",
  seasonCopied: "Mit {prices} Preisen und {rules} Verkaufsregeln kopiert:",
  copyUndone: "Die Kopie wurde entfernt.",
  copyChanged: "Die Kopie wurde seither geändert. Entfernen Sie ihre Teile einzeln.",
};

export default texts;
