import { foldText } from "#domain/search-text.ts";

// Terms of other systems. Headings, file names and values are compared in lower case, without accents, with one
// underscore for any other character. A text without letters and digits stays as it is.

export function normalizeHeading(text: string): string {
  const folded = foldText(text.normalize("NFC").replaceAll(ORDINAL_SIGNS, " "));
  const normalizedName = folded
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{Nd}]+/gu, "_")
    .replaceAll(/^_|_$/g, "");
  return normalizedName || text.trim();
}

// The signs of abbreviations such as `Nº` are letters in Unicode.
const ORDINAL_SIGNS = /[ªº]/g;

const TABLE_SYNONYMS: Readonly<Record<string, string>> = {
  settings: "configuracion ajustes company empresa einstellungen firma configuracio",
  sales_channels: "canales canales_de_venta channels vertriebskanale kanale canals",
  branch_groups: "grupos_de_sucursales zonas islands islas depots rental_storages standortgruppen inseln illes",
  branches:
    "sucursales oficinas delegaciones offices stations locations filialen standorte stationen sucursals oficines agences filiali sedi succursali succursales niederlassungen",
  opening_hours: "horarios hours offnungszeiten horaris",
  closed_dates: "festivos cierres holidays feiertage schliesstage festius",
  pickup_places: "lugares lugares_de_entrega places orte abholorte ubergabeorte llocs",
  families: "familias familien families_de_vehicles",
  categories:
    "categorias grupos grupos_de_vehiculos groups car_groups kategorien fahrzeuggruppen gruppen grups categorie classes classi fahrzeugklassen klassen",
  vehicles:
    "vehiculos coches flota fleet cars fahrzeuge autos flotte fuhrpark cotxes vehicules veicoli voitures autovetture parc flotta parco_auto fahrzeugbestand",
  vehicle_blocks: "bloqueos talleres blocks sperren werkstatt bloquejos",
  seasons: "temporadas saisons temporades",
  season_periods: "periodos periodos_de_temporada fechas_de_temporada saisonzeiten periodes",
  tariffs: "tarifas rates tarife tarifes tariffe",
  tariff_brackets: "precios tramos prices brackets preise preus staffeln",
  offers: "ofertas angebote ofertes",
  promotion_codes: "codigos_promocionales codigos coupons gutscheine gutscheincodes codis",
  extras:
    "suplementos_opcionales opcionales accessories zubehor accessori accessoires extra zusatzleistungen options accesorios",
  customers: "clientes clients kunden clients_de_lloguer clienti kundenstamm",
  agencies: "agencias touroperadores agenturen vermittler agencies agenzie",
  agents: "agentes comisionistas",
  bookings:
    "reservas contratos contracts reservations rentals alquileres buchungen vertrage mietvertrage reserves contractes contrats prenotazioni noleggi contratti reservierungen vermietungen anmietungen mieten agreements rental_agreements",
  booking_lines: "lineas lineas_de_reserva lineas_de_contrato contract_lines vertragszeilen",
  booking_units: "unidades vehiculos_de_contrato contract_vehicles",
  booking_extras: "extras_de_reserva extras_de_contrato contract_extras",
  documents: "facturas invoices rechnungen factures fatture belege",
  document_items: "lineas_de_factura invoice_lines invoice_items rechnungszeilen linies_de_factura",
  document_taxes: "impuestos iva_de_factura invoice_taxes steuern impostos",
  number_series: "series series_de_facturas numeracion nummernkreise",
  charges:
    "cobros pagos payments recibos zahlungen cobraments pagaments paiements encaissements reglements pagamenti incassi zahlungseingange",
  expenses: "gastos costs ausgaben kosten despeses depenses frais spese",
  expense_accounts: "cuentas_de_gasto",
  expense_concepts: "conceptos_de_gasto",
};

