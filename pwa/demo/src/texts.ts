const en = {
  cars: "Rent & go: cars",
  transfers: "Rent & go: transfers",
  navCars: "Cars",
  navTransfers: "Transfers",
  title: "Your island, from the first minute",
  lead: "Pick up at the airport or in town. The price you see is the price you pay.",
  embedTitle: "This form on your own website",
  embed: "These two lines show it on any page. Colours and corners are CSS properties of the element.",
};

export type Language = "en" | "es" | "ca" | "de";

/** Texts of the demo website. The form's texts are part of the widget. */
export const languages: Readonly<Record<Language, typeof en>> = {
  en,
  es: {
    cars: "Rent & go: coches",
    transfers: "Rent & go: traslados",
    navCars: "Coches",
    navTransfers: "Traslados",
    title: "Su isla, desde el primer minuto",
    lead: "Recogida en el aeropuerto o en la ciudad. El precio que ve es el que paga.",
    embedTitle: "Este formulario en su web",
    embed: "Estas dos líneas lo muestran en cualquier página. Colores y esquinas son propiedades CSS del elemento.",
  },
  ca: {
    cars: "Rent & go: cotxes",
    transfers: "Rent & go: trasllats",
    navCars: "Cotxes",
    navTransfers: "Trasllats",
    title: "La vostra illa, des del primer minut",
    lead: "Recollida a l'aeroport o a la ciutat. El preu que veieu és el que pagueu.",
    embedTitle: "Aquest formulari al vostre web",
    embed: "Aquestes dues línies el mostren a qualsevol pàgina. Colors i cantonades són propietats CSS de l'element.",
  },
  de: {
    cars: "Rent & go: Mietwagen",
    transfers: "Rent & go: Transfers",
    navCars: "Mietwagen",
    navTransfers: "Transfers",
    title: "Ihre Insel, von der ersten Minute an",
    lead: "Abholung am Flughafen oder in der Stadt. Der Preis, den Sie sehen, ist der, den Sie zahlen.",
    embedTitle: "Dieses Formular auf Ihrer Website",
    embed: "Diese zwei Zeilen zeigen es auf jeder Seite. Farben und Ecken sind CSS-Eigenschaften des Elements.",
  },
};
