// What other systems call things. Headings, file names and words are compared in lower case, without accents, and with
// one underscore for whatever is no letter and no digit.

export function plainWord(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");
}

const TABLE_WORDS: Readonly<Record<string, string>> = {
  settings: "configuracion ajustes company empresa",
  sales_channels: "canales canales_de_venta channels",
  branch_groups: "grupos_de_sucursales zonas islands islas depots rental_storages",
  branches: "sucursales oficinas delegaciones offices stations locations",
  opening_hours: "horarios hours",
  closed_dates: "festivos cierres holidays",
  pickup_places: "lugares lugares_de_entrega places",
  families: "familias",
  categories: "categorias grupos grupos_de_vehiculos groups car_groups",
  vehicles: "vehiculos coches flota fleet cars",
  vehicle_blocks: "bloqueos talleres blocks",
  seasons: "temporadas",
  season_periods: "periodos periodos_de_temporada fechas_de_temporada",
  tariffs: "tarifas rates",
  tariff_brackets: "precios tramos prices brackets",
  offers: "ofertas",
  promotion_codes: "codigos_promocionales codigos coupons",
  extras: "suplementos_opcionales opcionales accessories",
  customers: "clientes clients",
  agencies: "agencias touroperadores",
  agents: "agentes comisionistas",
  bookings: "reservas contratos contracts reservations rentals alquileres",
  booking_lines: "lineas lineas_de_reserva lineas_de_contrato contract_lines",
  booking_units: "unidades vehiculos_de_contrato contract_vehicles",
  booking_extras: "extras_de_reserva extras_de_contrato contract_extras",
  documents: "facturas invoices",
  document_items: "lineas_de_factura invoice_lines invoice_items",
  document_taxes: "impuestos iva_de_factura invoice_taxes",
  number_series: "series series_de_facturas numeracion",
  charges: "cobros pagos payments recibos",
  expenses: "gastos costs",
  expense_accounts: "cuentas_de_gasto",
  expense_concepts: "conceptos_de_gasto",
};

const FIELD_WORDS: Readonly<Record<string, string>> = {
  key: "clave id_externo codigo_externo old_id external_id legacy_id referencia_externa",
  code: "codigo cod",
  name: "nombre razon_social first_name",
  surname: "apellidos apellido last_name",
  document_id: "nif dni cif nif_cif dni_nif documento tax_id vat_number passport pasaporte",
  customer_document_id: "nif_cliente dni_cliente",
  date_of_birth: "fecha_de_nacimiento fecha_nacimiento nacimiento birthday birth_date",
  email: "correo e_mail mail correo_electronico",
  phone_number: "telefono phone tel",
  mobile_phone: "movil mobile",
  address_street: "direccion calle street address",
  address_city: "ciudad poblacion localidad city",
  address_zip: "codigo_postal cp zip postcode",
  address_country: "pais country",
  address_country_code: "pais country",
  language: "idioma",
  reference: "referencia unidad",
  plate: "matricula placa license_plate registration",
  brand: "marca make",
  model: "modelo",
  color: "colour",
  category_code: "categoria category grupo group car_group",
  branch_code: "sucursal oficina branch office delegacion station",
  return_branch_code: "sucursal_devolucion oficina_devolucion return_branch return_office",
  branch_group_id: "grupo_de_sucursales zona isla branch_group island",
  usage_units: "kilometros km kms mileage odometer",
  fuel: "combustible",
  active: "activo alta",
  acquisition_date: "fecha_compra fecha_de_compra fecha_matriculacion purchase_date",
  purchase_price: "precio_compra precio_de_compra",
  vat_percent: "iva vat tipo_iva tax_rate igic",
  price: "precio importe_dia tarifa rate",
  price_per: "por unidad_de_precio",
  from_days: "desde_dias dias_desde",
  to_days: "hasta_dias dias_hasta",
  season_id: "temporada season",
  sales_channel_code: "canal sales_channel channel",
  date_from: "desde fecha_desde fecha_inicio fecha_salida fecha_recogida start_date pickup_date from",
  date_to: "hasta fecha_hasta fecha_fin fecha_entrega fecha_devolucion end_date return_date to",
  time_from: "hora_desde hora_inicio hora_salida hora_recogida pickup_time start_time",
  time_to: "hora_hasta hora_fin hora_devolucion return_time end_time",
  days: "dias",
  status: "estado situacion state",
  total: "importe total_amount importe_total total_factura",
  subtotal: "base base_imponible net neto",
  taxes: "cuota cuota_iva impuesto tax_amount",
  customer_id: "cliente customer client",
  customer_name: "nombre_cliente",
  customer_full_name: "nombre_completo titular",
  booking_id: "contrato reserva booking contract reservation n_contrato numero_contrato",
  document_id_of: "factura invoice",
  vehicle_reference: "vehiculo vehicle coche car matricula plate",
  number: "numero num n",
  serie: "series",
  date: "fecha",
  amount: "importe cantidad_pagada",
  payment_method_id: "forma_de_pago forma_pago metodo metodo_de_pago payment_method method",
  source_doc: "tipo tipo_de_cobro tipo_cobro",
  quantity: "cantidad unidades qty",
  concept: "concepto description descripcion",
  comments: "observaciones notas comentarios notes remarks",
  deposit: "fianza deposito",
  product_guarantee: "fianza deposito deposit",
};

