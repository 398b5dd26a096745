import type { PlatformLanguage } from "#domain/catalogue/languages.ts";

interface PaymentTexts {
  readonly toGateway: { readonly title: string; readonly text: string; readonly button: string };
  readonly held: PaymentStateText;
  readonly paid: PaymentStateText;
  readonly pending: PaymentStateText;
  readonly left: PaymentStateText;
  readonly denied: PaymentStateText;
  readonly expired: PaymentStateText;
  readonly review: PaymentStateText;
  readonly second: PaymentStateText;
  readonly additional: PaymentStateText;
  readonly givingBack: PaymentStateText;
  readonly givenBack: PaymentStateText;
  readonly partGivenBack: PaymentStateText;
  readonly partRetained: PaymentStateText;
  readonly kept: PaymentStateText;
  readonly owedBack: PaymentStateText;
  /** Sentence about the reservation's payments, with the placeholders {paid} and {pending}. */
  readonly balance: string;
  /** Sentence about a completed refund, with the placeholders {amount} and {date}. */
  readonly wasGivenBack: string;
  /** Sentence about a refund in progress, with the placeholder {amount}. */
  readonly isOnItsWay: string;
  readonly unknown: PaymentStateText;
  readonly notPayable: PaymentStateText;
  /** An unpaid reservation whose hold ended. */
  readonly holdEnded: PaymentStateText;
  readonly cancelled: PaymentStateText;
  readonly alreadyPaid: PaymentStateText;
  /** Label of the reservation, with the placeholder {n} for its number. */
  readonly reservation: string;
  readonly back: string;
  readonly again: string;
}

interface PaymentStateText {
  readonly title: string;
  readonly text: string;
}

