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
  readonly givingBack: PaymentStateText;
  readonly givenBack: PaymentStateText;
  readonly partGivenBack: PaymentStateText;
  readonly partKept: PaymentStateText;
  readonly kept: PaymentStateText;
  readonly owedBack: PaymentStateText;
  /** Placeholders: {amount} and {date}. */
  readonly wasGivenBack: string;
  /** Placeholder: {amount}. */
  readonly isOnItsWay: string;
  readonly unknown: PaymentStateText;
  readonly notPayable: PaymentStateText;
  readonly alreadyPaid: PaymentStateText;
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
    paid: { title: "Payment received", text: "Thank you. We have received this amount for your booking." },
    pending: {
      title: "Waiting for the bank",
      text: "The bank hasn't confirmed the payment yet. This page updates automatically. Please don't pay again.",
    },
    left: { title: "You left the payment", text: "No payment has reached us. You can try again." },
    denied: {
      title: "Payment not made",
      text: "The payment was refused or cancelled. Nothing was charged; you can try again.",
    },
    expired: {
      title: "The payment was not finished",
      text: "The payment timed out or was replaced by a newer one. You were not charged. Check your booking before you pay again.",
    },
    review: {
      title: "We are looking at your payment",
      text: "We received your payment and need to review it. We'll contact you. Please don't pay again.",
    },
    second: {
      title: "This was paid already",
      text: "Your booking was already paid. We're refunding this payment. You don't need to do anything.",
    },
    givingBack: {
      title: "Refund in progress",
      text: "The bank may take some days until you see it. You need not do anything.",
    },
    givenBack: {
      title: "Payment refunded",
      text: "The bank may take some days until you see it. If you still want to rent, please book again.",
    },
    partGivenBack: {
      title: "Partial refund issued",
      text: "The bank may take some days until you see it.",
    },
    partKept: {
      title: "Partial refund issued",
      text: "Your booking is cancelled. The rest covers the cancellation fee. The refund can take a few days to reach you.",
    },
    kept: {
      title: "Your booking is cancelled",
      text: "This payment covers the cancellation fee. If you have questions, please contact us.",
    },
    owedBack: {
      title: "Your booking is cancelled",
      text: "We'll refund this payment, less the cancellation fee. If you have questions, please contact us.",
    },
    wasGivenBack: "We refunded {amount} on {date}.",
    isOnItsWay: "We have asked the bank to refund {amount}.",
    unknown: {
      title: "Payment not found",
      text: "The address is incomplete or wrong. Please go back to the website.",
    },
    notPayable: {
      title: "This cannot be paid now",
      text: "The booking is not known, is cancelled or paid already, or the time to pay is over. Please go back to the website.",
    },
    alreadyPaid: {
      title: "This is paid already",
      text: "We have received what you wanted to pay. You need not pay again, and nothing was charged now.",
    },
    back: "Back to my booking",
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
      title: "Esperando al banco",
      text: "El banco aún no nos ha comunicado el resultado. Esta página vuelve a mirar sola; no hace falta que pague otra vez.",
    },
    left: { title: "Ha salido del pago", text: "No nos ha llegado ningún pago. Puede intentarlo de nuevo." },
    denied: {
      title: "Pago no realizado",
      text: "El pago fue rechazado o cancelado. No se ha cobrado nada; puede intentarlo de nuevo.",
    },
    expired: {
      title: "El pago no se completó",
      text: "No se terminó a tiempo, o después se empezó otro: con este no se ha cobrado nada. Mire su reserva antes de volver a pagar.",
    },
    review: {
      title: "Estamos revisando su pago",
      text: "Hemos recibido noticia de su pago, pero nuestro personal debe revisarlo. Nos pondremos en contacto; por favor, no pague otra vez.",
    },
    second: {
      title: "Esto ya estaba pagado",
      text: "Hemos recibido también este importe y se lo devolveremos: su reserva ya estaba pagada. No tiene que hacer nada.",
    },
    givingBack: {
      title: "Le estamos devolviendo su pago",
      text: "El banco puede tardar unos días en mostrarlo. No tiene que hacer nada.",
    },
    givenBack: {
      title: "Le hemos devuelto su pago",
      text: "El banco puede tardar unos días en mostrarlo. Si todavía quiere alquilar, reserve de nuevo, por favor.",
    },
    partGivenBack: {
      title: "Le hemos devuelto una parte de su pago",
      text: "El banco puede tardar unos días en mostrarlo.",
    },
    partKept: {
      title: "Le hemos devuelto una parte de su pago",
      text: "Su reserva está cancelada y el resto se retiene por la cancelación. El banco puede tardar unos días en mostrar lo devuelto.",
    },
    kept: {
      title: "Su reserva está cancelada",
      text: "Hemos recibido este importe y se retiene por la cancelación. Si tiene alguna pregunta, consúltenos, por favor.",
    },
    owedBack: {
      title: "Su reserva está cancelada",
      text: "Hemos recibido este importe. Se lo devolveremos, menos lo que cueste la cancelación. Si tiene alguna pregunta, consúltenos, por favor.",
    },
    wasGivenBack: "Le devolvimos {amount} el {date}.",
    isOnItsWay: "Hemos pedido al banco que le devuelva {amount}.",
    unknown: {
      title: "No conocemos este pago",
      text: "La dirección está incompleta o es incorrecta. Vuelva al sitio web, por favor.",
    },
    notPayable: {
      title: "Esto no se puede pagar ahora",
      text: "La reserva no existe, está cancelada o ya pagada, o el tiempo para pagar ha terminado. Vuelva al sitio web, por favor.",
    },
    alreadyPaid: {
      title: "Esto ya está pagado",
      text: "Hemos recibido lo que quería pagar. No tiene que pagar otra vez y ahora no se ha cobrado nada.",
    },
    back: "Volver a mi reserva",
    again: "Mirar otra vez",
  },
  ca: {
    toGateway: {
      title: "Us portem a la pàgina de pagament segur",
      text: "Si no passa res en uns segons, premeu el botó.",
      button: "Continuar al pagament",
    },
    held: { title: "Fiança autoritzada", text: "L'import està retingut a la vostra targeta i no s'ha cobrat." },
    paid: { title: "Pagament rebut", text: "Gràcies. Hem rebut aquest import per a la vostra reserva." },
    pending: {
      title: "Esperant el banc",
      text: "El banc encara no ens ha comunicat el resultat. Aquesta pàgina torna a mirar sola; no cal que pagueu una altra vegada.",
    },
    left: { title: "Heu sortit del pagament", text: "No ens ha arribat cap pagament. Podeu tornar-ho a provar." },
    denied: {
      title: "Pagament no realitzat",
      text: "El pagament s'ha rebutjat o cancel·lat. No s'ha cobrat res; podeu tornar-ho a provar.",
    },
    expired: {
      title: "El pagament no s'ha completat",
      text: "No es va acabar a temps, o després se'n va començar un altre: amb aquest no s'ha cobrat res. Mireu la vostra reserva abans de tornar a pagar.",
    },
    review: {
      title: "Estem revisant el vostre pagament",
      text: "Hem rebut notícia del vostre pagament, però el nostre personal l'ha de revisar. Ens posarem en contacte; si us plau, no torneu a pagar.",
    },
    second: {
      title: "Això ja estava pagat",
      text: "També hem rebut aquest import i us el tornarem: la vostra reserva ja estava pagada. No heu de fer res.",
    },
    givingBack: {
      title: "Us estem tornant el pagament",
      text: "El banc pot trigar uns dies a mostrar-ho. No heu de fer res.",
    },
    givenBack: {
      title: "Us hem tornat el pagament",
      text: "El banc pot trigar uns dies a mostrar-ho. Si encara voleu llogar, torneu a reservar, si us plau.",
    },
    partGivenBack: { title: "Us hem tornat una part del pagament", text: "El banc pot trigar uns dies a mostrar-ho." },
    partKept: {
      title: "Us hem tornat una part del pagament",
      text: "La vostra reserva està cancel·lada i la resta es reté per la cancel·lació. El banc pot trigar uns dies a mostrar el que us hem tornat.",
    },
    kept: {
      title: "La vostra reserva està cancel·lada",
      text: "Hem rebut aquest import i es reté per la cancel·lació. Si teniu cap pregunta, consulteu-nos, si us plau.",
    },
    owedBack: {
      title: "La vostra reserva està cancel·lada",
      text: "Hem rebut aquest import. Us el tornarem, menys el que costi la cancel·lació. Si teniu cap pregunta, consulteu-nos, si us plau.",
    },
    wasGivenBack: "Us vam tornar {amount} el {date}.",
    isOnItsWay: "Hem demanat al banc que us torni {amount}.",
    unknown: {
      title: "No coneixem aquest pagament",
      text: "L'adreça és incompleta o incorrecta. Torneu al lloc web, si us plau.",
    },
    notPayable: {
      title: "Ara això no es pot pagar",
      text: "La reserva no existeix, està cancel·lada o ja pagada, o el temps per pagar s'ha acabat. Torneu al lloc web, si us plau.",
    },
    alreadyPaid: {
      title: "Això ja està pagat",
      text: "Hem rebut el que volíeu pagar. No cal que torneu a pagar i ara no s'ha cobrat res.",
    },
    back: "Tornar a la meva reserva",
    again: "Mirar una altra vegada",
  },
  de: {
    toGateway: {
      title: "Wir leiten Sie zur sicheren Zahlungsseite weiter",
      text: "Falls gleich nichts geschieht, drücken Sie die Schaltfläche.",
      button: "Weiter zur Zahlung",
    },
    held: {
      title: "Kaution autorisiert",
      text: "Der Betrag ist auf Ihrer Karte vorgemerkt und wurde nicht abgebucht.",
    },
    paid: { title: "Zahlung erhalten", text: "Vielen Dank. Wir haben diesen Betrag für Ihre Buchung erhalten." },
    pending: {
      title: "Wir warten auf die Bank",
      text: "Die Bank hat uns das Ergebnis noch nicht mitgeteilt. Diese Seite schaut von selbst wieder nach; Sie müssen nicht noch einmal zahlen.",
    },
    left: {
      title: "Sie haben die Zahlung verlassen",
      text: "Bei uns ist keine Zahlung eingegangen. Sie können es erneut versuchen.",
    },
    denied: {
      title: "Zahlung nicht erfolgt",
      text: "Die Zahlung wurde abgelehnt oder abgebrochen. Es wurde nichts abgebucht; Sie können es erneut versuchen.",
    },
    expired: {
      title: "Die Zahlung wurde nicht abgeschlossen",
      text: "Sie wurde nicht rechtzeitig beendet, oder danach wurde eine andere begonnen: Mit dieser wurde nichts abgebucht. Bitte sehen Sie Ihre Buchung an, bevor Sie erneut zahlen.",
    },
    review: {
      title: "Wir prüfen Ihre Zahlung",
      text: "Wir haben von Ihrer Zahlung erfahren, unser Personal muss sie aber prüfen. Wir melden uns; bitte zahlen Sie nicht noch einmal.",
    },
    second: {
      title: "Das war schon bezahlt",
      text: "Wir haben auch diesen Betrag erhalten und erstatten ihn: Ihre Buchung war schon bezahlt. Sie müssen nichts tun.",
    },
    givingBack: {
      title: "Ihre Zahlung wird erstattet",
      text: "Bis Sie es bei Ihrer Bank sehen, können einige Tage vergehen. Sie müssen nichts tun.",
    },
    givenBack: {
      title: "Ihre Zahlung wurde erstattet",
      text: "Bis Sie es bei Ihrer Bank sehen, können einige Tage vergehen. Möchten Sie noch mieten, buchen Sie bitte neu.",
    },
    partGivenBack: {
      title: "Ein Teil Ihrer Zahlung wurde erstattet",
      text: "Bis Sie es bei Ihrer Bank sehen, können einige Tage vergehen.",
    },
    partKept: {
      title: "Ein Teil Ihrer Zahlung wurde erstattet",
      text: "Ihre Buchung ist storniert, der Rest wird für die Stornierung einbehalten. Bis Sie die Erstattung bei Ihrer Bank sehen, können einige Tage vergehen.",
    },
    kept: {
      title: "Ihre Buchung ist storniert",
      text: "Wir haben diesen Betrag erhalten; er wird für die Stornierung einbehalten. Bitte fragen Sie uns, wenn Sie dazu eine Frage haben.",
    },
    owedBack: {
      title: "Ihre Buchung ist storniert",
      text: "Wir haben diesen Betrag erhalten. Wir erstatten ihn abzüglich dessen, was die Stornierung kostet. Bitte fragen Sie uns, wenn Sie dazu eine Frage haben.",
    },
    wasGivenBack: "Am {date} haben wir {amount} erstattet.",
    isOnItsWay: "Wir haben die Bank gebeten, {amount} zu erstatten.",
    unknown: {
      title: "Wir kennen diese Zahlung nicht",
      text: "Die Adresse ist unvollständig oder falsch. Bitte gehen Sie zurück zur Website.",
    },
    notPayable: {
      title: "Das kann jetzt nicht bezahlt werden",
      text: "Die Buchung ist nicht bekannt, storniert oder schon bezahlt, oder die Zeit zum Zahlen ist vorbei. Bitte gehen Sie zurück zur Website.",
    },
    alreadyPaid: {
      title: "Das ist schon bezahlt",
      text: "Wir haben erhalten, was Sie zahlen wollten. Sie müssen nicht noch einmal zahlen, und jetzt wurde nichts abgebucht.",
    },
    back: "Zurück zu meiner Buchung",
    again: "Noch einmal nachsehen",
  },
};