const VALUE_WORDS: Readonly<Record<string, string>> = {
  petrol: "gasolina bencina gasoline benzin essence benzina",
  diesel: "gasoil gasoleo",
  electric: "electrico elektro",
  hybrid: "hibrido",
  none: "ninguno sin_combustible",
  manual: "m",
  automatic: "automatico automatica a auto",
  pending_confirmation: "pendiente solicitada presupuesto pending requested",
  confirmed: "confirmada confirmado reservada reservado",
  in_progress: "abierto abierta en_curso entregado entregada open out",
  done: "cerrado cerrada finalizado finalizada devuelto closed finished returned",
  cancelled: "anulado anulada cancelado cancelada canceled",
  individual: "particular persona person",
  legal_entity: "empresa sociedad company",
  credit_card: "tarjeta tarjeta_de_credito card visa",
  cash: "efectivo metalico contado",
  bank_transfer: "transferencia transfer wire",
  check: "cheque talon",
  promissory_note: "pagare",
  invoice: "factura emitida issued",
  draft: "borrador proforma",
  internal_bond: "bono_interno",
  workshop: "taller averia itv",
  airport: "aeropuerto",
  harbor: "puerto",
  hotel: "hoteles",
  location: "oficina ciudad",
  purchase: "compra propio",
  day: "dia diario por_dia",
  rental: "alquiler contrato por_alquiler",
  percentage: "porcentaje",
  charge: "cobro",
  payment: "pago devolucion abono",
  booking: "contrato reserva",
  deposit_received: "fianza fianza_recibida deposit",
  deposit_returned: "fianza_devuelta deposit_return",
};

const split = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([ours, theirs]) => ({ ours, theirs: new Set(theirs.split(" ")) }));
const [tableWords, fieldWords, valueWords] = [split(TABLE_WORDS), split(FIELD_WORDS), split(VALUE_WORDS)];

/** The table that a file or a sheet is named like; undefined where it is none. */
export function tableNamed<T extends { readonly name: string }>(tables: readonly T[], name: string): T | undefined {
  const word = plainWord(name).replace(/^\d+_/, "");
  const ours = tableWords.find(({ theirs }) => theirs.has(word))?.ours;
  return tables.find((table) => table.name === word) ?? tables.find((table) => table.name === ours);
}

/** What other systems call a field. */
export function isCalled(field: string, heading: string): boolean {
  return fieldWords.some(({ ours, theirs }) => ours === field && theirs.has(plainWord(heading)));
}

/** The one of the allowed words that a cell says in any spelling or tongue; undefined where it is none. */
export function allowedWord(allowed: readonly string[], cell: string): string | undefined {
  const word = plainWord(cell);
  return (
    allowed.find((one) => one === cell) ??
    allowed.find((one) => plainWord(one) === word) ??
    valueWords.find(({ ours, theirs }) => allowed.includes(ours) && theirs.has(word))?.ours
  );
}