/** Texts of the payment pages. */
export const paymentTexts: Readonly<Record<PlatformLanguage, PaymentTexts>> = {
  en: {
    toGateway: {
      title: "Taking you to the secure payment page",
      text: "If nothing happens in a moment, press the button.",
      button: "Continue to payment",
    },
    held: { title: "Deposit authorised", text: "The amount is held on your card and not charged." },
    paid: { title: "Payment received", text: "Thank you. We have received this amount for your reservation." },
    pending: {
      title: "Waiting for the bank",
      text: "The bank hasn't confirmed the payment yet. This page updates automatically. Please don't pay again.",
    },
    left: { title: "You left the payment page", text: "No payment has reached us. You can try again." },
    denied: {
      title: "Payment not made",
      text: "The payment was refused or cancelled. Nothing was charged; you can try again.",
    },
    expired: {
      title: "The payment was not finished",
      text: "The payment timed out or was replaced by a newer one. You were not charged. Check your reservation before you pay again.",
    },
    review: {
      title: "We're checking your payment",
      text: "We received your payment and need to review it. We'll contact you. Please don't pay again.",
    },
    second: {
      title: "The reservation was already paid",
      text: "Your reservation was already paid. We'll check this second payment and contact you. Please don't pay again.",
    },
    additional: {
      title: "Second payment received",
      text: "You had already made this payment. The second one counts towards the rest of your reservation. If you want it back, please contact us.",
    },
    givingBack: {
      title: "Refund in progress",
      text: "It can take a few days to reach you. You don't need to do anything.",
    },
    givenBack: {
      title: "Payment refunded",
      text: "It can take a few days to reach you. If you still want to rent, please book again.",
    },
    partGivenBack: {
      title: "Partial refund issued",
      text: "It can take a few days to reach you.",
    },
    partRetained: {
      title: "Partial refund issued",
      text: "Your reservation is cancelled. The rest covers the cancellation fee. The refund can take a few days to reach you.",
    },
    kept: {
      title: "Your reservation is cancelled",
      text: "This payment covers the cancellation fee. If you have questions, please contact us.",
    },
    owedBack: {
      title: "Your reservation is cancelled",
      text: "We'll refund this payment, less the cancellation fee. If you have questions, please contact us.",
    },
    balance: "Received in total: {paid}. Still to pay: {pending}.",
    wasGivenBack: "We refunded {amount} on {date}.",
    isOnItsWay: "We have asked the bank to refund {amount}.",
    unknown: {
      title: "Payment not found",
      text: "The address is incomplete or wrong. Please go back to the website.",
    },
    notPayable: {
      title: "Payment isn't possible now",
      text: "The reservation is unknown, cancelled or already paid, or the time to pay is over. Please go back to the website.",
    },
    holdEnded: {
      title: "The time to pay is over",
      text: "The vehicle is no longer held for you, and nothing was charged. Please make a new reservation.",
    },
    cancelled: {
      title: "This reservation is cancelled",
      text: "You can't pay for it any more, and nothing was charged now. Please contact us if you have questions.",
    },
    alreadyPaid: {
      title: "This amount is already paid",
      text: "We have already received this amount. You don't need to pay again, and nothing was charged now.",
    },
    reservation: "Reservation {n}",
    back: "Back to my reservation",
    again: "Refresh",
  },
  es: {
    toGateway: {
      title: "Le llevamos a la página de pago seguro",
      text: "Si no ocurre nada en unos segundos, pulse el botón.",
      button: "Continuar al pago",
    },
    held: { title: "Fianza autorizada", text: "El importe está retenido en su tarjeta y no se ha cobrado." },
    paid: { title: "Pago recibido", text: "Gracias. Hemos recibido este importe para su reserva." },
    pending: {
      title: "A la espera del banco",
      text: "El banco aún no ha confirmado el pago. Esta página se actualiza sola; no pague otra vez.",
    },
    left: {
      title: "Ha salido de la página de pago",
      text: "No nos ha llegado ningún pago. Puede intentarlo de nuevo.",
    },
    denied: {
      title: "Pago no realizado",
      text: "El pago fue rechazado o cancelado. No se ha cobrado nada; puede intentarlo de nuevo.",
    },
    expired: {
      title: "El pago no se completó",
      text: "El plazo ha terminado o se ha iniciado otro pago. No se ha cobrado nada. Compruebe su reserva antes de volver a pagar.",
    },
    review: {
      title: "Estamos revisando su pago",
      text: "Hemos recibido su pago y debemos revisarlo. Le contactaremos; no pague otra vez.",
    },
    second: {
      title: "La reserva ya estaba pagada",
      text: "Su reserva ya estaba pagada. Revisaremos este segundo pago y nos pondremos en contacto. No pague otra vez.",
    },
    additional: {
      title: "Segundo pago recibido",
      text: "Ya había hecho este pago. El segundo se descuenta de lo que queda por pagar de su reserva. Si prefiere un reembolso, póngase en contacto con nosotros.",
    },
    givingBack: {
      title: "Reembolso en curso",
      text: "El banco puede tardar unos días en mostrarlo. No tiene que hacer nada.",
    },
    givenBack: {
      title: "Pago reembolsado",
      text: "El banco puede tardar unos días en mostrarlo. Si todavía quiere alquilar, reserve de nuevo, por favor.",
    },
    partGivenBack: {
      title: "Hemos reembolsado una parte de su pago",
      text: "El banco puede tardar unos días en mostrarlo.",
    },
    partRetained: {
      title: "Hemos reembolsado una parte de su pago",
      text: "Su reserva está cancelada. El resto cubre los gastos de cancelación. El reembolso puede tardar unos días.",
    },
    kept: {
      title: "Su reserva está cancelada",
      text: "Este pago cubre los gastos de cancelación. Si tiene alguna pregunta, póngase en contacto con nosotros.",
    },
    owedBack: {
      title: "Su reserva está cancelada",
      text: "Le reembolsaremos este pago, menos los gastos de cancelación. Si tiene alguna pregunta, póngase en contacto con nosotros.",
    },
    balance: "Recibido en total: {paid}. Pendiente de pago: {pending}.",
    wasGivenBack: "Le hemos reembolsado {amount} el {date}.",
    isOnItsWay: "Hemos pedido al banco que le reembolse {amount}.",
    unknown: {
      title: "Pago no encontrado",
      text: "La dirección está incompleta o es incorrecta. Vuelva al sitio web, por favor.",
    },
    notPayable: {
      title: "Ahora no se puede pagar",
      text: "La reserva no existe, está cancelada o ya pagada, o el plazo de pago ha terminado. Vuelva al sitio web, por favor.",
    },
    holdEnded: {
      title: "El plazo de pago ha terminado",
      text: "Ya no le guardamos el vehículo y no se ha cobrado nada. Haga una reserva nueva.",
    },
    cancelled: {
      title: "Esta reserva está cancelada",
      text: "Ya no se puede pagar y ahora no se ha cobrado nada. Si tiene preguntas, contáctenos.",
    },
    alreadyPaid: {
      title: "Este importe ya está pagado",
      text: "Ya hemos recibido este importe. No tiene que pagar otra vez y ahora no se ha cobrado nada.",
    },
    reservation: "Reserva {n}",
    back: "Volver a mi reserva",
    again: "Actualizar",
  },
  ca: {
    toGateway: {
      title: "Us portem a la pàgina de pagament segur",
      text: "Si no passa res en uns segons, premeu el botó.",
      button: "Continua al pagament",
    },
    held: { title: "Fiança autoritzada", text: "L'import està retingut a la vostra targeta i no s'ha cobrat." },
    paid: { title: "Pagament rebut", text: "Gràcies. Hem rebut aquest import per a la vostra reserva." },
    pending: {
      title: "A l'espera del banc",
      text: "El banc encara no ha confirmat el pagament. Aquesta pàgina s'actualitza sola; no torneu a pagar.",
    },
    left: {
      title: "Heu sortit de la pàgina de pagament",
      text: "No ens ha arribat cap pagament. Podeu tornar-ho a provar.",
    },
    denied: {
      title: "Pagament no realitzat",
      text: "El pagament s'ha rebutjat o cancel·lat. No s'ha cobrat res; podeu tornar-ho a provar.",
    },
    expired: {
      title: "El pagament no s'ha completat",
      text: "El termini s'ha acabat o s'ha iniciat un altre pagament. No s'ha cobrat res. Comproveu la vostra reserva abans de tornar a pagar.",
    },
    review: {
      title: "Estem revisant el vostre pagament",
      text: "Hem rebut el vostre pagament i l'hem de revisar. Us contactarem; no torneu a pagar.",
    },
    second: {
      title: "La reserva ja estava pagada",
      text: "La vostra reserva ja estava pagada. Revisarem aquest segon pagament i us contactarem. No torneu a pagar.",
    },
    additional: {
      title: "Segon pagament rebut",
      text: "Ja havíeu fet aquest pagament. El segon es descompta del que queda per pagar de la reserva. Si preferiu un reemborsament, contacteu amb nosaltres.",
    },
    givingBack: {
      title: "Reemborsament en curs",
      text: "El banc pot trigar uns dies a mostrar-ho. No heu de fer res.",
    },
    givenBack: {
      title: "Pagament reemborsat",
      text: "El banc pot trigar uns dies a mostrar-ho. Si encara voleu llogar, torneu a reservar, si us plau.",
    },
    partGivenBack: {
      title: "Hem reemborsat una part del vostre pagament",
      text: "El banc pot trigar uns dies a mostrar-ho.",
    },
    partRetained: {
      title: "Hem reemborsat una part del vostre pagament",
      text: "La vostra reserva està cancel·lada. La resta cobreix les despeses de cancel·lació. El reemborsament pot trigar uns dies.",
    },
    kept: {
      title: "La vostra reserva està cancel·lada",
      text: "Aquest pagament cobreix les despeses de cancel·lació. Si teniu cap pregunta, poseu-vos en contacte amb nosaltres.",
    },
    owedBack: {
      title: "La vostra reserva està cancel·lada",
      text: "Us reemborsarem aquest pagament, menys les despeses de cancel·lació. Si teniu cap pregunta, poseu-vos en contacte amb nosaltres.",
    },
    balance: "Rebut en total: {paid}. Pendent de pagament: {pending}.",
    wasGivenBack: "Us hem reemborsat {amount} el {date}.",
    isOnItsWay: "Hem demanat al banc que us reemborsi {amount}.",
    unknown: {
      title: "Pagament no trobat",
      text: "L'adreça és incompleta o incorrecta. Torneu al lloc web, si us plau.",
    },
    notPayable: {
      title: "Ara no es pot pagar",
      text: "La reserva no existeix, està cancel·lada o ja pagada, o el termini de pagament s'ha acabat. Torneu al lloc web, si us plau.",
    },
    holdEnded: {
      title: "El termini de pagament s'ha acabat",
      text: "Ja no us guardem el vehicle i no s'ha cobrat res. Feu una reserva nova.",
    },
    cancelled: {
      title: "Aquesta reserva està cancel·lada",
      text: "Ja no es pot pagar i ara no s'ha cobrat res. Si teniu preguntes, contacteu amb nosaltres.",
    },
    alreadyPaid: {
      title: "Aquest import ja està pagat",
      text: "Ja hem rebut aquest import. No cal que torneu a pagar i ara no s'ha cobrat res.",
    },
    reservation: "Reserva {n}",
    back: "Torna a la meva reserva",
    again: "Actualitza",
  },
  de: {
    toGateway: {
      title: "Wir leiten Sie zur sicheren Zahlungsseite weiter",
      text: "Falls gleich nichts geschieht, drücken Sie die Schaltfläche.",
      button: "Weiter zur Zahlung",
    },
    held: {
      title: "Kaution autorisiert",
      text: "Der Betrag ist auf Ihrer Karte nur reserviert und wurde nicht abgebucht.",
    },
    paid: { title: "Zahlung erhalten", text: "Vielen Dank. Wir haben diesen Betrag für Ihre Reservierung erhalten." },
    pending: {
      title: "Wir warten auf die Bank",
      text: "Die Bank hat die Zahlung noch nicht bestätigt. Diese Seite aktualisiert sich automatisch; bitte zahlen Sie nicht noch einmal.",
    },
    left: {
      title: "Sie haben die Zahlungsseite verlassen",
      text: "Bei uns ist keine Zahlung eingegangen. Sie können es erneut versuchen.",
    },
    denied: {
      title: "Zahlung nicht erfolgt",
      text: "Die Zahlung wurde abgelehnt oder abgebrochen. Es wurde nichts abgebucht; Sie können es erneut versuchen.",
    },
    expired: {
      title: "Die Zahlung wurde nicht abgeschlossen",
      text: "Die Zeit ist abgelaufen, oder es wurde eine andere Zahlung begonnen. Es wurde nichts abgebucht. Bitte prüfen Sie Ihre Reservierung, bevor Sie erneut zahlen.",
    },
    review: {
      title: "Wir prüfen Ihre Zahlung",
      text: "Ihre Zahlung ist eingegangen und muss geprüft werden. Wir melden uns; bitte zahlen Sie nicht noch einmal.",
    },
    second: {
      title: "Die Reservierung war schon bezahlt",
      text: "Ihre Reservierung war schon bezahlt. Wir prüfen diese zweite Zahlung und melden uns. Bitte zahlen Sie nicht noch einmal.",
    },
    additional: {
      title: "Zweite Zahlung erhalten",
      text: "Sie hatten diese Zahlung schon geleistet. Die zweite wird auf den Rest Ihrer Reservierung angerechnet. Wenn Sie lieber eine Erstattung möchten, kontaktieren Sie uns bitte.",
    },
    givingBack: {
      title: "Ihre Zahlung wird erstattet",
      text: "Bis die Erstattung auf Ihrem Konto erscheint, können einige Tage vergehen. Sie müssen nichts tun.",
    },
    givenBack: {
      title: "Ihre Zahlung wurde erstattet",
      text: "Bis die Erstattung auf Ihrem Konto erscheint, können einige Tage vergehen. Möchten Sie noch mieten, buchen Sie bitte neu.",
    },
    partGivenBack: {
      title: "Ein Teil Ihrer Zahlung wurde erstattet",
      text: "Bis die Erstattung auf Ihrem Konto erscheint, können einige Tage vergehen.",
    },
    partRetained: {
      title: "Ein Teil Ihrer Zahlung wurde erstattet",
      text: "Ihre Reservierung ist storniert. Der Rest deckt die Stornogebühr. Die Erstattung kann einige Tage dauern.",
    },
    kept: {
      title: "Ihre Reservierung ist storniert",
      text: "Diese Zahlung deckt die Stornogebühr. Bei Fragen wenden Sie sich bitte an uns.",
    },
    owedBack: {
      title: "Ihre Reservierung ist storniert",
      text: "Wir erstatten diese Zahlung abzüglich der Stornogebühr. Bei Fragen wenden Sie sich bitte an uns.",
    },
    balance: "Insgesamt erhalten: {paid}. Noch zu zahlen: {pending}.",
    wasGivenBack: "Am {date} haben wir {amount} erstattet.",
    isOnItsWay: "Wir haben die Bank gebeten, {amount} zu erstatten.",
    unknown: {
      title: "Zahlung nicht gefunden",
      text: "Die Adresse ist unvollständig oder falsch. Bitte gehen Sie zurück zur Website.",
    },
    notPayable: {
      title: "Das kann jetzt nicht bezahlt werden",
      text: "Die Reservierung ist unbekannt, storniert oder schon bezahlt, oder die Zahlungsfrist ist abgelaufen. Bitte gehen Sie zurück zur Website.",
    },
    holdEnded: {
      title: "Die Zahlungsfrist ist abgelaufen",
      text: "Das Fahrzeug ist wieder frei, und es wurde nichts abgebucht. Bitte reservieren Sie neu.",
    },
    cancelled: {
      title: "Diese Reservierung ist storniert",
      text: "Sie kann nicht mehr bezahlt werden, und jetzt wurde nichts abgebucht. Bei Fragen melden Sie sich bitte.",
    },
    alreadyPaid: {
      title: "Dieser Betrag ist schon bezahlt",
      text: "Wir haben diesen Betrag schon erhalten. Sie müssen nicht noch einmal zahlen, und jetzt wurde nichts abgebucht.",
    },
    reservation: "Reservierung {n}",
    back: "Zurück zu meiner Reservierung",
    again: "Aktualisieren",
  },
  fr: {
    toGateway: {
      title: "Redirection vers la page de paiement sécurisé",
      text: "Si rien ne se passe dans quelques secondes, appuyez sur le bouton.",
      button: "Continuer vers le paiement",
    },
    held: {
      title: "Dépôt de garantie autorisé",
      text: "Le montant est bloqué sur votre carte et n'est pas débité.",
    },
    paid: { title: "Paiement reçu", text: "Merci. Nous avons reçu ce montant pour votre réservation." },
    pending: {
      title: "En attente de la banque",
      text: "La banque n'a pas encore confirmé le paiement. Cette page s'actualise automatiquement\u00a0; ne payez pas une seconde fois.",
    },
    left: {
      title: "Vous avez quitté la page de paiement",
      text: "Nous n'avons reçu aucun paiement. Vous pouvez réessayer.",
    },
    denied: {
      title: "Paiement non effectué",
      text: "Le paiement a été refusé ou annulé. Rien n'a été débité\u00a0; vous pouvez réessayer.",
    },
    expired: {
      title: "Le paiement n'a pas abouti",
      text: "Le délai est dépassé ou un autre paiement a été commencé. Rien n'a été débité. Vérifiez votre réservation avant de payer de nouveau.",
    },
    review: {
      title: "Nous vérifions votre paiement",
      text: "Nous avons reçu votre paiement et devons le vérifier. Nous vous contacterons\u00a0; ne payez pas une seconde fois.",
    },
    second: {
      title: "Réservation déjà payée",
      text: "Votre réservation était déjà payée. Nous vérifions ce second paiement et vous contacterons. Ne payez pas à nouveau.",
    },
    additional: {
      title: "Second paiement reçu",
      text: "Vous aviez déjà effectué ce paiement. Le second est déduit du reste de votre réservation. Si vous préférez un remboursement, contactez-nous.",
    },
    givingBack: {
      title: "Remboursement en cours",
      text: "Le remboursement peut mettre quelques jours à apparaître sur votre compte. Vous n'avez rien à faire.",
    },
    givenBack: {
      title: "Paiement remboursé",
      text: "Le remboursement peut mettre quelques jours à apparaître sur votre compte. Si vous souhaitez toujours louer, veuillez réserver de nouveau.",
    },
    partGivenBack: {
      title: "Remboursement partiel effectué",
      text: "Le remboursement peut mettre quelques jours à apparaître sur votre compte.",
    },
    partRetained: {
      title: "Remboursement partiel effectué",
      text: "Votre réservation est annulée. Le reste couvre les frais d'annulation. Le remboursement peut prendre quelques jours.",
    },
    kept: {
      title: "Votre réservation est annulée",
      text: "Ce paiement couvre les frais d'annulation. Pour toute question, contactez-nous.",
    },
    owedBack: {
      title: "Votre réservation est annulée",
      text: "Nous vous rembourserons ce paiement, moins les frais d'annulation. Pour toute question, contactez-nous.",
    },
    balance: "Reçu au total\u00a0: {paid}. Reste à payer\u00a0: {pending}.",
    wasGivenBack: "Nous avons remboursé {amount} le {date}.",
    isOnItsWay: "Nous avons demandé à la banque de rembourser {amount}.",
    unknown: {
      title: "Paiement introuvable",
      text: "L'adresse est incomplète ou incorrecte. Veuillez revenir au site.",
    },
    notPayable: {
      title: "Paiement impossible pour le moment",
      text: "La réservation est inconnue, annulée ou déjà payée, ou le délai de paiement est dépassé. Veuillez revenir au site.",
    },
    holdEnded: {
      title: "Le délai de paiement est dépassé",
      text: "Le véhicule ne vous est plus réservé et rien n'a été débité. Faites une nouvelle réservation.",
    },
    cancelled: {
      title: "Cette réservation est annulée",
      text: "Elle ne peut plus être payée et rien n'a été débité maintenant. Pour toute question, contactez-nous.",
    },
    alreadyPaid: {
      title: "Ce montant est déjà payé",
      text: "Nous avons déjà reçu ce montant. Inutile de payer une seconde fois\u00a0; rien n'a été débité maintenant.",
    },
    reservation: "Réservation {n}",
    back: "Revenir à ma réservation",
    again: "Actualiser",
  },
  it: {
    toGateway: {
      title: "Reindirizzamento alla pagina di pagamento sicuro",
      text: "Se tra qualche secondo non accade nulla, prema il pulsante.",
      button: "Continua al pagamento",
    },
    held: {
      title: "Deposito cauzionale autorizzato",
      text: "L'importo è bloccato sulla Sua carta e non viene addebitato.",
    },
    paid: { title: "Pagamento ricevuto", text: "Grazie. Abbiamo ricevuto questo importo per la Sua prenotazione." },
    pending: {
      title: "In attesa della banca",
      text: "La banca non ha ancora confermato il pagamento. Questa pagina si aggiorna da sola; non paghi di nuovo.",
    },
    left: {
      title: "Ha lasciato la pagina di pagamento",
      text: "Non abbiamo ricevuto alcun pagamento. Può riprovare.",
    },
    denied: {
      title: "Pagamento non effettuato",
      text: "Il pagamento è stato rifiutato o annullato. Non è stato addebitato nulla; può riprovare.",
    },
    expired: {
      title: "Il pagamento non è stato completato",
      text: "Il tempo è scaduto o è stato avviato un altro pagamento. Non è stato addebitato nulla. Verifichi la prenotazione prima di pagare di nuovo.",
    },
    review: {
      title: "Stiamo verificando il pagamento",
      text: "Abbiamo ricevuto il pagamento e dobbiamo verificarlo. La contatteremo; non paghi di nuovo.",
    },
    second: {
      title: "Prenotazione già pagata",
      text: "La prenotazione era già pagata. Verifichiamo questo secondo pagamento e La contatteremo. Non paghi di nuovo.",
    },
    additional: {
      title: "Secondo pagamento ricevuto",
      text: "Aveva già effettuato questo pagamento. Il secondo viene detratto dal resto della prenotazione. Se preferisce un rimborso, ci contatti.",
    },
    givingBack: {
      title: "Rimborso in corso",
      text: "Possono passare alcuni giorni prima che il rimborso compaia sul Suo conto. Non deve fare nulla.",
    },
    givenBack: {
      title: "Pagamento rimborsato",
      text: "Possono passare alcuni giorni prima che il rimborso compaia sul Suo conto. Se desidera ancora noleggiare, prenoti di nuovo.",
    },
    partGivenBack: {
      title: "Rimborso parziale effettuato",
      text: "Possono passare alcuni giorni prima che il rimborso compaia sul Suo conto.",
    },
    partRetained: {
      title: "Rimborso parziale effettuato",
      text: "La prenotazione è annullata. Il resto copre la penale di annullamento. Il rimborso può richiedere alcuni giorni.",
    },
    kept: {
      title: "La prenotazione è annullata",
      text: "Questo pagamento copre la penale di annullamento. Per qualsiasi domanda ci contatti.",
    },
    owedBack: {
      title: "La prenotazione è annullata",
      text: "Rimborseremo questo pagamento al netto della penale di annullamento. Per qualsiasi domanda ci contatti.",
    },
    balance: "Ricevuto in totale: {paid}. Da pagare: {pending}.",
    wasGivenBack: "Abbiamo rimborsato {amount} il {date}.",
    isOnItsWay: "Abbiamo chiesto alla banca di rimborsare {amount}.",
    unknown: {
      title: "Pagamento non trovato",
      text: "L'indirizzo è incompleto o errato. Torni al sito web.",
    },
    notPayable: {
      title: "Al momento non è possibile pagare",
      text: "La prenotazione non esiste, è annullata o già pagata, oppure il termine di pagamento è scaduto. Torni al sito web.",
    },
    holdEnded: {
      title: "Il termine di pagamento è scaduto",
      text: "Il veicolo non è più riservato e non è stato addebitato nulla. Faccia una nuova prenotazione.",
    },
    cancelled: {
      title: "Questa prenotazione è annullata",
      text: "Non si può più pagare e ora non è stato addebitato nulla. Se ha domande, ci contatti.",
    },
    alreadyPaid: {
      title: "Importo già pagato",
      text: "Abbiamo già ricevuto questo importo. Non occorre pagare di nuovo e ora non è stato addebitato nulla.",
    },
    reservation: "Prenotazione {n}",
    back: "Torna alla mia prenotazione",
    again: "Aggiorna",
  },
  pt: {
    toGateway: {
      title: "A encaminhar para a página de pagamento seguro",
      text: "Se nada acontecer dentro de alguns segundos, prima o botão.",
      button: "Continuar para o pagamento",
    },
    held: { title: "Caução autorizada", text: "O valor está cativo no seu cartão e não é cobrado." },
    paid: { title: "Pagamento recebido", text: "Obrigado. Recebemos este valor para a sua reserva." },
    pending: {
      title: "A aguardar o banco",
      text: "O banco ainda não confirmou o pagamento. Esta página atualiza-se automaticamente; não pague de novo.",
    },
    left: { title: "Saiu da página de pagamento", text: "Não recebemos qualquer pagamento. Pode tentar de novo." },
    denied: {
      title: "Pagamento não efetuado",
      text: "O pagamento foi recusado ou cancelado. Nada foi cobrado; pode tentar de novo.",
    },
    expired: {
      title: "O pagamento não foi concluído",
      text: "O prazo terminou ou foi iniciado outro pagamento. Nada foi cobrado. Verifique a sua reserva antes de pagar de novo.",
    },
    review: {
      title: "Estamos a verificar o seu pagamento",
      text: "Recebemos o seu pagamento e temos de o verificar. Entraremos em contacto; não pague de novo.",
    },
    second: {
      title: "A reserva já estava paga",
      text: "A sua reserva já estava paga. Vamos verificar este segundo pagamento e entrar em contacto. Não pague de novo.",
    },
    additional: {
      title: "Segundo pagamento recebido",
      text: "Já tinha feito este pagamento. O segundo é descontado do que falta pagar da sua reserva. Se preferir um reembolso, contacte-nos.",
    },
    givingBack: {
      title: "Reembolso em curso",
      text: "O reembolso pode demorar alguns dias a aparecer na sua conta. Não precisa de fazer nada.",
    },
    givenBack: {
      title: "Pagamento reembolsado",
      text: "O reembolso pode demorar alguns dias a aparecer na sua conta. Se ainda pretende alugar, faça uma nova reserva.",
    },
    partGivenBack: {
      title: "Reembolso parcial efetuado",
      text: "O reembolso pode demorar alguns dias a aparecer na sua conta.",
    },
    partRetained: {
      title: "Reembolso parcial efetuado",
      text: "A sua reserva foi cancelada. O restante cobre a taxa de cancelamento. O reembolso pode demorar alguns dias.",
    },
    kept: {
      title: "A sua reserva foi cancelada",
      text: "Este pagamento cobre a taxa de cancelamento. Em caso de dúvida, contacte-nos.",
    },
    owedBack: {
      title: "A sua reserva foi cancelada",
      text: "Iremos reembolsar este pagamento, deduzida a taxa de cancelamento. Em caso de dúvida, contacte-nos.",
    },
    balance: "Recebido no total: {paid}. Por pagar: {pending}.",
    wasGivenBack: "Reembolsámos {amount} em {date}.",
    isOnItsWay: "Pedimos ao banco o reembolso de {amount}.",
    unknown: {
      title: "Pagamento não encontrado",
      text: "O endereço está incompleto ou incorreto. Volte ao site, por favor.",
    },
    notPayable: {
      title: "De momento não é possível pagar",
      text: "A reserva não existe, foi cancelada ou já está paga, ou o prazo de pagamento terminou. Volte ao site, por favor.",
    },
    holdEnded: {
      title: "O prazo de pagamento terminou",
      text: "Já não guardamos a viatura e nada foi debitado. Faça uma nova reserva.",
    },
    cancelled: {
      title: "Esta reserva foi cancelada",
      text: "Já não pode ser paga e agora nada foi debitado. Se tiver perguntas, contacte-nos.",
    },
    alreadyPaid: {
      title: "Este valor já está pago",
      text: "Já recebemos este valor. Não precisa de pagar de novo e nada foi cobrado agora.",
    },
    reservation: "Reserva {n}",
    back: "Voltar à minha reserva",
    again: "Atualizar",
  },
  nl: {
    toGateway: {
      title: "U gaat naar de beveiligde betaalpagina",
      text: "Gebeurt er na enkele seconden niets, druk dan op de knop.",
      button: "Doorgaan naar de betaling",
    },
    held: {
      title: "Borg geautoriseerd",
      text: "Het bedrag is op uw kaart gereserveerd en wordt niet afgeschreven.",
    },
    paid: { title: "Betaling ontvangen", text: "Bedankt. Wij hebben dit bedrag voor uw reservering ontvangen." },
    pending: {
      title: "Wachten op de bank",
      text: "De bank heeft de betaling nog niet bevestigd. Deze pagina wordt automatisch bijgewerkt; betaal niet opnieuw.",
    },
    left: {
      title: "U hebt de betaalpagina verlaten",
      text: "Wij hebben geen betaling ontvangen. U kunt het opnieuw proberen.",
    },
    denied: {
      title: "Betaling niet uitgevoerd",
      text: "De betaling is geweigerd of geannuleerd. Er is niets afgeschreven; u kunt het opnieuw proberen.",
    },
    expired: {
      title: "De betaling is niet voltooid",
      text: "De tijd is verstreken of er is een andere betaling gestart. Er is niets afgeschreven. Controleer uw reservering voordat u opnieuw betaalt.",
    },
    review: {
      title: "Wij controleren uw betaling",
      text: "Wij hebben uw betaling ontvangen en moeten deze controleren. Wij nemen contact op; betaal niet opnieuw.",
    },
    second: {
      title: "De reservering was al betaald",
      text: "Uw reservering was al betaald. Wij controleren deze tweede betaling en nemen contact op. Betaal niet opnieuw.",
    },
    additional: {
      title: "Tweede betaling ontvangen",
      text: "U had deze betaling al gedaan. De tweede telt mee voor de rest van uw reservering. Wilt u liever een terugbetaling, neem dan contact met ons op.",
    },
    givingBack: {
      title: "Terugbetaling in behandeling",
      text: "Het kan enkele dagen duren voordat het bedrag op uw rekening staat. U hoeft niets te doen.",
    },
    givenBack: {
      title: "Betaling terugbetaald",
      text: "Het kan enkele dagen duren voordat het bedrag op uw rekening staat. Wilt u nog huren, reserveer dan opnieuw.",
    },
    partGivenBack: {
      title: "Gedeeltelijk terugbetaald",
      text: "Het kan enkele dagen duren voordat het bedrag op uw rekening staat.",
    },
    partRetained: {
      title: "Gedeeltelijk terugbetaald",
      text: "Uw reservering is geannuleerd. De rest dekt de annuleringskosten. De terugbetaling kan enkele dagen duren.",
    },
    kept: {
      title: "Uw reservering is geannuleerd",
      text: "Deze betaling dekt de annuleringskosten. Neem bij vragen contact met ons op.",
    },
    owedBack: {
      title: "Uw reservering is geannuleerd",
      text: "Wij betalen dit bedrag terug, verminderd met de annuleringskosten. Neem bij vragen contact met ons op.",
    },
    balance: "In totaal ontvangen: {paid}. Nog te betalen: {pending}.",
    wasGivenBack: "Wij hebben {amount} terugbetaald op {date}.",
    isOnItsWay: "Wij hebben de bank gevraagd {amount} terug te betalen.",
    unknown: {
      title: "Betaling niet gevonden",
      text: "Het adres is onvolledig of onjuist. Ga terug naar de website.",
    },
    notPayable: {
      title: "Betalen is nu niet mogelijk",
      text: "De reservering is onbekend, geannuleerd of al betaald, of de betaaltermijn is verstreken. Ga terug naar de website.",
    },
    holdEnded: {
      title: "De betaaltermijn is verstreken",
      text: "Het voertuig wordt niet meer vastgehouden en er is niets afgeschreven. Maak een nieuwe reservering.",
    },
    cancelled: {
      title: "Deze reservering is geannuleerd",
      text: "U kunt niet meer betalen en er is nu niets afgeschreven. Neem bij vragen contact met ons op.",
    },
    alreadyPaid: {
      title: "Dit bedrag is al betaald",
      text: "Wij hebben dit bedrag al ontvangen. U hoeft niet opnieuw te betalen en er is nu niets afgeschreven.",
    },
    reservation: "Reservering {n}",
    back: "Terug naar mijn reservering",
    again: "Vernieuwen",
  },
};