const FIELD_SYNONYMS: Readonly<Record<string, string>> = {
  key: "clave id_externo codigo_externo old_id external_id legacy_id referencia_externa schlussel externe_nummer kundennr kundennummer vertragsnummer buchungsnummer clau n_contrato numero_contrato n_cliente numero_cliente contract_number booking_number customer_number kunden_nr vertrags_nr buchungs_nr reservierungsnummer reservierungs_nr n_client numero_client code_client n_contrat numero_contrat n_reservation numero_reservation codice_cliente id_cliente numero_contratto n_contratto numero_prenotazione codice_prenotazione n_reserva agreement_number rental_agreement_number",
  code: "codigo cod kurzel codi code_categorie codice kurzzeichen",
  name: "nombre razon_social first_name vorname firmenname nom bezeichnung designation libelle denominazione prenom nome ragione_sociale raison_sociale",
  surname: "apellidos apellido last_name nachname familienname cognoms nom_de_famille cognome familien_name zuname",
  document_id:
    "nif dni cif nif_cif dni_nif documento tax_id vat_number passport pasaporte steuernummer ausweis ausweisnummer ust_id piece_d_identite numero_piece n_piece numero_tva siret codice_fiscale partita_iva personalausweis ausweisnr ausweis_nr",
  customer_document_id: "nif_cliente dni_cliente",
  date_of_birth:
    "fecha_de_nacimiento fecha_nacimiento nacimiento birthday birth_date geburtsdatum geburtstag data_de_naixement date_de_naissance date_naissance naissance data_di_nascita data_nascita geboren geb_datum",
  email:
    "correo e_mail mail correo_electronico e_mail_adresse correu courriel posta_elettronica indirizzo_email adresse_e_mail email_address",
  phone_number: "telefono phone tel telefon telefonnummer telephone numero_di_telefono tel_nr",
  mobile_phone: "movil mobile mobil handy mobiltelefon portable telephone_portable cellulare handynummer",
  address_street:
    "direccion calle street address strasse stra_e adresse carrer adreca rue indirizzo via strasse_nr strasse_hausnummer",
  address_city: "ciudad poblacion localidad city ort stadt ciutat poblacio ville citta comune wohnort",
  address_zip: "codigo_postal cp zip postcode plz postleitzahl codi_postal code_postal cap zip_code post_code",
  address_country: "pais country land pays paese nazione staat",
  address_country_code: "pais country land pays paese nazione staat",
  language: "idioma sprache llengua langue lingua",
  reference: "referencia unidad referenz fahrzeugnummer numero_de_parc n_parc interne_nummer codice_veicolo",
  plate:
    "matricula placa license_plate registration kennzeichen nummernschild immatriculation plaque targa amtl_kennzeichen",
  brand: "marca make hersteller marke marque fabrikat",
  model: "modelo modell modele modello typ",
  color: "colour farbe couleur colore",
  category_code:
    "categoria category grupo group car_group kategorie gruppe fahrzeuggruppe grup groupe gruppo klasse fahrzeugklasse classe fahrzeugkategorie car_class vehicle_class car_category categorie categoria_veicolo categoria_vehiculo categorie_vehicule",
  branch_code:
    "sucursal oficina branch office delegacion station filiale standort agence sede succursale niederlassung rental_office pickup_office pickup_branch agence_depart oficina_recogida oficina_salida sede_ritiro abholstation abholfiliale",
  return_branch_code:
    "sucursal_devolucion oficina_devolucion return_branch return_office ruckgabefiliale ruckgabestation agence_retour agence_de_retour sede_riconsegna filiale_ruckgabe",
  branch_group_id: "grupo_de_sucursales zona isla branch_group island insel illa",
  usage_units:
    "kilometros km kms mileage odometer kilometer kilometerstand tachostand quilometres km_stand kmstand kilometrage chilometri chilometraggio laufleistung compteur",
  fuel: "combustible kraftstoff treibstoff carburant carburante alimentazione kraftstoffart tipo_combustible type_carburant tipo_carburante fuel_type",
  active: "activo alta aktiv actiu actif attivo",
  acquisition_date:
    "fecha_compra fecha_de_compra fecha_matriculacion purchase_date kaufdatum erstzulassung date_achat date_d_achat data_acquisto anschaffungsdatum data_immatricolazione date_immatriculation",
  purchase_price: "precio_compra precio_de_compra kaufpreis prix_achat prix_d_achat prezzo_acquisto anschaffungspreis",
  vat_percent:
    "iva vat tipo_iva tax_rate igic mwst ust mehrwertsteuer umsatzsteuer tva taux_tva aliquota aliquota_iva mwst_satz ust_satz",
  price:
    "precio importe_dia tarifa rate preis preu tagespreis prix prezzo tarif tariffa prix_jour prezzo_giornaliero precio_dia preis_tag price_day",
  price_per: "por unidad_de_precio",
  from_days: "desde_dias dias_desde von_tagen ab_tagen",
  to_days: "hasta_dias dias_hasta bis_tagen",
  season_id: "temporada season saison",
  sales_channel_code: "canal sales_channel channel kanal",
  // A company hands a vehicle over (entrega) that a customer collects (recogida), and the other way round at the
  // return. The first of both in a file is the start, because a field takes one column.
  date_from:
    "desde fecha_desde fecha_inicio fecha_salida fecha_recogida start_date pickup_date from von abholdatum mietbeginn beginn data_inici abholung mietbeginn_datum abgang depart date_depart date_de_depart date_debut du ritiro data_ritiro data_inizio dal recogida salida pickup pick_up date_out check_out datum_abholung fecha_entrega entrega",
  date_to:
    "hasta fecha_hasta fecha_fin fecha_entrega entrega fecha_recogida recogida fecha_devolucion end_date return_date to bis ruckgabedatum mietende ende data_fi ruckgabe ruckkehr retour date_retour date_de_retour date_fin au riconsegna data_riconsegna data_fine al devolucion dropoff drop_off date_due date_in check_in datum_ruckgabe",
  time_from:
    "hora_desde hora_inicio hora_salida hora_recogida pickup_time start_time abholzeit uhrzeit_von heure_depart heure_de_depart ora_ritiro abholuhrzeit time_out hora_entrega",
  time_to:
    "hora_hasta hora_fin hora_entrega hora_recogida hora_devolucion return_time end_time ruckgabezeit uhrzeit_bis heure_retour heure_de_retour ora_riconsegna ruckgabeuhrzeit time_in time_due",
  days: "dias tage dies jours giorni nombre_de_jours miettage",
  status: "estado situacion state zustand statut stato etat vertragsstatus buchungsstatus",
  total:
    "importe total_amount importe_total total_factura gesamt gesamtbetrag summe brutto mietpreis montant montant_ttc total_ttc prix_total totale importo importo_totale prezzo_totale gesamtpreis endbetrag rechnungsbetrag total_charges",
  subtotal: "base base_imponible net neto netto nettobetrag montant_ht total_ht ht imponibile nettosumme",
  taxes: "cuota cuota_iva impuesto tax_amount steuer steuerbetrag montant_tva imposta importo_iva mwst_betrag",
  customer_id:
    "cliente customer client kunde kundennr kundennummer n_cliente numero_cliente customer_number codice_cliente id_cliente kunden_nr n_client numero_client code_client mieter locataire",
  customer_name: "nombre_cliente kundenname nom_client nome_cliente renter_name mieter_name name_mieter mietername",
  customer_full_name: "nombre_completo titular kundenname nom_client nome_cliente intestatario",
  booking_id:
    "contrato reserva booking contract reservation n_contrato numero_contrato contract_number booking_number vertrag buchung vertragsnummer buchungsnummer contracte contrat contratto prenotazione n_contrat numero_contrat numero_contratto n_contratto vertrags_nr buchungs_nr reservierung mietvertrag n_reserva n_reservation agreement_number",
  document_id_of: "factura invoice rechnung",
  vehicle_reference:
    "vehiculo vehicle coche car matricula plate fahrzeug auto kennzeichen vehicule veicolo targa immatriculation amtl_kennzeichen mietwagen",
  number:
    "numero num n nummer nr rechnungsnummer n_facture numero_facture numero_fattura belegnummer belegnr rechnungs_nr beleg_nr",
  serie: "series nummernkreis",
  date: "fecha datum rechnungsdatum data date_facture date_paiement data_fattura data_pagamento belegdatum zahlungsdatum zahldatum data_incasso fecha_pago fecha_cobro payment_date date_reglement",
  amount: "importe cantidad_pagada betrag import montant importo importo_pagato zahlbetrag",
  payment_method_id:
    "forma_de_pago forma_pago metodo metodo_de_pago payment_method method zahlungsart zahlungsweise moyen_de_paiement mode_de_paiement reglement metodo_di_pagamento modalita_di_pagamento pagamento zahlart",
  source_doc: "tipo tipo_de_cobro tipo_cobro art",
  quantity: "cantidad unidades qty menge anzahl quantitat quantite quantita",
  concept: "concepto description descripcion beschreibung bezeichnung descripcio libelle causale verwendungszweck",
  comments:
    "observaciones notas comentarios notes remarks bemerkungen notizen anmerkungen remarques commentaires note osservazioni commenti",
  deposit: "fianza deposito kaution diposit caution cauzione deposito_cauzionale",
  product_guarantee: "fianza deposito deposit kaution caution cauzione",
};

