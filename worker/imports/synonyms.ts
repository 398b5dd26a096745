// Terms of other systems. Headings, file names and values are compared in lower case, without accents, with one
// underscore for any other character.

export function normalizeWord(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");
}

const TABLE_SYNONYMS: Readonly<Record<string, string>> = {
  settings: "configuracion ajustes company empresa einstellungen firma configuracio",
  sales_channels: "canales canales_de_venta channels vertriebskanale kanale canals",
  branch_groups: "grupos_de_sucursales zonas islands islas depots rental_storages standortgruppen inseln illes",
  branches:
    "sucursales oficinas delegaciones offices stations locations filialen standorte stationen sucursals oficines",
  opening_hours: "horarios hours offnungszeiten horaris",
  closed_dates: "festivos cierres holidays feiertage schliesstage festius",
  pickup_places: "lugares lugares_de_entrega places orte abholorte ubergabeorte llocs",
  families: "familias familien families_de_vehicles",
  categories: "categorias grupos grupos_de_vehiculos groups car_groups kategorien fahrzeuggruppen gruppen grups",
  vehicles: "vehiculos coches flota fleet cars fahrzeuge autos flotte fuhrpark cotxes",
  vehicle_blocks: "bloqueos talleres blocks sperren werkstatt bloquejos",
  seasons: "temporadas saisons temporades",
  season_periods: "periodos periodos_de_temporada fechas_de_temporada saisonzeiten periodes",
  tariffs: "tarifas rates tarife tarifes",
  tariff_brackets: "precios tramos prices brackets preise preus staffeln",
  offers: "ofertas angebote ofertes",
  promotion_codes: "codigos_promocionales codigos coupons gutscheine gutscheincodes codis",
  extras: "suplementos_opcionales opcionales accessories zubehor",
  customers: "clientes clients kunden clients_de_lloguer",
  agencies: "agencias touroperadores agenturen vermittler agencies",
  agents: "agentes comisionistas",
  bookings:
    "reservas contratos contracts reservations rentals alquileres buchungen vertrage mietvertrage reserves contractes",
  booking_lines: "lineas lineas_de_reserva lineas_de_contrato contract_lines vertragszeilen",
  booking_units: "unidades vehiculos_de_contrato contract_vehicles",
  booking_extras: "extras_de_reserva extras_de_contrato contract_extras",
  documents: "facturas invoices rechnungen factures",
  document_items: "lineas_de_factura invoice_lines invoice_items rechnungszeilen linies_de_factura",
  document_taxes: "impuestos iva_de_factura invoice_taxes steuern impostos",
  number_series: "series series_de_facturas numeracion nummernkreise",
  charges: "cobros pagos payments recibos zahlungen cobraments pagaments",
  expenses: "gastos costs ausgaben kosten despeses",
  expense_accounts: "cuentas_de_gasto",
  expense_concepts: "conceptos_de_gasto",
};

