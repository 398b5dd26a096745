import type { CompanyTextKey } from "./en.ts";

const texts: Readonly<Record<CompanyTextKey, string>> = {
  "list.special-hours": "Horaris especials",
  "about.special-hours": "Horari de dates concretes, com el 24 de desembre. Substitueix el del dia de la setmana.",
  "hint.special-hours.rental_location_code": "Buit per a totes les seus sense horari especial propi aquell dia.",
  "hint.special-hours.times": "Dues files fan una pausa. Sense files, la seu és tancada aquell dia.",
  "field.times": "Obert",
  openingWeek: "Horaris",
  "about.opening-week": "L'horari d'una seu per a cada dia de la setmana.",
  weekSaved: "Horari desat",
  weekAlways: "Sense cap hora, la seu és sempre oberta.",
  closedAllDay: "Tancat",
  addTime: "Afegeix hores: {day}",
  removeTime: "Treu hores: {day}, {opens}",
  dayOpens: "{day}: obertura",
  dayCloses: "{day}: tancament",
  sameAsMonday: "Copia el dilluns a tots els dies",
  copySeason: "Copia la temporada",
  copyToYear: "Copia a l'any",
  seasonCopied: "Copiada amb {prices} preus i {rules} regles de venda:",
  copyUndone: "S'ha tret la còpia.",
  copyChanged: "La còpia ha canviat des d'aleshores. Traieu-ne les parts d'una en una.",
};

export default texts;