const VALUE_SYNONYMS: Readonly<Record<string, string>> = {
  petrol:
    "gasolina bencina gasoline benzin essence benzina super ottokraftstoff sans_plomb benzine super_e5 super_e10 gasolina_95 unleaded",
  diesel: "gasoil gasoleo gazole gasolio",
  electric: "electrico elektro elektrisch electrique elettrico elettrica strom",
  hybrid: "hibrido hybrid_benzin hybride ibrido ibrida plug_in_hybrid phev hibrido_enchufable",
  none: "ninguno sin_combustible keiner ohne",
  manual: "m schaltgetriebe handschaltung manuel manuelle manuale schaltung",
  automatic: "automatico automatica a auto automatik automatique automatikgetriebe automat",
  pending_confirmation:
    "pendiente solicitada presupuesto pending requested angefragt en_attente in_attesa da_confermare anfrage ausstehend unbestatigt",
  confirmed:
    "confirmada confirmado reservada reservado bestatigt gebucht reserviert confirme confirmee reserve reservee confermato confermata prenotato prenotata reserved booked validee",
  in_progress:
    "abierto abierta en_curso entregado entregada open out laufend unterwegs vermietet en_cours in_corso ausgegeben ubergeben sorti on_rent on_hire rented alquilado",
  done: "cerrado cerrada finalizado finalizada devuelto closed finished returned abgeschlossen beendet zuruckgegeben termine terminee cloture cloturee rendu rendue terminato terminata chiuso chiusa concluso conclusa erledigt geschlossen ruckgegeben completed completado completada completato completata",
  cancelled:
    "anulado anulada cancelado cancelada canceled storniert abgesagt annule annulee annullato annullata abgebrochen",
  individual: "particular persona person privat privatperson particulier privato privatkunde",
  legal_entity:
    "empresa sociedad company firma unternehmen gesellschaft entreprise societe azienda societa geschaftskunde firmenkunde",
  credit_card:
    "tarjeta tarjeta_de_credito card visa karte kreditkarte targeta ec_karte eckarte girocard debitkarte carte carte_bancaire carte_de_credit cb carta carta_di_credito bancomat mastercard tarjeta_de_debito tarjeta_credito ec maestro debit_card kreditkarten",
  cash: "efectivo metalico contado bar barzahlung efectiu especes liquide contanti bargeld",
  bank_transfer:
    "transferencia transfer wire uberweisung virement bonifico bankuberweisung banktransfer transferencia_bancaria virement_bancaire bonifico_bancario",
  check: "cheque talon scheck assegno",
  promissory_note: "pagare",
  invoice: "factura emitida issued rechnung ausgestellt facture fattura",
  draft: "borrador proforma entwurf esborrany brouillon bozza",
  internal_bond: "bono_interno",
  workshop: "taller averia itv werkstatt atelier officina reparatur",
  airport: "aeropuerto flughafen aeroport aeroporto",
  harbor: "puerto hafen",
  hotel: "hoteles",
  location: "oficina ciudad filiale stadt",
  purchase: "compra propio gekauft eigen",
  day: "dia diario por_dia tag pro_tag taglich jour giorno par_jour al_giorno",
  rental: "alquiler contrato por_alquiler miete pro_miete location noleggio par_location",
  percentage: "porcentaje prozent",
  charge: "cobro zahlung",
  payment: "pago devolucion abono ruckzahlung erstattung",
  booking: "contrato reserva vertrag buchung",
  deposit_received: "fianza fianza_recibida deposit kaution",
  deposit_returned: "fianza_devuelta deposit_return kaution_zuruck",
};