const FIELD_SYNONYMS: Readonly<Record<string, string>> = {
  key: "clave id_externo codigo_externo old_id external_id legacy_id referencia_externa schlussel externe_nummer kundennr kundennummer vertragsnummer buchungsnummer clau n_contrato numero_contrato n_cliente numero_cliente contract_number booking_number customer_number",
  code: "codigo cod kurzel codi",
  name: "nombre razon_social first_name vorname firmenname nom",
  surname: "apellidos apellido last_name nachname familienname cognoms",
  document_id:
    "nif dni cif nif_cif dni_nif documento tax_id vat_number passport pasaporte steuernummer ausweis ausweisnummer ust_id",
  customer_document_id: "nif_cliente dni_cliente",
  date_of_birth:
    "fecha_de_nacimiento fecha_nacimiento nacimiento birthday birth_date geburtsdatum geburtstag data_de_naixement",
  email: "correo e_mail mail correo_electronico e_mail_adresse correu",
  phone_number: "telefono phone tel telefon telefonnummer",
  mobile_phone: "movil mobile mobil handy mobiltelefon",
  address_street: "direccion calle street address strasse stra_e adresse carrer adreca",
  address_city: "ciudad poblacion localidad city ort stadt ciutat poblacio",
  address_zip: "codigo_postal cp zip postcode plz postleitzahl codi_postal",
  address_country: "pais country land",
  address_country_code: "pais country land",
  language: "idioma sprache llengua",
  reference: "referencia unidad referenz fahrzeugnummer",
  plate: "matricula placa license_plate registration kennzeichen nummernschild",
  brand: "marca make hersteller",
  model: "modelo modell",
  color: "colour farbe",
  category_code: "categoria category grupo group car_group kategorie gruppe fahrzeuggruppe grup",
  branch_code: "sucursal oficina branch office delegacion station filiale standort",
  return_branch_code:
    "sucursal_devolucion oficina_devolucion return_branch return_office ruckgabefiliale ruckgabestation",
  branch_group_id: "grupo_de_sucursales zona isla branch_group island insel illa",
  usage_units: "kilometros km kms mileage odometer kilometer kilometerstand tachostand quilometres",
  fuel: "combustible kraftstoff treibstoff",
  active: "activo alta aktiv actiu",
  acquisition_date: "fecha_compra fecha_de_compra fecha_matriculacion purchase_date kaufdatum erstzulassung",
  purchase_price: "precio_compra precio_de_compra kaufpreis",
  vat_percent: "iva vat tipo_iva tax_rate igic mwst ust mehrwertsteuer umsatzsteuer",
  price: "precio importe_dia tarifa rate preis preu tagespreis",
  price_per: "por unidad_de_precio",
  from_days: "desde_dias dias_desde von_tagen ab_tagen",
  to_days: "hasta_dias dias_hasta bis_tagen",
  season_id: "temporada season saison",
  sales_channel_code: "canal sales_channel channel kanal",
  date_from:
    "desde fecha_desde fecha_inicio fecha_salida fecha_recogida start_date pickup_date from von abholdatum mietbeginn beginn data_inici",
  date_to:
    "hasta fecha_hasta fecha_fin fecha_entrega fecha_devolucion end_date return_date to bis ruckgabedatum mietende ende data_fi",
  time_from: "hora_desde hora_inicio hora_salida hora_recogida pickup_time start_time abholzeit uhrzeit_von",
  time_to: "hora_hasta hora_fin hora_devolucion return_time end_time ruckgabezeit uhrzeit_bis",
  days: "dias tage dies",
  status: "estado situacion state zustand",
  total: "importe total_amount importe_total total_factura gesamt gesamtbetrag summe brutto",
  subtotal: "base base_imponible net neto netto nettobetrag",
  taxes: "cuota cuota_iva impuesto tax_amount steuer steuerbetrag",
  customer_id: "cliente customer client kunde kundennr kundennummer n_cliente numero_cliente customer_number",
  customer_name: "nombre_cliente kundenname",
  customer_full_name: "nombre_completo titular",
  booking_id:
    "contrato reserva booking contract reservation n_contrato numero_contrato contract_number booking_number vertrag buchung vertragsnummer buchungsnummer contracte",
  document_id_of: "factura invoice rechnung",
  vehicle_reference: "vehiculo vehicle coche car matricula plate fahrzeug auto kennzeichen",
  number: "numero num n nummer nr rechnungsnummer",
  serie: "series nummernkreis",
  date: "fecha datum rechnungsdatum data",
  amount: "importe cantidad_pagada betrag import",
  payment_method_id: "forma_de_pago forma_pago metodo metodo_de_pago payment_method method zahlungsart zahlungsweise",
  source_doc: "tipo tipo_de_cobro tipo_cobro art",
  quantity: "cantidad unidades qty menge anzahl quantitat",
  concept: "concepto description descripcion beschreibung bezeichnung descripcio",
  comments: "observaciones notas comentarios notes remarks bemerkungen notizen anmerkungen",
  deposit: "fianza deposito kaution diposit",
  product_guarantee: "fianza deposito deposit kaution",
};

