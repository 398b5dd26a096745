import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { formatLinkMail, type LinkMail, type LinkMailTexts } from "./format-link-mail.ts";
import type { WrittenMail } from "./written-mail.ts";

interface InvitationMail extends LinkMail {
  readonly person: string;
  readonly username: string;
  /** URL of the office app. */
  readonly office: string;
  readonly days: number;
}

type Writer = (mail: InvitationMail) => LinkMailTexts;

const WRITERS = {
  es: ({ company, person, username, office, days }) => ({
    subject: `${company}: su acceso`,
    greeting: person ? `Hola, ${person}:` : "Hola:",
    request: `${company} le ha creado una cuenta con el nombre de usuario ${username}.`,
    action: "Elegir la contraseña",
    validity: `El enlace sirve una sola vez y caduca a los ${days} días. Después, entre en ${office}`,
    ignore: "Si no esperaba este mensaje, no haga nada.",
  }),
  ca: ({ company, person, username, office, days }) => ({
    subject: `${company}: el vostre accés`,
    greeting: person ? `Hola, ${person}:` : "Hola:",
    request: `${company} us ha creat un compte amb el nom d'usuari ${username}.`,
    action: "Tria la contrasenya",
    validity: `L'enllaç serveix una sola vegada i caduca al cap de ${days} dies. Després, entreu a ${office}`,
    ignore: "Si no esperàveu aquest missatge, no feu res.",
  }),
  en: ({ company, person, username, office, days }) => ({
    subject: `${company}: your account`,
    greeting: person ? `Hello ${person},` : "Hello,",
    request: `${company} created an account for you with the user name ${username}.`,
    action: "Choose your password",
    validity: `The link works once and expires after ${days} days. Then sign in at ${office}`,
    ignore: "If you didn't expect this email, ignore it.",
  }),
  de: ({ company, person, username, office, days }) => ({
    subject: `${company}: Ihr Zugang`,
    greeting: person ? `Guten Tag ${person},` : "Guten Tag,",
    request: `${company} hat für Sie ein Konto mit dem Benutzernamen ${username} angelegt.`,
    action: "Passwort wählen",
    validity: `Der Link gilt einmal und läuft nach ${days} Tagen ab. Danach melden Sie sich an unter ${office}`,
    ignore: "Falls Sie diese Nachricht nicht erwartet haben, brauchen Sie nichts zu tun.",
  }),
  fr: ({ company, person, username, office, days }) => ({
    subject: `${company}\u00a0: votre accès`,
    greeting: person ? `Bonjour ${person},` : "Bonjour,",
    request: `${company} vous a créé un compte avec le nom d'utilisateur ${username}.`,
    action: "Choisir le mot de passe",
    validity: `Le lien ne fonctionne qu'une fois et expire après ${days} jours. Connectez-vous ensuite sur ${office}`,
    ignore: "Si vous n'attendiez pas cet e-mail, ignorez-le.",
  }),
  it: ({ company, person, username, office, days }) => ({
    subject: `${company}: il Suo accesso`,
    greeting: person ? `Buongiorno ${person},` : "Buongiorno,",
    request: `${company} Le ha creato un account con il nome utente ${username}.`,
    action: "Scegli la password",
    validity: `Il link funziona una sola volta e scade dopo ${days} giorni. Poi acceda a ${office}`,
    ignore: "Se non aspettava questa e-mail, la ignori.",
  }),
  pt: ({ company, person, username, office, days }) => ({
    subject: `${company}: o seu acesso`,
    greeting: person ? `Olá, ${person},` : "Olá,",
    request: `${company} criou uma conta para si com o nome de utilizador ${username}.`,
    action: "Escolher a palavra-passe",
    validity: `O link funciona uma única vez e expira ao fim de ${days} dias. Depois, entre em ${office}`,
    ignore: "Se não esperava este e-mail, ignore-o.",
  }),
  nl: ({ company, person, username, office, days }) => ({
    subject: `${company}: uw account`,
    greeting: person ? `Beste ${person},` : "Goedendag,",
    request: `${company} heeft voor u een account gemaakt met de gebruikersnaam ${username}.`,
    action: "Wachtwoord kiezen",
    validity: `De link werkt één keer en verloopt na ${days} dagen. Log daarna in op ${office}`,
    ignore: "Verwachtte u deze e-mail niet, dan hoeft u niets te doen.",
  }),
} as const satisfies Record<PlatformLanguage, Writer>;

/** Writes the mail that invites a member of staff to choose a password. */
export function writeInvitationMail(mail: InvitationMail, language: PlatformLanguage): WrittenMail {
  return formatLinkMail(WRITERS[language](mail), mail, language);
}
