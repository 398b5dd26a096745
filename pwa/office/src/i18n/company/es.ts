import type { CompanyTextKey } from "./en.ts";

const texts: Readonly<Record<CompanyTextKey, string>> = {
  "list.special-hours": "Horarios especiales",
  "about.special-hours": "Horario de fechas sueltas, como el 24 de diciembre. Sustituye al del día de la semana.",
  "hint.special-hours.rental_location_code": "Vacío para todas las oficinas sin horario especial propio ese día.",
  "hint.special-hours.times": "Dos filas hacen una pausa. Sin filas, la oficina está cerrada ese día.",
  "field.times": "Abierto",
  openingWeek: "Horarios",
  "about.opening-week": "El horario de una oficina para cada día de la semana.",
  weekSaved: "Horario guardado",
  weekAlways: "Sin ninguna hora, la oficina está siempre abierta.",
  closedAllDay: "Cerrado",
  addTime: "Añadir horas: {day}",
  removeTime: "Quitar horas: {day}, {opens}",
  dayOpens: "{day}: apertura",
  dayCloses: "{day}: cierre",
  sameAsMonday: "Copiar el lunes a todos los días",
  copySeason: "Copiar temporada",
  copyToYear: "Copiar al año",
  seasonCopied: "Copiada con {prices} precios y {rules} reglas de venta:",
  copyUndone: "Se ha quitado la copia.",
  copyChanged: "La copia ha cambiado desde entonces. Quite sus partes una a una.",
};

export default texts;
