import type { PlatformLanguage } from "#domain/catalogue/languages.ts";

interface StateText {
  readonly title: string;
  readonly text: string;
}

interface LinkTexts {
  /** Text of a link for a payment. It has the placeholder {reservation}. */
  readonly payment: StateText;
  readonly hold: StateText;
  readonly card: string;
  readonly holdButton: string;
  readonly noMethod: string;
  readonly paid: StateText;
  readonly authorised: StateText;
  readonly expired: StateText;
  readonly cancelled: StateText;
  readonly nothing_due: StateText;
  /** Placeholder: {reservation}. */
  readonly reservation_cancelled: StateText;
  readonly fee: StateText;
  readonly unknown: StateText;
  /** A form that was too long, too slow or not readable. */
  readonly unreadable: StateText;
  readonly reservation: string;
}

/** Texts of the page of a payment link. */
export const paymentLinkTexts: Readonly<Record<PlatformLanguage, LinkTexts>> = {
  en: {
    payment: { title: "Pay for reservation {reservation}", text: "Choose how you want to pay." },
    hold: {
      title: "Deposit for reservation {reservation}",
      text: "The amount is held on your card and not charged. After the return, we release it or charge what you owe.",
    },
    card: "Pay by card",
    holdButton: "Authorise by card",
    noMethod: "No payment method is available at the moment. Please contact us.",
    paid: { title: "This amount is already paid", text: "We have received this amount. You don't need to pay again." },
    authorised: { title: "The deposit is authorised", text: "The amount is held on your card. Nothing was charged." },
    expired: { title: "This link has expired", text: "Please ask us for a new link." },
    cancelled: { title: "This link was cancelled", text: "Please contact us if you want to pay." },
    nothing_due: {
      title: "Nothing is due",
      text: "The amount of this link is already settled. You don't need to pay.",
    },
    reservation_cancelled: {
      title: "Reservation {reservation} was cancelled",
      text: "You can't pay with this link any more. Please contact us if you have questions.",
    },
    fee: { title: "Reservation {reservation} was cancelled", text: "Please pay the cancellation fee." },
    unknown: { title: "Link not found", text: "The address is incomplete or wrong. Please check the link." },
    unreadable: { title: "Form not received", text: "Nothing changed. Please send the form again." },
    reservation: "Go to my reservation",
  },
  es: {
    payment: { title: "Pago de la reserva {reservation}", text: "Elija cómo quiere pagar." },
    hold: {
      title: "Fianza de la reserva {reservation}",
      text: "El importe se retiene en su tarjeta y no se cobra. Tras la devolución lo liberamos o cobramos lo que quede pendiente.",
    },
    card: "Pagar con tarjeta",
    holdButton: "Autorizar con tarjeta",
    noMethod: "Ahora no hay ninguna forma de pago disponible. Póngase en contacto con nosotros, por favor.",
    paid: { title: "Este importe ya está pagado", text: "Hemos recibido este importe. No tiene que pagar otra vez." },
    authorised: {
      title: "La fianza está autorizada",
      text: "El importe está retenido en su tarjeta. No se ha cobrado nada.",
    },
    expired: { title: "Este enlace ha caducado", text: "Pídanos un enlace nuevo, por favor." },
    cancelled: { title: "Este enlace se ha cancelado", text: "Póngase en contacto con nosotros si quiere pagar." },
    nothing_due: {
      title: "No hay nada pendiente",
      text: "El importe de este enlace ya está saldado. No tiene que pagar.",
    },
    reservation_cancelled: {
      title: "La reserva {reservation} se ha cancelado",
      text: "Ya no se puede pagar con este enlace. Si tiene preguntas, póngase en contacto con nosotros.",
    },
    fee: { title: "La reserva {reservation} se ha cancelado", text: "Pague los gastos de cancelación, por favor." },
    unknown: {
      title: "Enlace no encontrado",
      text: "La dirección está incompleta o es incorrecta. Compruebe el enlace.",
    },
    unreadable: {
      title: "Formulario no recibido",
      text: "No se ha cambiado nada. Envíe el formulario de nuevo, por favor.",
    },
    reservation: "Ir a mi reserva",
  },
  ca: {
    payment: { title: "Pagament de la reserva {reservation}", text: "Trieu com voleu pagar." },
    hold: {
      title: "Fiança de la reserva {reservation}",
      text: "L'import es reté a la vostra targeta i no es cobra. Després de la devolució l'alliberem o cobrem el que quedi pendent.",
    },
    card: "Paga amb targeta",
    holdButton: "Autoritza amb targeta",
    noMethod: "Ara no hi ha cap forma de pagament disponible. Poseu-vos en contacte amb nosaltres, si us plau.",
    paid: { title: "Aquest import ja està pagat", text: "Hem rebut aquest import. No cal que torneu a pagar." },
    authorised: {
      title: "La fiança està autoritzada",
      text: "L'import està retingut a la vostra targeta. No s'ha cobrat res.",
    },
    expired: { title: "Aquest enllaç ha caducat", text: "Demaneu-nos un enllaç nou, si us plau." },
    cancelled: { title: "Aquest enllaç s'ha cancel·lat", text: "Poseu-vos en contacte amb nosaltres si voleu pagar." },
    nothing_due: { title: "No hi ha res pendent", text: "L'import d'aquest enllaç ja està saldat. No cal que pagueu." },
    reservation_cancelled: {
      title: "La reserva {reservation} s'ha cancel·lat",
      text: "Ja no es pot pagar amb aquest enllaç. Si teniu preguntes, poseu-vos en contacte amb nosaltres.",
    },
    fee: {
      title: "La reserva {reservation} s'ha cancel·lat",
      text: "Pagueu les despeses de cancel·lació, si us plau.",
    },
    unknown: { title: "Enllaç no trobat", text: "L'adreça és incompleta o incorrecta. Comproveu l'enllaç." },
    unreadable: { title: "Formulari no rebut", text: "No ha canviat res. Torneu a enviar el formulari, si us plau." },
    reservation: "Ves a la meva reserva",
  },
  de: {
    payment: { title: "Zahlung für Reservierung {reservation}", text: "Wählen Sie, wie Sie zahlen möchten." },
    hold: {
      title: "Kaution für Reservierung {reservation}",
      text: "Der Betrag wird auf Ihrer Karte nur reserviert und nicht abgebucht. Nach der Rückgabe geben wir ihn frei oder buchen ab, was offen ist.",
    },
    card: "Mit Karte zahlen",
    holdButton: "Mit Karte autorisieren",
    noMethod: "Im Moment ist keine Zahlungsart verfügbar. Bitte wenden Sie sich an uns.",
    paid: {
      title: "Dieser Betrag ist schon bezahlt",
      text: "Wir haben diesen Betrag erhalten. Sie müssen nicht noch einmal zahlen.",
    },
    authorised: {
      title: "Die Kaution ist autorisiert",
      text: "Der Betrag ist auf Ihrer Karte nur reserviert. Es wurde nichts abgebucht.",
    },
    expired: { title: "Dieser Link ist abgelaufen", text: "Bitte fragen Sie uns nach einem neuen Link." },
    cancelled: { title: "Dieser Link gilt nicht mehr", text: "Bitte wenden Sie sich an uns, wenn Sie zahlen möchten." },
    nothing_due: {
      title: "Es ist nichts fällig",
      text: "Der Betrag dieses Links ist schon beglichen. Sie müssen nichts zahlen.",
    },
    reservation_cancelled: {
      title: "Die Reservierung {reservation} wurde storniert",
      text: "Mit diesem Link können Sie nicht mehr zahlen. Bei Fragen wenden Sie sich bitte an uns.",
    },
    fee: { title: "Die Reservierung {reservation} wurde storniert", text: "Bitte zahlen Sie die Stornogebühr." },
    unknown: { title: "Link nicht gefunden", text: "Die Adresse ist unvollständig oder falsch. Prüfen Sie den Link." },
    unreadable: {
      title: "Formular nicht empfangen",
      text: "Es wurde nichts geändert. Bitte senden Sie das Formular noch einmal.",
    },
    reservation: "Zu meiner Reservierung",
  },
  fr: {
    payment: {
      title: "Paiement de la réservation {reservation}",
      text: "Choisissez votre mode de paiement.",
    },
    hold: {
      title: "Dépôt de garantie, réservation {reservation}",
      text: "Le montant est bloqué sur votre carte et n'est pas débité. Après la restitution, nous le libérons ou débitons ce qui reste dû.",
    },
    card: "Payer par carte",
    holdButton: "Autoriser par carte",
    noMethod: "Aucun mode de paiement n'est disponible pour le moment. Veuillez nous contacter.",
    paid: {
      title: "Ce montant est déjà payé",
      text: "Nous avons reçu ce montant. Inutile de payer une seconde fois.",
    },
    authorised: {
      title: "Le dépôt de garantie est autorisé",
      text: "Le montant est bloqué sur votre carte. Rien n'a été débité.",
    },
    expired: { title: "Ce lien a expiré", text: "Veuillez nous demander un nouveau lien." },
    cancelled: { title: "Ce lien a été annulé", text: "Contactez-nous si vous souhaitez payer." },
    nothing_due: { title: "Rien à payer", text: "Le montant de ce lien est déjà réglé. Vous n'avez rien à payer." },
    reservation_cancelled: {
      title: "La réservation {reservation} a été annulée",
      text: "Ce lien ne permet plus de payer. Contactez-nous pour toute question.",
    },
    fee: { title: "La réservation {reservation} a été annulée", text: "Veuillez payer les frais d'annulation." },
    unknown: {
      title: "Lien introuvable",
      text: "L'adresse est incomplète ou incorrecte. Veuillez vérifier le lien.",
    },
    unreadable: { title: "Formulaire non reçu", text: "Rien n'a été modifié. Veuillez renvoyer le formulaire." },
    reservation: "Voir ma réservation",
  },
  it: {
    payment: { title: "Pagamento della prenotazione {reservation}", text: "Scelga come pagare." },
    hold: {
      title: "Deposito cauzionale, prenotazione {reservation}",
      text: "L'importo viene bloccato sulla Sua carta e non addebitato. Dopo la riconsegna lo sblocchiamo o addebitiamo quanto dovuto.",
    },
    card: "Paga con carta",
    holdButton: "Autorizza con carta",
    noMethod: "Al momento non è disponibile alcun metodo di pagamento. Ci contatti.",
    paid: {
      title: "Questo importo è già stato pagato",
      text: "Abbiamo ricevuto questo importo. Non occorre pagare di nuovo.",
    },
    authorised: {
      title: "Il deposito cauzionale è autorizzato",
      text: "L'importo è bloccato sulla Sua carta. Non è stato addebitato nulla.",
    },
    expired: { title: "Questo link è scaduto", text: "Ci chieda un nuovo link." },
    cancelled: { title: "Questo link è stato annullato", text: "Ci contatti se desidera pagare." },
    nothing_due: {
      title: "Non c'è nulla da pagare",
      text: "L'importo di questo link è già saldato. Non deve pagare.",
    },
    reservation_cancelled: {
      title: "La prenotazione {reservation} è stata annullata",
      text: "Con questo link non è più possibile pagare. Ci contatti per qualsiasi domanda.",
    },
    fee: { title: "La prenotazione {reservation} è stata annullata", text: "Paghi la penale di annullamento." },
    unknown: {
      title: "Link non trovato",
      text: "L'indirizzo è incompleto o errato. Verifichi il link.",
    },
    unreadable: { title: "Modulo non ricevuto", text: "Non è cambiato nulla. Invii di nuovo il modulo." },
    reservation: "Vai alla mia prenotazione",
  },
  pt: {
    payment: { title: "Pagamento da reserva {reservation}", text: "Escolha como pretende pagar." },
    hold: {
      title: "Caução da reserva {reservation}",
      text: "O valor fica cativo no seu cartão e não é cobrado. Após a devolução, libertamo-lo ou cobramos o que estiver em dívida.",
    },
    card: "Pagar com cartão",
    holdButton: "Autorizar com cartão",
    noMethod: "De momento não há meios de pagamento disponíveis. Contacte-nos, por favor.",
    paid: { title: "Este valor já foi pago", text: "Recebemos este valor. Não precisa de pagar de novo." },
    authorised: {
      title: "A caução está autorizada",
      text: "O valor está cativo no seu cartão. Nada foi cobrado.",
    },
    expired: { title: "Este link expirou", text: "Peça-nos um novo link, por favor." },
    cancelled: { title: "Este link foi anulado", text: "Contacte-nos se pretende pagar." },
    nothing_due: {
      title: "Não há nada a pagar",
      text: "O valor deste link já está liquidado. Não precisa de pagar.",
    },
    reservation_cancelled: {
      title: "A reserva {reservation} foi cancelada",
      text: "Já não é possível pagar com este link. Contacte-nos se tiver dúvidas.",
    },
    fee: { title: "A reserva {reservation} foi cancelada", text: "Pague a taxa de cancelamento, por favor." },
    unknown: {
      title: "Link não encontrado",
      text: "O endereço está incompleto ou incorreto. Verifique o link.",
    },
    unreadable: {
      title: "Formulário não recebido",
      text: "Nada foi alterado. Envie novamente o formulário, por favor.",
    },
    reservation: "Ir para a minha reserva",
  },
  nl: {
    payment: { title: "Betaling van reservering {reservation}", text: "Kies hoe u wilt betalen." },
    hold: {
      title: "Borg voor reservering {reservation}",
      text: "Het bedrag wordt op uw kaart gereserveerd en niet afgeschreven. Na het inleveren geven wij het vrij of schrijven wij af wat u nog moet betalen.",
    },
    card: "Met kaart betalen",
    holdButton: "Met kaart autoriseren",
    noMethod: "Op dit moment is er geen betaalmethode beschikbaar. Neem contact met ons op.",
    paid: {
      title: "Dit bedrag is al betaald",
      text: "Wij hebben dit bedrag ontvangen. U hoeft niet opnieuw te betalen.",
    },
    authorised: {
      title: "De borg is geautoriseerd",
      text: "Het bedrag is op uw kaart gereserveerd. Er is niets afgeschreven.",
    },
    expired: { title: "Deze link is verlopen", text: "Vraag ons om een nieuwe link." },
    cancelled: { title: "Deze link is geannuleerd", text: "Neem contact met ons op als u wilt betalen." },
    nothing_due: {
      title: "Er is niets te betalen",
      text: "Het bedrag van deze link is al voldaan. U hoeft niet te betalen.",
    },
    reservation_cancelled: {
      title: "Reservering {reservation} is geannuleerd",
      text: "U kunt niet meer betalen met deze link. Neem contact met ons op als u vragen hebt.",
    },
    fee: { title: "Reservering {reservation} is geannuleerd", text: "Betaal de annuleringskosten." },
    unknown: {
      title: "Link niet gevonden",
      text: "Het adres is onvolledig of onjuist. Controleer de link.",
    },
    unreadable: { title: "Formulier niet ontvangen", text: "Er is niets gewijzigd. Verstuur het formulier opnieuw." },
    reservation: "Naar mijn reservering",
  },
};

/** Returns the note for the customer about a form that wasn't read. */
export function getUnreadFormNote(language: PlatformLanguage): string {
  const { title, text } = paymentLinkTexts[language].unreadable;
  return `${title}. ${text}`;
}