/** Words of a heading that don't change its meaning: articles, prepositions, currency. */
const MINOR_WORDS = new Set(
  "de du des d di da del della dello l la le il lo el los las der die das of the por par pro per et e und and y i in am kfz fzg eur euro".split(
    " ",
  ),
);
const NUMBER_WORDS = /^(?:n|no|nr|num|numero|number|nummer)$|(?<=[a-z]{4}[ns])(?:nr|nummer)$/;
/** Reduces German letters that a system writes as two: `Rueckgabe` is `Rückgabe`. */
const reduceUmlauts = (word: string): string => word.replaceAll(/([aou])e/g, "$1");
/** Reduces a plural, or the joint of a German compound: `customers`, `vertrags`. */
const reduceEnding = (word: string): string => word.replace(/(?<=[a-z]{4})[ns]$/, "");
const DAY_WORDS = new Set(["date", "fecha", "datum", "data"]);
const TIME_WORDS = new Set(["time", "hora", "heure", "ora", "uhrzeit", "zeit"]);

/**
 * Reduces a heading to the words that it's recognized by, in one order: `Date et heure de départ` and `date_depart` are
 * equal, as are `Buchungsnr.` and `buchungs_nummer`. Empty if nothing is left.
 */
function reduceHeading(normalizedName: string): string {
  const words = normalizedName
    .split("_")
    .flatMap((word) => word.replace(NUMBER_WORDS, " number").trim().split(" "))
    .filter((word) => !MINOR_WORDS.has(word))
    .map((word) => reduceUmlauts(reduceEnding(word)));
  const hasDay = words.some((word) => DAY_WORDS.has(word));
  return words
    .filter((word) => !(hasDay && TIME_WORDS.has(word)))
    .toSorted()
    .join(" ");
}

