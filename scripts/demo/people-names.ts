/** What people of one origin are called and where they live. */
export interface Origin {
  readonly country: string;
  readonly language: string;
  readonly phonePrefix: string;
  readonly phoneDigits: number;
  readonly twoSurnames: boolean;
  readonly names: readonly string[];
  readonly surnames: readonly string[];
  readonly streets: readonly string[];
  readonly cities: readonly (readonly [city: string, state: string, zip: string])[];
  readonly document: "dni" | "passport";
}

const words = (text: string) => text.split(" ");
const phrases = (text: string) => text.split(", ");

/** By code: the country, or CT for Catalan speakers. */
const origins: Readonly<Record<string, Origin>> = {
  ES: {
    country: "ES",
    language: "es",
    phonePrefix: "34",
    phoneDigits: 8,
    twoSurnames: true,
    document: "dni",
    names: words(
      "María Carmen Lucía Ana Paula Sara Elena Marina Irene Alba Antonio José Manuel David Javier Daniel Carlos Alejandro Pablo Sergio Álvaro Rubén Raúl Iván",
    ),
    surnames: words(
      "García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Ruiz Hernández Díaz Moreno Muñoz Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Ramos Gil Serrano Molina",
    ),
    streets: phrases(
      "Calle Mayor, Calle de Alcalá, Avenida de la Constitución, Calle Real, Calle del Carmen, Paseo de la Castellana, Calle San Juan",
    ),
    cities: [
      ["Madrid", "Madrid", "28013"],
      ["Valencia", "Valencia", "46002"],
      ["Sevilla", "Sevilla", "41001"],
      ["Zaragoza", "Zaragoza", "50003"],
      ["Bilbao", "Bizkaia", "48001"],
    ],
  },
  CT: {
    country: "ES",
    language: "ca",
    phonePrefix: "34",
    phoneDigits: 8,
    twoSurnames: true,
    document: "dni",
    names: words(
      "Jordi Marc Pau Arnau Oriol Joan Pere Miquel Biel Guillem Laia Núria Montserrat Mercè Aina Júlia Mireia Marta Neus Catalina",
    ),
    surnames: words(
      "Puig Serra Vila Ferrer Riera Pons Bosch Soler Roca Vidal Mas Sala Coll Font Amengual Llull Salvà Mestre Cardona Sintes",
    ),
    streets: phrases(
      "Carrer Major, Carrer de Balmes, Carrer del Mar, Avinguda Diagonal, Carrer de Sant Miquel, Passeig de Gràcia",
    ),
    cities: [
      ["Barcelona", "Barcelona", "08008"],
      ["Girona", "Girona", "17001"],
      ["Inca", "Illes Balears", "07300"],
      ["Maó", "Illes Balears", "07701"],
      ["Tarragona", "Tarragona", "43003"],
    ],
  },
  DE: {
    country: "DE",
    language: "de",
    phonePrefix: "49",
    phoneDigits: 9,
    twoSurnames: false,
    document: "passport",
    names: words(
      "Anna Julia Katharina Lena Sabine Petra Monika Claudia Heike Susanne Thomas Michael Andreas Stefan Markus Christian Jan Lukas Felix Jürgen Uwe",
    ),
    surnames: words(
      "Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Koch Bauer Richter Klein Wolf Schröder Neumann Schwarz Zimmermann Krüger",
    ),
    streets: phrases("Hauptstraße, Bahnhofstraße, Gartenweg, Lindenallee, Schillerstraße, Am Markt, Goethestraße"),
    cities: [
      ["Berlin", "Berlin", "10115"],
      ["Hamburg", "Hamburg", "20095"],
      ["München", "Bayern", "80331"],
      ["Köln", "Nordrhein-Westfalen", "50667"],
      ["Stuttgart", "Baden-Württemberg", "70173"],
    ],
  },
  GB: {
    country: "GB",
    language: "en",
    phonePrefix: "44",
    phoneDigits: 9,
    twoSurnames: false,
    document: "passport",
    names: words(
      "Emma Olivia Charlotte Sophie Lucy Hannah Rachel Amy Claire Fiona James Oliver Jack Harry Thomas George William Andrew Stuart Callum Gareth",
    ),
    surnames: words(
      "Smith Jones Taylor Brown Williams Wilson Johnson Davies Robinson Wright Thompson Evans Walker White Roberts Green Hall Wood Clarke Hughes MacLeod",
    ),
    streets: phrases("High Street, Station Road, Church Lane, Victoria Road, Park Avenue, Mill Lane, Queensway"),
    cities: [
      ["London", "Greater London", "SE1 7PB"],
      ["Manchester", "Greater Manchester", "M1 2WD"],
      ["Leeds", "West Yorkshire", "LS1 4AP"],
      ["Bristol", "Bristol", "BS1 5TR"],
      ["Edinburgh", "Midlothian", "EH1 1YZ"],
    ],
  },
  FR: {
    country: "FR",
    language: "fr",
    phonePrefix: "33",
    phoneDigits: 8,
    twoSurnames: false,
    document: "passport",
    names: words(
      "Camille Manon Léa Chloé Sophie Nathalie Isabelle Julien Nicolas Pierre Antoine Mathieu Thomas Olivier Guillaume Hugo",
    ),
    surnames: words(
      "Martin Bernard Dubois Durand Leroy Moreau Simon Laurent Lefebvre Michel Garnier Fontaine Rousseau Chevalier Girard",
    ),
    streets: phrases("Rue de la République, Rue Victor Hugo, Avenue Jean Jaurès, Rue des Lilas, Boulevard Voltaire"),
    cities: [
      ["Paris", "Île-de-France", "75011"],
      ["Lyon", "Auvergne-Rhône-Alpes", "69002"],
      ["Toulouse", "Occitanie", "31000"],
      ["Nantes", "Pays de la Loire", "44000"],
    ],
  },
  IT: {
    country: "IT",
    language: "it",
    phonePrefix: "39",
    phoneDigits: 9,
    twoSurnames: false,
    document: "passport",
    names: words(
      "Giulia Francesca Chiara Elisa Valentina Martina Marco Andrea Luca Matteo Alessandro Davide Stefano Paolo",
    ),
    surnames: words("Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Conti Gallo"),
    streets: phrases("Via Roma, Via Garibaldi, Corso Italia, Via Dante, Viale dei Tigli"),
    cities: [
      ["Milano", "Lombardia", "20121"],
      ["Roma", "Lazio", "00184"],
      ["Torino", "Piemonte", "10121"],
      ["Bologna", "Emilia-Romagna", "40121"],
    ],
  },
  NL: {
    country: "NL",
    language: "nl",
    phonePrefix: "31",
    phoneDigits: 8,
    twoSurnames: false,
    document: "passport",
    names: words("Sanne Lotte Femke Anouk Marieke Daan Sem Bram Jeroen Pieter Wouter Maarten"),
    surnames: phrases("de Jong, Jansen, de Vries, van den Berg, Bakker, Visser, Smit, Meijer, Mulder, Bos"),
    streets: phrases("Dorpsstraat, Kerkstraat, Molenweg, Stationsweg, Prinsengracht"),
    cities: [
      ["Amsterdam", "Noord-Holland", "1012 AB"],
      ["Utrecht", "Utrecht", "3511 GV"],
      ["Rotterdam", "Zuid-Holland", "3011 HE"],
    ],
  },
  US: {
    country: "US",
    language: "en",
    phonePrefix: "1",
    phoneDigits: 9,
    twoSurnames: false,
    document: "passport",
    names: words(
      "Emily Madison Ashley Jessica Rachel Nicole Angela Maria Keisha Priya Michael Joshua Matthew Anthony Kevin Brandon Luis Tyrone Wei Samuel",
    ),
    surnames: words(
      "Johnson Williams Brown Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Wilson Anderson Thomas Moore Jackson Lee Thompson Nguyen Patel Cohen",
    ),
    streets: phrases(
      "Broadway, 31st Avenue, Steinway Street, Atlantic Avenue, Flatbush Avenue, Metropolitan Avenue, Queens Boulevard",
    ),
    cities: [
      ["Astoria", "NY", "11103"],
      ["Brooklyn", "NY", "11201"],
      ["New York", "NY", "10016"],
      ["Jersey City", "NJ", "07302"],
      ["Long Island City", "NY", "11101"],
    ],
  },
};

export function originOf(code: string): Origin {
  const origin = origins[code];
  if (!origin) throw new Error(`nobody comes from ${code}`);
  return origin;
}
