/**
 * What acme's catalogue is called in every language of the account, as CSV: what it is of, then a column a language.
 */
export const TEXTS_TABLE = `of,es,ca,en,de
family 1,Turismos,Turismes,Cars,Pkw
family 2,SUV y furgonetas,SUV i furgonetes,SUVs and vans,SUVs und Transporter
family 3,Descapotables y clásicos,Descapotables i clàssics,Convertibles and classics,Cabrios und Oldtimer
category MINI,Mini,Mini,Mini,Kleinstwagen
category MINI short,Fiat 500 o similar,Fiat 500 o similar,Fiat 500 or similar,Fiat 500 oder ähnlich
category MINI long,"Ágil y fácil de aparcar, ideal para dos personas.","Àgil i fàcil d'aparcar, ideal per a dues persones.","Nimble and easy to park, ideal for two.","Wendig und leicht zu parken, ideal für zwei."
category ECON,Económico,Econòmic,Economy,Economy
category ECON short,Seat Ibiza o similar,Seat Ibiza o similar,Seat Ibiza or similar,Seat Ibiza oder ähnlich
category ECON long,La opción más equilibrada para recorrer la isla.,L'opció més equilibrada per recórrer l'illa.,The best balance for touring the island.,Die ausgewogene Wahl für Inseltouren.
category COMP,Compacto,Compacte,Compact,Kompaktklasse
category COMP short,Seat León o similar,Seat León o similar,Seat León or similar,Seat León oder ähnlich
category COMP long,Espacio y confort para la familia.,Espai i confort per a la família.,Room and comfort for the family.,Platz und Komfort für die Familie.
category SUV,SUV,SUV,SUV,SUV
category SUV short,Nissan Qashqai o similar,Nissan Qashqai o similar,Nissan Qashqai or similar,Nissan Qashqai oder ähnlich
category SUV long,Más altura y maletero para cualquier camino.,Més alçada i maleter per a qualsevol camí.,Higher seats and a bigger boot for every road.,Höher sitzen und mehr Gepäck auf jeder Straße.
category AUTO,Automático eléctrico,Automàtic elèctric,Automatic electric,Automatik elektrisch
category AUTO short,Renault 5 o similar,Renault 5 o similar,Renault 5 or similar,Renault 5 oder ähnlich
category AUTO long,"Silencioso, automático y con carga incluida.","Silenciós, automàtic i amb càrrega inclosa.","Quiet, automatic, charging included.","Leise, automatisch, Laden inklusive."
category VAN9,Furgoneta de 9 plazas,Furgoneta de 9 places,9-seat van,9-Sitzer-Bus
category VAN9 short,Volkswagen Caravelle o similar,Volkswagen Caravelle o similar,Volkswagen Caravelle or similar,VW Caravelle oder ähnlich
category VAN9 long,"Para grupos y equipaje, con el depósito incluido.","Per a grups i equipatge, amb el dipòsit inclòs.","For groups and luggage, first tank included.","Für Gruppen und Gepäck, erste Tankfüllung inklusive."
category CABRIO,Descapotable,Descapotable,Convertible,Cabrio
category CABRIO short,Mini Cabrio o similar,Mini Cabrio o similar,Mini Convertible or similar,Mini Cabrio oder ähnlich
category CABRIO long,La costa a cielo abierto.,La costa a cel obert.,The coast under an open sky.,Die Küste unter freiem Himmel.
category UNIQ,Clásico único,Clàssic únic,One-off classic,Einzigartiger Klassiker
category UNIQ short,Volkswagen Escarabajo Cabriolet de 1979,Volkswagen Escarabat Cabriolet de 1979,1979 Volkswagen Beetle Cabriolet,VW Käfer Cabriolet von 1979
category UNIQ long,"Solo hay uno: restaurado, para bodas y paseos.","Només n'hi ha un: restaurat, per a noces i passejades.","There is only one: restored, for weddings and outings.","Es gibt nur einen: restauriert, für Hochzeiten und Ausflüge."
extra SEAT,Silla infantil,Cadira infantil,Child seat,Kindersitz
extra SEAT description,"De 9 a 36 kg, grupo 1/2/3","De 9 a 36 kg, grup 1/2/3","9 to 36 kg, group 1/2/3","9 bis 36 kg, Gruppe 1/2/3"
extra BABY,Silla de bebé,Cadira de nadó,Baby seat,Babyschale
extra BABY description,"Hasta 13 kg, a contramarcha","Fins a 13 kg, a contramarxa","Up to 13 kg, rear-facing","Bis 13 kg, rückwärts gerichtet"
extra GPS,Navegador GPS,Navegador GPS,GPS navigator,Navigationsgerät
extra GPS description,Mapas de las islas al día,Mapes de les illes al dia,Up-to-date island maps,Aktuelle Inselkarten
extra DRIVER,Conductor adicional,Conductor addicional,Additional driver,Zusatzfahrer
extra DRIVER description,Con permiso desde hace dos años,Amb permís des de fa dos anys,Licence held for two years,Führerschein seit zwei Jahren
extra FULL,Seguro a todo riesgo sin franquicia,Assegurança a tot risc sense franquícia,Full insurance without excess,Vollkasko ohne Selbstbeteiligung
extra FULL description,"Cubre lunas, ruedas y bajos","Cobreix vidres, rodes i baixos","Covers glass, wheels and underbody","Mit Glas, Rädern und Unterboden"
extra WIFI,Wifi a bordo,Wifi a bord,On-board Wi-Fi,WLAN an Bord
extra WIFI description,"Datos ilimitados, cinco dispositivos","Dades il·limitades, cinc dispositius","Unlimited data, five devices","Unbegrenzte Daten, fünf Geräte"
extra SHUTTLE,Traslado del hotel a la oficina,Trasllat de l'hotel a l'oficina,Shuttle from hotel to office,Shuttle vom Hotel zum Büro
extra SHUTTLE description,Hasta cuatro personas,Fins a quatre persones,Up to four people,Bis zu vier Personen
driver age 1,Menos de 21 años: no se admite,Menys de 21 anys: no s'admet,Under 21: not accepted,Unter 21: nicht zugelassen
driver age 2,De 21 a 24 años: conductor joven,De 21 a 24 anys: conductor jove,21 to 24: young driver,21 bis 24: junger Fahrer
driver age 3,De 25 a 79 años,De 25 a 79 anys,25 to 79,25 bis 79
driver age 4,80 años o más: seguro sénior,80 anys o més: assegurança sènior,80 and over: senior cover,Ab 80: Seniorenversicherung
place 1,Aeropuerto de Palma (PMI),Aeroport de Palma (PMI),Palma Airport (PMI),Flughafen Palma (PMI)
place 2,"Palma, Estación Intermodal","Palma, Estació Intermodal","Palma, Intermodal Station","Palma, Bahnhof Intermodal"
place 3,Puerto de Palma,Port de Palma,Port of Palma,Hafen von Palma
place 4,Hotel en Playa de Palma (entrega),Hotel a Platja de Palma (lliurament),Hotel in Playa de Palma (delivery),Hotel in Playa de Palma (Zustellung)
place 5,Aeropuerto de Menorca (MAH),Aeroport de Menorca (MAH),Menorca Airport (MAH),Flughafen Menorca (MAH)
place 6,"Ciutadella, apartamentos Cala en Bosc","Ciutadella, apartaments Cala en Bosc","Ciutadella, Cala en Bosc apartments","Ciutadella, Apartments Cala en Bosc"
transfer vehicle 1,Turismo,Turisme,Saloon car,Limousine
transfer vehicle 1 short,Hasta 3 personas,Fins a 3 persones,Up to 3 people,Bis zu 3 Personen
transfer vehicle 2,Monovolumen,Monovolum,People carrier,Großraumwagen
transfer vehicle 2 short,Hasta 7 personas,Fins a 7 persones,Up to 7 people,Bis zu 7 Personen
transfer vehicle 3,Microbús,Microbús,Minibus,Kleinbus
transfer vehicle 3 short,Hasta 16 personas,Fins a 16 persones,Up to 16 people,Bis zu 16 Personen
transfer extra SEAT,Silla infantil,Cadira infantil,Child seat,Kindersitz
transfer extra BABY,Silla de bebé,Cadira de nadó,Baby seat,Babyschale
transfer extra BIKE,Bicicleta o equipaje grande,Bicicleta o equipatge gros,Bicycle or bulky luggage,Fahrrad oder Sperrgepäck
transfer supplement 1,Nocturnidad,Nocturnitat,Night,Nachtzuschlag
transfer supplement 2,"Puerto, temporada de cruceros","Port, temporada de creuers","Harbour, cruise season","Hafen, Kreuzfahrtsaison"
transfer point 1,Aeropuerto de Palma (PMI),Aeroport de Palma (PMI),Palma Airport (PMI),Flughafen Palma (PMI)
transfer point 2,Puerto de Palma,Port de Palma,Port of Palma,Hafen von Palma
transfer point 3,"Palma, Estación Intermodal","Palma, Estació Intermodal","Palma, Intermodal Station","Palma, Bahnhof Intermodal"
transfer point 4,"Playa de Palma, hoteles","Platja de Palma, hotels","Playa de Palma, hotels","Playa de Palma, Hotels"
transfer point 5,"Magaluf, hoteles","Magaluf, hotels","Magaluf, hotels","Magaluf, Hotels"
transfer point 6,Puerto de Alcúdia,Port d'Alcúdia,Port d'Alcúdia,Port d'Alcúdia
transfer point 7,"Puerto de Pollensa, hoteles","Port de Pollença, hotels","Port de Pollença, hotels","Port de Pollença, Hotels"
transfer point 8,"Manacor, estación de autobuses","Manacor, estació d'autobusos","Manacor, bus station","Manacor, Busbahnhof"
transfer point 9,"Cala Millor, hoteles","Cala Millor, hotels","Cala Millor, hotels","Cala Millor, Hotels"
transfer point 10,"Sóller, estación","Sóller, estació","Sóller, station","Sóller, Bahnhof"
offer early,Reserva anticipada verano {year},Reserva anticipada estiu {year},Early booking summer {year},Frühbucher Sommer {year}
offer late,Otoño en las islas {year},Tardor a les illes {year},Autumn on the islands {year},Herbst auf den Inseln {year}`;