const split = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([canonicalName, text]) => {
    const theirs = text.split(" ");
    const reduced = [canonicalName, ...theirs].map(reduceHeading).filter((word) => word !== "");
    return { ours: canonicalName, theirs: new Set(theirs), reduced: new Set(reduced) };
  });
const [tableWords, fieldWords, valueWords] = [split(TABLE_SYNONYMS), split(FIELD_SYNONYMS), split(VALUE_SYNONYMS)];

/** Words and numbers that programs add to the name of a file, such as `kunden_export_2026_05`. */
const NAME_ADDITION =
  /^(?:export|liste|lista|listado|elenco)_(?:d[eiu]_|des_|der_)?|(?:_?(?:export|liste|list|lista|\d))+$/g;
/** Longer texts are neither a heading nor a name, and normalizing them takes memory. */
const MAX_WORD_LENGTH = 200;

/** Finds the table for a file's or sheet's name. */
export function findTableByFileName<T extends { readonly name: string }>(
  tables: readonly T[],
  name: string,
): T | undefined {
  if (name.length > MAX_WORD_LENGTH) return undefined;
  const normalizedName = normalizeHeading(name).replace(/^\d+_/, "").replace(NAME_ADDITION, "");
  const canonicalName =
    tableWords.find(({ theirs }) => theirs.has(normalizedName))?.ours ?? findMainTableInName(normalizedName);
  return tables.find((table) => table.name === normalizedName) ?? tables.find((table) => table.name === canonicalName);
}

/** Tables that are recognized by one word of a file's name, such as `Anagrafica clienti`. */
const MAIN_TABLES = new Set(["customers", "vehicles", "bookings", "charges", "documents", "expenses"]);

// Returns the table that a word of the name means, unless its words mean several tables.
function findMainTableInName(normalizedName: string): string | undefined {
  const words = normalizedName.split("_").map(reduceHeading);
  const meant = tableWords.filter(({ reduced }) => words.some((word) => reduced.has(word)));
  const [table] = meant;
  return meant.length === 1 && table && MAIN_TABLES.has(table.ours) ? table.ours : undefined;
}

const FIRST_NAMES = new Set(["vorname", "prenom", "first_name", "given_name"]);
const FAMILY_NAMES = new Set(["name", "nom"]);

/** Whether a heading is the family name, because another one is the first name: `Name;Vorname`, `Nom;Prénom`. */
export function isFamilyNameHeading(heading: string, headings: readonly string[]): boolean {
  return (
    FAMILY_NAMES.has(normalizeHeading(heading)) && headings.some((other) => FIRST_NAMES.has(normalizeHeading(other)))
  );
}

const HEADINGS = new Set(fieldWords.flatMap(({ ours, theirs }) => [ours, ...theirs]));
const REDUCED_HEADINGS = new Set(fieldWords.flatMap(({ reduced }) => [...reduced]));

/** Whether a cell is a word that files have as a heading. */
export function isKnownHeading(cell: string): boolean {
  if (cell.length > MAX_WORD_LENGTH) return false;
  const normalizedName = normalizeHeading(cell);
  return HEADINGS.has(normalizedName) || REDUCED_HEADINGS.has(reduceHeading(normalizedName));
}

/** Whether a heading is a synonym of a field. */
export function isSynonym(field: string, heading: string): boolean {
  return fieldWords.some(({ ours, theirs }) => ours === field && theirs.has(normalizeHeading(heading)));
}

/** Whether a heading means a field without its minor words, such as `Date et heure de départ`. */
export function isReducedSynonym(field: string, heading: string): boolean {
  const reduced = reduceHeading(normalizeHeading(heading));
  return fieldWords.some((words) => words.ours === field && words.reduced.has(reduced));
}

/** Finds the allowed value that a cell contains in any spelling or language. */
export function findAllowedValue(allowed: readonly string[], cell: string): string | undefined {
  const normalizedName = normalizeHeading(cell);
  const spelling =
    allowed.find((text) => text === cell) ??
    allowed.find((text) => normalizeHeading(text) === normalizedName) ??
    valueWords.find(({ ours, theirs }) => allowed.includes(ours) && theirs.has(normalizedName))?.ours;
  if (spelling !== undefined) return spelling;
  const reducedName = reduceHeading(normalizedName);
  return valueWords.find(({ ours, reduced }) => allowed.includes(ours) && reduced.has(reducedName))?.ours;
}
