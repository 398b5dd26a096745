import { addDays } from "#domain/dates.ts";
import type { DemoCompany } from "./describe-company.ts";
import { getTextInLanguage } from "./quotes.ts";
import type { SettledContract } from "./settlement.ts";
import type { NewDemoRows } from "./tables.ts";

const TEXTS = {
  ferry: { es: "Llega en el ferry de las 9:30", en: "Arrives by the 9:30 ferry" },
  card: { es: "La tarjeta está a nombre de su esposa", en: "The card is in his wife's name" },
  regular: { es: "Cliente habitual. Prefiere coches pequeños", en: "Regular customer. Prefers small cars" },
  seat: { es: "Preparar la silla infantil", en: "Prepare the child seat" },
  call: { es: "Llamar para confirmar la hora del vuelo", en: "Call to confirm the flight time" },
  claim: { es: "Enviar el parte a la aseguradora", en: "Send the claim to the insurer" },
  documents: { es: "Pedir copia del permiso de conducir", en: "Ask for a copy of the driving licence" },
  mark: { es: "Impago de una multa en 2025", en: "Didn't pay a fine" },
  approval: {
    es: "Cliente habitual: llega un coche de otra oficina",
    en: "Regular customer: a van comes from a supplier",
  },
} as const;

/** Returns a text of the desk in the company's language. */
export const getNoteText = ({ settings }: DemoCompany, name: keyof typeof TEXTS): string =>
  getTextInLanguage(settings.defaultLanguage, TEXTS[name]);

/** Creates notes and tasks, due in the past, today and later, and a sale beyond the stock that a manager approved. */
export function createNoteAndTaskRows(company: DemoCompany, contracts: readonly SettledContract[]): NewDemoRows {
  const { rows, today, now, toEpochMs } = company;
  const author = rows.users[0];
  const [first, second] = contracts.filter(({ status }) => status === "confirmed");
  if (!author || !first || !second) return {};
  const manager = rows.users.find(({ role }) => role === "manager") ?? author;
  const desk = rows.users.find(({ role }) => role === "agent") ?? author;
  const createdAt = toEpochMs(now);
  const createdBy = `staff:${author.id}`;
  const authorship = { createdBy, createdAt };
  const task = { ...authorship, assigneeId: desk.id, lastUpdate: createdAt };
  return {
    notes: [
      { id: 1, bookingId: first.id, text: getNoteText(company, "ferry"), ...authorship },
      { id: 2, bookingId: second.id, text: getNoteText(company, "card"), ...authorship },
      { id: 3, customerId: first.customer.id, text: getNoteText(company, "regular"), ...authorship },
    ],
    officeTasks: [
      { id: 1, bookingId: first.id, text: getNoteText(company, "seat"), dueDate: today, ...task },
      { id: 2, bookingId: second.id, text: getNoteText(company, "call"), dueDate: addDays(today, 2), ...task },
      {
        id: 3,
        customerId: second.customer.id,
        text: getNoteText(company, "claim"),
        dueDate: addDays(today, -2),
        ...task,
      },
      {
        ...{ id: 4, customerId: first.customer.id, text: getNoteText(company, "documents"), dueDate: today, ...task },
        ...{ doneAt: createdAt, doneBy: createdBy },
      },
    ],
    acceptedShortages: [
      { bookingId: second.id, at: createdAt, actor: `staff:${manager.id}`, reason: getNoteText(company, "approval") },
    ],
  };
}
