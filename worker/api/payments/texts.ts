import type { SpokenLanguage } from "#domain/catalogue/languages.ts";

interface Words {
  readonly toGateway: { readonly title: string; readonly text: string; readonly button: string };
  readonly paid: Said;
  readonly pending: Said;
  readonly left: Said;
  readonly denied: Said;
  readonly expired: Said;
  readonly review: Said;
  readonly unknown: Said;
  readonly notPayable: Said;
  readonly back: string;
  readonly again: string;
}

interface Said {
  readonly title: string;
  readonly text: string;
}

/** What the payment pages say. */
export const paymentWords: Readonly<Record<SpokenLanguage, Words>> = {
  en: {
    toGateway: {
      title: "Taking you to the secure payment page",
      text: "If nothing happens in a moment, press the button.",
      button: "Continue to payment",
    },
    paid: { title: "Payment received", text: "Thank you. We have received this amount for your booking." },
    pending: {
      title: "Waiting for the bank",
      text: "The bank has not told us the result yet. This page looks again by itself; you need not pay again.",
    },
    left: { title: "You left the payment", text: "No payment has reached us. You can try again." },
    denied: {
      title: "Payment not made",
      text: "The payment was refused or cancelled. Nothing was charged; you can try again.",
    },
    expired: {
      title: "The payment was not finished",
      text: "It was not finished in time, or another one was begun after it: nothing was charged by it. Please look at your booking before you pay again.",
    },
    review: {
      title: "We are looking at your payment",
      text: "We received word of your payment, but it needs a look by our staff. We will be in touch; please do not pay again.",
    },
    unknown: {
      title: "We do not know this payment",
      text: "The address is incomplete or wrong. Please go back to the website.",
    },
    notPayable: {
      title: "This cannot be paid now",
      text: "The booking is not known, is paid already, or the time to pay is over. Please go back to the website.",
    },
    back: "Back to my booking",
    again: "Look again",
  },
  es: {
    toGateway: {
      title: "Le llevamos a la página de pago seguro",
      text: "Si no ocurre nada en unos segundos, pulse el botón.",
      button: "Continuar al pago",
    },
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
    unknown: {
      title: "No conocemos este pago",
      text: "La dirección está incompleta o es incorrecta. Vuelva al sitio web, por favor.",
    },
    notPayable: {
      title: "Esto no se puede pagar ahora",
      text: "La reserva no existe, ya está pagada o el tiempo para pagar ha terminado. Vuelva al sitio web, por favor.",
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
    unknown: {
      title: "No coneixem aquest pagament",
      text: "L'adreça és incompleta o incorrecta. Torneu al lloc web, si us plau.",
    },
    notPayable: {
      title: "Ara això no es pot pagar",
      text: "La reserva no existeix, ja està pagada o el temps per pagar s'ha acabat. Torneu al lloc web, si us plau.",
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
    unknown: {
      title: "Wir kennen diese Zahlung nicht",
      text: "Die Adresse ist unvollständig oder falsch. Bitte gehen Sie zurück zur Website.",
    },
    notPayable: {
      title: "Das kann jetzt nicht bezahlt werden",
      text: "Die Buchung ist nicht bekannt, schon bezahlt, oder die Zeit zum Zahlen ist vorbei. Bitte gehen Sie zurück zur Website.",
    },
    back: "Zurück zu meiner Buchung",
    again: "Noch einmal nachsehen",
  },
};
