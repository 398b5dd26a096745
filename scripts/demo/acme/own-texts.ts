import type { OwnTexts } from "../own-texts.ts";

export const acmeOwnTexts: OwnTexts = {
  departments: ["Dirección", "Taller", "Marketing", "Atención al cliente"],
  sales: {
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
  fair: [
    { concept: "Camiseta de la casa", unitCents: 1800, externalCode: "7000020" },
    { concept: "Agua y refrescos", unitCents: 250, externalCode: "7000021" },
    { concept: "Aceite de oliva de la isla", unitCents: 1250, externalCode: "7000022" },
    { concept: "Guía de la isla", unitCents: 1560, externalCode: "7000023" },
    { concept: "Donativo al refugio de animales", unitCents: 500, externalCode: "7000024" },
  ],
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
  blockReasons: {
    workshop: "Revisión en taller",
    transfer: "Traslado entre islas",
    other: "Reservado para una sesión de fotos",
  },
  closures: { christmas: "Navidad", newYear: "Año Nuevo" },
};
