import { contractTerms, letterhead } from "#worker/store/schema/printing.ts";
import { rowsOf, type TableRows } from "./insert.ts";

/** How a demo company's papers look, and the general conditions of its contracts. */
export function printingRows(color: string): TableRows[] {
  return [
    rowsOf(letterhead, [{ id: 1, color, logo: null, foot: "" }]),
    rowsOf(
      contractTerms,
      (["es", "ca", "en", "de"] as const).map((language) => ({ language, terms: TERMS[language] })),
    ),
  ];
}

// Made up, and no lawyer's: a real company writes its own.
const TERMS = {
  es: `## 1. Uso del vehículo
El arrendatario conduce el vehículo con cuidado y según las normas de tráfico. Solo conducen las personas que figuran en este contrato. No sale de la isla sin permiso escrito.
## 2. Combustible y kilómetros
El vehículo se devuelve con el combustible con que se entregó. El que falte y los kilómetros de más se cobran a los precios de este contrato.
## 3. Devolución
El vehículo se devuelve en el lugar y a la hora acordados. Pasado el plazo de cortesía se cobra otro día.
## 4. Daños y seguro
El seguro obligatorio está incluido. Los daños nuevos se cobran hasta el importe de la franquicia; se descuentan de la fianza.
## 5. Datos personales
Los datos se guardan para cumplir este contrato y las obligaciones legales. Puede pedir acceso, rectificación o supresión en la oficina.`,
  ca: `## 1. Ús del vehicle
L'arrendatari condueix el vehicle amb cura i segons les normes de trànsit. Només condueixen les persones que consten en aquest contracte. No surt de l'illa sense permís escrit.
## 2. Combustible i quilòmetres
El vehicle es torna amb el combustible amb què es va lliurar. El que falti i els quilòmetres de més es cobren als preus d'aquest contracte.
## 3. Devolució
El vehicle es torna al lloc i a l'hora acordats. Passat el termini de cortesia es cobra un altre dia.
## 4. Danys i assegurança
L'assegurança obligatòria està inclosa. Els danys nous es cobren fins a l'import de la franquícia; es descompten de la fiança.
## 5. Dades personals
Les dades es guarden per complir aquest contracte i les obligacions legals. Podeu demanar-ne l'accés, la rectificació o la supressió a l'oficina.`,
  en: `## 1. Use of the vehicle
The customer drives the vehicle with care and by the rules of the road. Only those named in this contract drive. It does not leave the island without written permission.
## 2. Fuel and kilometres
The vehicle comes back with the fuel it went out with. What is missing, and kilometres beyond those included, are charged at the prices of this contract.
## 3. Return
The vehicle comes back to the place and at the time that were agreed. After the period of grace another day is charged.
## 4. Damage and insurance
Compulsory insurance is included. New damage is charged up to the excess and taken from the deposit.
## 5. Personal data
Data are kept to fulfil this contract and what the law asks for. Ask at the office to see, correct or erase them.`,
  de: `## 1. Gebrauch des Fahrzeugs
Der Mieter fährt das Fahrzeug sorgsam und nach den Verkehrsregeln. Es fahren nur die in diesem Vertrag genannten Personen. Ohne schriftliche Erlaubnis verlässt es die Insel nicht.
## 2. Kraftstoff und Kilometer
Das Fahrzeug kommt mit so viel Kraftstoff zurück, wie es bei der Übergabe hatte. Fehlender Kraftstoff und weitere Kilometer werden zu den Preisen dieses Vertrags berechnet.
## 3. Rückgabe
Das Fahrzeug kommt zur vereinbarten Zeit an den vereinbarten Ort zurück. Nach der Kulanzzeit wird ein weiterer Tag berechnet.
## 4. Schäden und Versicherung
Die Haftpflichtversicherung ist enthalten. Neue Schäden werden bis zur Selbstbeteiligung berechnet und mit der Kaution verrechnet.
## 5. Persönliche Daten
Daten werden aufbewahrt, um diesen Vertrag und gesetzliche Pflichten zu erfüllen. Auskunft, Berichtigung und Löschung gibt es im Büro.`,
};
