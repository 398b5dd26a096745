import type { Words } from "../words.ts";

export const acmeWords: Words = {
  rental: "Alquiler",
  days: "días",
  contract: "Contrato",
  advance: "Anticipo de la reserva",
  advanceInvoiced: "Anticipo ya facturado",
  creditNote: "Abono de la factura",
  supplements: {
    timeFrom: "Entrega fuera de horario",
    timeTo: "Devolución fuera de horario",
    pickupPlace: "Suplemento por lugar de entrega",
    returnPlace: "Suplemento por lugar de devolución",
    driverAge: "Suplemento por edad del conductor",
    category1: "Combustible",
    category2: "Preparación de capota",
    category3: "Asistencia para vehículo clásico",
  },
  afterRental: [
    { supplement: 1, concept: "Repostaje a la devolución", fromCents: 1500, toCents: 7500, keptFromDeposit: false },
    { supplement: 2, concept: "Limpieza extraordinaria", fromCents: 4500, toCents: 9000, keptFromDeposit: false },
    { supplement: 3, concept: "Daños en carrocería", fromCents: 9000, toCents: 28000, keptFromDeposit: true },
  ],
  sundry: {
    invoice: [
      { concept: "Gestión de multas de tráfico", unitCents: 4000, externalCode: "7050001" },
      { concept: "Estacionamiento mensual de flota", unitCents: 18000, externalCode: "7050002" },
      { concept: "Cesión de plaza de garaje", unitCents: 9500, externalCode: "7050003" },
    ],
    ticket: [
      { concept: "Mapa de carreteras", unitCents: 690, externalCode: "7000010" },
      { concept: "Soporte para móvil", unitCents: 1490, externalCode: "7000011" },
      { concept: "Cargador USB-C", unitCents: 1290, externalCode: "7000012" },
    ],
    order: [
      { concept: "Excursión a la Serra de Tramuntana", unitCents: 5900, externalCode: "7050020" },
      { concept: "Visita guiada a Ciutadella", unitCents: 3500, externalCode: "7050021" },
    ],
    bond: [
      { concept: "Uso de vehículo de cortesía", unitCents: 2500, externalCode: "7080001" },
      { concept: "Traslado interno de vehículos", unitCents: 4500, externalCode: "7080002" },
    ],
  },
  expenses: {
    insurance: "Prima de seguro",
    renting: "Cuota de renting",
    tyres: "Cambio de neumáticos",
    repair: "Reparación",
    service: "Mantenimiento",
    inspection: "ITV",
    cleaning: "Limpieza",
    roadTax: "Impuesto de circulación",
  },
  expenseAccounts: [
    { id: 621, name: "Arrendamientos y cánones", kinds: ["renting"] },
    { id: 622, name: "Reparaciones y conservación", kinds: ["tyres", "repair", "service"] },
    { id: 625, name: "Primas de seguros", kinds: ["insurance"] },
    { id: 629, name: "Otros servicios", kinds: ["cleaning", "inspection"] },
    { id: 631, name: "Otros tributos", kinds: ["roadTax"] },
  ],
  comments: [
    "Llega con retraso si el vuelo se demora, esperar.",
    "Viaja con un bebé: montar la silla antes de la entrega.",
    "Cliente habitual, prefiere color claro.",
    "Pide el coche a la sombra.",
    "Entregar las llaves en recepción.",
    "Necesita factura a nombre de la empresa.",
    "Lleva bicicletas: comprobar el enganche.",
  ],
  cancellationReasons: [
    "Cambio de planes",
    "Vuelo cancelado",
    "Encontró otra fecha",
    "Reserva duplicada",
    "No se presentó",
  ],
  blockReasons: {
    workshop: "Revisión en taller",
    transfer: "Traslado entre islas",
    other: "Reservado para una sesión de fotos",
  },
  closures: { christmas: "Navidad", newYear: "Año Nuevo" },
};
