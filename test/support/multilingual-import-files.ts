import type { ImportMapping } from "#domain/operations/imports.ts";
import { createWorkbook } from "#support/workbook.ts";

/** Codes of the importing company, which the files contain. */
interface CompanyCodes {
  readonly category: string;
  readonly branch: string;
}

/** File of another system, with the mapping that it needs. */
export interface MultilingualImportFile {
  readonly name: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly mapping?: ImportMapping;
  /** Rows that the import adds. */
  readonly added: number;
}

// Windows-1252 with the euro sign as the only special letter.
const encodeWindows = (text: string) => Uint8Array.from(text.replaceAll("€", "\x80"), (letter) => letter.charCodeAt(0));

/**
 * Creates made-up files of six other systems, in German, French, Italian, Spanish, English and mixed languages: titles,
 * sums, serial dates, units, and dates with times.
 */
export function createMultilingualImportFiles({ category, branch }: CompanyCodes): readonly MultilingualImportFile[] {
  return [
    {
      name: "Fuhrparkliste 2026-11.csv",
      added: 2,
      content: encodeWindows(
        [
          "Autovermietung Nordsee e.K.;;;;;;;;;",
          "Fahrzeugbestand zum 30.11.2026;;;;;;;;;",
          "Interne Nr.;Kfz-Kennzeichen;Hersteller;Typ;Gruppe;Standort;Kraftstoffart;KM-Stand;Erstzulassung;Kaufpreis",
          `N-001;HH-AB 1234;VW;Polo;${category};${branch};Super E10;12.345 km;15.03.2024;18.990,00 €`,
          `N-003;HH-E 99E;VW;ID.3;${category};${branch};Elektro;8.100 km;20.01.2025;34.000,00 €`,
          "Summe (2 Fahrzeuge);;;;;;;;;52.990,00 €",
        ].join("\r\n"),
      ),
    },
    {
      name: "Réservations - export.csv",
      added: 2,
      content: [
        "Locations Azur SARL - Liste des réservations du 01/06/2027 au 30/06/2027",
        "N° de réservation;Nom du client;Catégorie;Agence de départ;Agence de retour;Statut;Date et heure de départ;Date et heure de retour;Montant TTC",
        `R-001;Hélène Lefèvre;${category};${branch};${branch};Confirmée;12/06/2027 10h30;15/06/2027 à 18h00;312,00 €`,
        `R-002;Noé Dubois;${category};${branch};${branch};Annulée;14/06/2027 09:00;16/06/2027 09:00;1 214,50 €`,
        "TOTAL GÉNÉRAL;;;;;;;;1 526,50 €",
      ].join("\n"),
    },
    {
      name: "Anagrafica clienti.xlsx",
      added: 2,
      content: createWorkbook({
        Foglio1: [
          ["Autonoleggio Maestrale S.r.l."],
          ["Codice cliente", "Cognome", "Nome", "Data di nascita", "CAP", "Città", "Nazione", "Cellulare"],
          ["C-100", "Rossi", "Giulia", 29_221, 184, "Roma", "Italia", "+39 333 1234567"],
          ["C-101", "Weber", "Klaus", 27_759, 1067, "Dresden", "Germania", "+49 170 1234567"],
          ["Totale clienti: 2"],
        ],
      }),
    },
    {
      name: "Listado de reservas.xlsx",
      added: 1,
      mapping: { columns: { bookings: { Cliente: "customer_name" } } },
      content: createWorkbook({
        Hoja1: [
          ["RENT A CAR TRAMUNTANA, S.L."],
          ["Desde 01/07/2027 hasta 31/07/2027"],
          [
            ...["Nº reserva", "Cliente", "Grupo", "Oficina recogida", "Estado", "Fecha recogida", "Hora recogida"],
            ...["Fecha devolución", "Hora devolución", "Importe total"],
          ],
          ["T-1", "Núria Ferrer", category, branch, "Reservado", 46_570, 0.4375, 46_573, 0.729_166_666, "1.234,50"],
          ["", "", "", "", "", "", "", "", "TOTAL", "1.234,50"],
        ],
      }),
    },
    {
      name: "Rental Agreements.txt",
      added: 1,
      content: [
        "Blue Coast Rentals\tOpen agreements\tPrinted 11/30/2026",
        "Agreement No.\tRenter Name\tCar Class\tRental Office\tStatus\tCheck-out\tCheck-in\tTotal Charges",
        `RA-1\tAnn Smith\t${category}\t${branch}\tReserved\t12/25/2027 2:30 PM\t12/28/2027 10:00 AM\t$1,200.00`,
        "Grand Total\t\t\t\t\t\t\t$1,200.00",
      ].join("\n"),
    },
    {
      name: "Migration.xlsx",
      added: 4,
      content: createWorkbook({
        Clients: [
          ["Export du 30/11/2026"],
          ["Nom", "Prénom", "Pays", "Téléphone portable"],
          ["Müller", "Jörg", "Deutschland", "+49 170 7654321"],
          ["Total : 1"],
        ],
        Zahlungen: [
          ["Zahlungseingaenge Juni 2027", ""],
          ["Buchungsnr.", "Zahldatum", "Betrag", "Zahlungsart"],
          ["R-001", 46_539.4375, "100,00 €", "EC-Karte"],
          ["R-001", 46_540, "212,00 €", "Ueberweisung"],
          ["Gesamtsumme", "", "312,00 €", ""],
        ],
        Accesorios: [
          ["Código", "Nombre", "Precio por día", "Por", "IVA"],
          ["BEBE", "Silla de bebé", "5,50", "Día", "21 %"],
        ],
      }),
    },
  ];
}
