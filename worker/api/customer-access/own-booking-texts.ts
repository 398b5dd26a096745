import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { CustomerTimeLimit } from "#domain/contracts/actions.ts";

/** Reasons why a customer's booking can't be changed. */
export interface OwnBookingTexts {
  readonly notFound: string;
  readonly notAllowed: string;
  readonly byAgency: string;
  readonly changedMeanwhile: (version: number) => string;
  readonly byRule: Readonly<Record<CustomerTimeLimit, string>>;
  readonly byStatus: Readonly<Record<BookingStatus, string>>;
  readonly soldOut: (code: string) => string;
  readonly vehicleTaken: string;
}

const TEXTS: Readonly<Record<PlatformLanguage, OwnBookingTexts>> = {
  es: {
    notFound: "No se encuentra la reserva. Compruebe el enlace del correo",
    notAllowed: "Llámenos, por favor: aquí las reservas no se cambian por internet",
    byAgency: "Diríjase, por favor, a la agencia que hizo esta reserva",
    changedMeanwhile: (version) => `la reserva ha cambiado y su versión es la ${version}`,
    byRule: {
      pickupPassed: "La hora de recogida ya ha pasado; llámenos, por favor",
      holdOver: "La reserva no se pagó a tiempo y ha caducado. No se puede cambiar",
    },
    byStatus: {
      pending_confirmation: "La reserva está pendiente de confirmación y no admite este cambio. Llámenos",
      confirmed: "La reserva ya está confirmada y no admite este cambio. Llámenos",
      in_progress: "El alquiler ya ha empezado; llámenos, por favor",
      done: "La reserva ya ha terminado",
      cancelled: "La reserva está cancelada",
    },
    soldOut: (code) => `No queda suficiente disponibilidad de ${code} en ese periodo`,
    vehicleTaken: "El vehículo no está libre para esos trayectos. Elija otro",
  },
  ca: {
    notFound: "No es troba la reserva. Comproveu l'enllaç del correu",
    notAllowed: "Truqueu-nos, si us plau: aquí les reserves no es canvien per internet",
    byAgency: "Adreceu-vos, si us plau, a l'agència que va fer aquesta reserva",
    changedMeanwhile: (version) => `la reserva ha canviat mentrestant i la seva versió és la ${version}`,
    byRule: {
      pickupPassed: "L'hora de recollida ja ha passat; truqueu-nos, si us plau",
      holdOver: "La reserva no es va pagar a temps i ha caducat. No es pot canviar",
    },
    byStatus: {
      pending_confirmation: "La reserva està pendent de confirmació i no admet aquest canvi. Truqueu-nos",
      confirmed: "La reserva ja està confirmada i no admet aquest canvi. Truqueu-nos",
      in_progress: "El lloguer ja ha començat; truqueu-nos, si us plau",
      done: "La reserva ja ha acabat",
      cancelled: "La reserva està cancel·lada",
    },
    soldOut: (code) => `No queda prou disponibilitat de ${code} en aquest període`,
    vehicleTaken: "El vehicle no està lliure per a aquests trajectes. Trieu-ne un altre",
  },
  en: {
    notFound: "Reservation not found. Check the link in your email",
    notAllowed: "Reservations can't be changed online here. Please call us",
    byAgency: "Please ask the agency that made this reservation",
    changedMeanwhile: (version) => `the reservation was changed in the meantime; it now has version ${version}`,
    byRule: {
      pickupPassed: "The pickup time has passed. Please call us",
      holdOver: "The reservation wasn't paid in time and has expired. It can't be changed",
    },
    byStatus: {
      pending_confirmation: "The reservation isn't confirmed yet, so this isn't possible. Please call us",
      confirmed: "The reservation is already confirmed, so this isn't possible. Please call us",
      in_progress: "The rental has started. Please call us",
      done: "The rental is over, so the reservation can't be changed",
      cancelled: "The reservation is cancelled and can't be changed",
    },
    soldOut: (code) => `Not enough of ${code} is available in this period`,
    vehicleTaken: "The vehicle isn't available for these trips. Choose another one",
  },
  de: {
    notFound: "Reservierung nicht gefunden. Prüfen Sie den Link in Ihrer E-Mail",
    notAllowed: "Bitte rufen Sie uns an: Reservierungen werden hier nicht online geändert",
    byAgency: "Bitte wenden Sie sich an die Agentur, die diese Reservierung vorgenommen hat",
    changedMeanwhile: (version) => `die Reservierung wurde inzwischen geändert und hat jetzt Version ${version}`,
    byRule: {
      pickupPassed: "Die Abholzeit ist vorbei; bitte rufen Sie uns an",
      holdOver: "Die Reservierung wurde nicht rechtzeitig bezahlt und ist abgelaufen. Sie kann nicht geändert werden",
    },
    byStatus: {
      pending_confirmation:
        "Die Reservierung ist noch nicht bestätigt, daher ist das nicht möglich. Bitte rufen Sie uns an",
      confirmed: "Die Reservierung ist schon bestätigt, daher ist das nicht möglich. Bitte rufen Sie uns an",
      in_progress: "Die Miete hat schon begonnen; bitte rufen Sie uns an",
      done: "Die Reservierung ist abgeschlossen",
      cancelled: "Die Reservierung ist storniert",
    },
    soldOut: (code) => `In diesem Zeitraum nicht ausreichend verfügbar: ${code}`,
    vehicleTaken: "Das Fahrzeug ist für diese Fahrten nicht frei. Wählen Sie ein anderes",
  },
  fr: {
    notFound: "Réservation introuvable. Vérifiez le lien de votre e-mail",
    notAllowed: "Veuillez nous appeler\u00a0: ici, les réservations ne se modifient pas en ligne",
    byAgency: "Veuillez vous adresser à l'agence de voyages qui a fait cette réservation",
    changedMeanwhile: (version) => `la réservation a été modifiée entre-temps, sa version est désormais ${version}`,
    byRule: {
      pickupPassed: "L'heure de prise en charge est passée\u00a0; veuillez nous appeler",
      holdOver: "La réservation n'a pas été payée à temps et a expiré\u00a0; elle ne peut pas être modifiée",
    },
    byStatus: {
      pending_confirmation:
        "La réservation n'est pas encore confirmée\u00a0; cette action est impossible. Veuillez nous appeler",
      confirmed: "La réservation est déjà confirmée\u00a0; cette action est impossible. Veuillez nous appeler",
      in_progress: "La location a commencé\u00a0; veuillez nous appeler",
      done: "La réservation est terminée",
      cancelled: "La réservation est annulée",
    },
    soldOut: (code) => `Disponibilité insuffisante pour cette période\u00a0: ${code}`,
    vehicleTaken: "Le véhicule n'est pas libre pour ces trajets. Choisissez-en un autre",
  },
  it: {
    notFound: "Prenotazione non trovata. Verifichi il link nell'e-mail",
    notAllowed: "Ci chiami: qui le prenotazioni non si modificano online",
    byAgency: "Si rivolga all'agenzia che ha effettuato questa prenotazione",
    changedMeanwhile: (version) => `la prenotazione è stata modificata nel frattempo e ora ha la versione ${version}`,
    byRule: {
      pickupPassed: "L'ora di ritiro è passata; ci chiami",
      holdOver: "La prenotazione non è stata pagata in tempo ed è scaduta; non può essere modificata",
    },
    byStatus: {
      pending_confirmation: "La prenotazione non è ancora confermata: operazione non possibile. Ci chiami",
      confirmed: "La prenotazione è già confermata: operazione non possibile. Ci chiami",
      in_progress: "Il noleggio è iniziato; ci chiami",
      done: "La prenotazione è conclusa",
      cancelled: "La prenotazione è annullata",
    },
    soldOut: (code) => `Disponibilità insufficiente in questo periodo: ${code}`,
    vehicleTaken: "Il veicolo non è libero per questi tragitti. Ne scelga un altro",
  },
  pt: {
    notFound: "Reserva não encontrada. Verifique o link no seu e-mail",
    notAllowed: "Telefone-nos, por favor: aqui as reservas não se alteram online",
    byAgency: "Dirija-se, por favor, à agência que fez esta reserva",
    changedMeanwhile: (version) => `a reserva foi entretanto alterada e a sua versão é agora ${version}`,
    byRule: {
      pickupPassed: "A hora de levantamento já passou; telefone-nos, por favor",
      holdOver: "A reserva não foi paga a tempo e expirou; não pode ser alterada",
    },
    byStatus: {
      pending_confirmation: "A reserva ainda não está confirmada, por isso não é possível. Telefone-nos, por favor",
      confirmed: "A reserva já está confirmada, por isso não é possível. Telefone-nos, por favor",
      in_progress: "O aluguer já começou; telefone-nos, por favor",
      done: "A reserva já terminou",
      cancelled: "A reserva foi cancelada",
    },
    soldOut: (code) => `Disponibilidade insuficiente neste período: ${code}`,
    vehicleTaken: "A viatura não está livre para estes trajetos. Escolha outra",
  },
  nl: {
    notFound: "Reservering niet gevonden. Controleer de link in uw e-mail",
    notAllowed: "Bel ons: reserveringen worden hier niet online gewijzigd",
    byAgency: "Neem contact op met het reisbureau dat deze reservering heeft gemaakt",
    changedMeanwhile: (version) => `de reservering is intussen gewijzigd en heeft nu versie ${version}`,
    byRule: {
      pickupPassed: "Het ophaaltijdstip is verstreken; bel ons",
      holdOver: "De reservering is niet op tijd betaald en is verlopen; wijzigen is niet mogelijk",
    },
    byStatus: {
      pending_confirmation: "De reservering is nog niet bevestigd, dus dit is niet mogelijk. Bel ons",
      confirmed: "De reservering is al bevestigd, dus dit is niet mogelijk. Bel ons",
      in_progress: "De huur is al begonnen; bel ons",
      done: "De reservering is afgerond",
      cancelled: "De reservering is geannuleerd",
    },
    soldOut: (code) => `Onvoldoende beschikbaar in deze periode: ${code}`,
    vehicleTaken: "Het voertuig is niet vrij voor deze ritten. Kies een ander voertuig",
  },
};

/** Returns the messages about a customer's booking in their language. */
export function getOwnBookingTexts(language: PlatformLanguage): OwnBookingTexts {
  return TEXTS[language];
}