const VALUE_SYNONYMS: Readonly<Record<string, string>> = {
  petrol: "gasolina bencina gasoline benzin essence benzina",
  diesel: "gasoil gasoleo",
  electric: "electrico elektro elektrisch",
  hybrid: "hibrido hybrid_benzin",
  none: "ninguno sin_combustible keiner ohne",
  manual: "m schaltgetriebe handschaltung",
  automatic: "automatico automatica a auto automatik",
  pending_confirmation: "pendiente solicitada presupuesto pending requested angefragt",
  confirmed: "confirmada confirmado reservada reservado bestatigt gebucht",
  in_progress: "abierto abierta en_curso entregado entregada open out laufend unterwegs vermietet",
  done: "cerrado cerrada finalizado finalizada devuelto closed finished returned abgeschlossen beendet zuruckgegeben",
  cancelled: "anulado anulada cancelado cancelada canceled storniert abgesagt",
  individual: "particular persona person privat privatperson",
  legal_entity: "empresa sociedad company firma unternehmen gesellschaft",
  credit_card: "tarjeta tarjeta_de_credito card visa karte kreditkarte targeta",
  cash: "efectivo metalico contado bar barzahlung efectiu",
  bank_transfer: "transferencia transfer wire uberweisung",
  check: "cheque talon",
  promissory_note: "pagare",
  invoice: "factura emitida issued rechnung ausgestellt",
  draft: "borrador proforma entwurf esborrany",
  internal_bond: "bono_interno",
  workshop: "taller averia itv werkstatt",
  airport: "aeropuerto flughafen aeroport",
  harbor: "puerto hafen",
  hotel: "hoteles",
  location: "oficina ciudad filiale stadt",
  purchase: "compra propio gekauft eigen",
  day: "dia diario por_dia tag pro_tag taglich",
  rental: "alquiler contrato por_alquiler miete pro_miete",
  percentage: "porcentaje prozent",
  charge: "cobro zahlung",
  payment: "pago devolucion abono ruckzahlung erstattung",
  booking: "contrato reserva vertrag buchung",
  deposit_received: "fianza fianza_recibida deposit kaution",
  deposit_returned: "fianza_devuelta deposit_return kaution_zuruck",
};

const split = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([canonicalName, theirs]) => ({ ours: canonicalName, theirs: new Set(theirs.split(" ")) }));
const [tableWords, fieldWords, valueWords] = [split(TABLE_SYNONYMS), split(FIELD_SYNONYMS), split(VALUE_SYNONYMS)];

/** Finds the table for a file's or sheet's name. */
export function tableNamed<T extends { readonly name: string }>(tables: readonly T[], name: string): T | undefined {
  const normalizedName = normalizeWord(name).replace(/^\d+_/, "");
  const canonicalName = tableWords.find(({ theirs }) => theirs.has(normalizedName))?.ours;
  return tables.find((table) => table.name === normalizedName) ?? tables.find((table) => table.name === canonicalName);
}

/** Whether a heading is a synonym of a field. */
export function isCalled(field: string, heading: string): boolean {
  return fieldWords.some(({ ours, theirs }) => ours === field && theirs.has(normalizeWord(heading)));
}

/** Finds the allowed value that a cell contains in any spelling or language. */
export function findAllowedValue(allowed: readonly string[], cell: string): string | undefined {
  const normalizedName = normalizeWord(cell);
  return (
    allowed.find((text) => text === cell) ??
    allowed.find((text) => normalizeWord(text) === normalizedName) ??
    valueWords.find(({ ours, theirs }) => allowed.includes(ours) && theirs.has(normalizedName))?.ours
  );
}
