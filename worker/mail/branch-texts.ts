import type { PlatformLanguage } from "#domain/catalogue/languages.ts";

interface BranchTexts {
  readonly customer: string;
  /** Subject and first sentence by mail kind. */
  readonly events: Readonly<Record<string, { readonly subject: string; readonly sentence: string } | undefined>>;
}

/** Texts for mails to a branch. The branch didn't make the booking and isn't thanked for paying. */
export const BRANCH_TEXTS: Readonly<Record<PlatformLanguage, BranchTexts>> = {
  es: {
    customer: "Cliente",
    events: {
      request_received: {
        subject: "nueva solicitud de reserva",
        sentence: "Hay una nueva solicitud de reserva, todavía sin confirmar.",
      },
      confirmed: { subject: "reserva confirmada", sentence: "Una reserva está confirmada." },
      changed: { subject: "reserva modificada", sentence: "Una reserva ha cambiado. Así queda:" },
      cancelled: { subject: "reserva cancelada", sentence: "Una reserva está cancelada." },
      payment_received: { subject: "pago recibido", sentence: "Ha entrado el pago de una reserva." },
    },
  },
  ca: {
    customer: "Client",
    events: {
      request_received: {
        subject: "nova sol·licitud de reserva",
        sentence: "Hi ha una nova sol·licitud de reserva, encara sense confirmar.",
      },
      confirmed: { subject: "reserva confirmada", sentence: "Una reserva està confirmada." },
      changed: { subject: "reserva modificada", sentence: "Una reserva ha canviat. Queda així:" },
      cancelled: { subject: "reserva cancel·lada", sentence: "Una reserva està cancel·lada." },
      payment_received: { subject: "pagament rebut", sentence: "Ha entrat el pagament d'una reserva." },
    },
  },
  en: {
    customer: "Customer",
    events: {
      request_received: {
        subject: "new request",
        sentence: "There is a new request for a reservation, not confirmed yet.",
      },
      confirmed: { subject: "reservation confirmed", sentence: "A reservation is confirmed." },
      changed: { subject: "reservation changed", sentence: "A reservation has changed. The current details:" },
      cancelled: { subject: "reservation cancelled", sentence: "A reservation is cancelled." },
      payment_received: { subject: "payment received", sentence: "A payment for a reservation has come in." },
    },
  },
  de: {
    customer: "Kunde",
    events: {
      request_received: {
        subject: "neue Anfrage",
        sentence: "es gibt eine neue Anfrage, die noch nicht bestätigt ist.",
      },
      confirmed: { subject: "Reservierung bestätigt", sentence: "eine Reservierung ist bestätigt." },
      changed: {
        subject: "Reservierung geändert",
        sentence: "eine Reservierung wurde geändert. Die aktuellen Angaben:",
      },
      cancelled: { subject: "Reservierung storniert", sentence: "eine Reservierung ist storniert." },
      payment_received: {
        subject: "Zahlung eingegangen",
        sentence: "für eine Reservierung ist eine Zahlung eingegangen.",
      },
    },
  },
  fr: {
    customer: "Client",
    events: {
      request_received: {
        subject: "nouvelle demande de réservation",
        sentence: "Une nouvelle demande de réservation est arrivée, à confirmer.",
      },
      confirmed: { subject: "réservation confirmée", sentence: "Une réservation est confirmée." },
      changed: {
        subject: "réservation modifiée",
        sentence: "Une réservation a été modifiée. En voici les détails\u00a0:",
      },
      cancelled: { subject: "réservation annulée", sentence: "Une réservation est annulée." },
      payment_received: { subject: "paiement reçu", sentence: "Un paiement a été reçu pour une réservation." },
    },
  },
  it: {
    customer: "Cliente",
    events: {
      request_received: {
        subject: "nuova richiesta di prenotazione",
        sentence: "È arrivata una nuova richiesta di prenotazione, non ancora confermata.",
      },
      confirmed: { subject: "prenotazione confermata", sentence: "Una prenotazione è confermata." },
      changed: {
        subject: "prenotazione modificata",
        sentence: "Una prenotazione è stata modificata. Ecco i dettagli aggiornati:",
      },
      cancelled: { subject: "prenotazione annullata", sentence: "Una prenotazione è annullata." },
      payment_received: { subject: "pagamento ricevuto", sentence: "È arrivato il pagamento di una prenotazione." },
    },
  },
  pt: {
    customer: "Cliente",
    events: {
      request_received: {
        subject: "novo pedido de reserva",
        sentence: "Há um novo pedido de reserva, ainda por confirmar.",
      },
      confirmed: { subject: "reserva confirmada", sentence: "Foi confirmada uma reserva." },
      changed: { subject: "reserva alterada", sentence: "Uma reserva foi alterada. Seguem os dados atualizados:" },
      cancelled: { subject: "reserva cancelada", sentence: "Foi cancelada uma reserva." },
      payment_received: { subject: "pagamento recebido", sentence: "Foi recebido o pagamento de uma reserva." },
    },
  },
  nl: {
    customer: "Klant",
    events: {
      request_received: {
        subject: "nieuwe reserveringsaanvraag",
        sentence: "Er is een nieuwe reserveringsaanvraag, nog niet bevestigd.",
      },
      confirmed: { subject: "reservering bevestigd", sentence: "Een reservering is bevestigd." },
      changed: {
        subject: "reservering gewijzigd",
        sentence: "Een reservering is gewijzigd. Dit zijn de actuele gegevens:",
      },
      cancelled: { subject: "reservering geannuleerd", sentence: "Een reservering is geannuleerd." },
      payment_received: {
        subject: "betaling ontvangen",
        sentence: "De betaling van een reservering is ontvangen.",
      },
    },
  },
};
