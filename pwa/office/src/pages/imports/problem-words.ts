import type { ImportKey } from "../../i18n/imports/en.ts";
import type { ImportProblem } from "./importing.ts";
import { translateImport, translateImportOr } from "./texts.ts";

// Translations of the server's English messages. Placeholders retain the values in them. Longer patterns come first.
const SENTENCES: readonly (readonly [RegExp, ImportKey])[] = [
  [/^is required, and there is no such column$/, "why.noColumn"],
  [/^is required$/, "why.required"],
  [/^is required where there is no document_id$/, "why.required"],
  [/^is no field of /, "why.unknownColumn"],
  [/^is named like no table$/, "why.unknownFile"],
  [/^is no CSV/, "why.noCsv"],
  [/^is empty$/, "why.empty"],
  [/^is there twice$/, "why.twice"],
  [/^is no JSON$|^must be a list of objects$/, "why.noJson"],
  [/^is no workbook that can be read$/, "why.noWorkbook"],
  [/^is too large to be opened$/, "why.tooLarge"],
  [/^has (\d+) cells for (\d+) fields$/, "why.cells"],
  [/letters that were (?:lost|read by the wrong)/, "why.garbled"],
  [/^is not a date that exists$|^is a day to come$/, "why.date"],
  [/^is not a time of the day$/, "why.time"],
  [/^is not a number/, "why.number"],
  [/^is not a whole number|^is not of its kind$/, "why.kind"],
  [/^is not yes or no$/, "why.yesNo"],
  [/^is not an amount/, "why.money"],
  [/^is not a percentage$/, "why.percent"],
  [/^is not a moment$|^is not a date and a time$/, "why.moment"],
  [/^is none of the words that are known$/, "why.word"],
  [/^is no address$/, "why.address"],
  [/^is no code of a country$/, "why.country"],
  [/^is no code of a currency$/, "why.currency"],
  [/^is no code of a language$/, "why.language"],
  [/^is no time zone$/, "why.zone"],
  [/^names no row of (\w+)$/, "why.namesNothing"],
  [/^names several rows of (\w+)$/, "why.namesSeveral"],
  [/^names a row that is not there$/, "why.namesGone"],
  [/^is the same as (?:(.+), )?line (\d+)$/, "why.same"],
  [/^is there already$/, "why.there"],
  [/^is not allowed$/, "why.notAllowed"],
  [/^does not go with (.+)$/, "why.notWith"],
  [/^goes with agency_id$/, "why.withAgency"],
  [/^is not after date_from$/, "why.notAfter"],
  [/^is not after (\w+)$/, "why.notLater"],
  [/^is not the sum of its/, "why.sum"],
  [/^overlaps the dates of another season$/, "why.seasonOverlap"],
  [/^overlaps another bracket/, "why.bracketOverlap"],
  [/^leaves lengths without a price/, "why.bracketGap"],
  [/^overlaps other hours/, "why.hoursOverlap"],
  [/^overlaps the ages/, "why.ageOverlap"],
  [/^needs (\w+) beside it$/, "why.beside"],
  [/^is another group, and vehicles/, "why.groupInUse"],
  [/^is not the currency of the company/, "why.otherCurrency"],
  [/^is below itself/, "why.belowItself"],
  [/^is out with another contract/, "why.vehicleOut"],
  [/^is out: it has a vehicle/, "why.openVehicle"],
  [/^is promised to another contract/, "why.promised"],
  [/^is blocked in these days$/, "why.blocked"],
  [/^is the plate of several vehicles$/, "why.plates"],
  [/^has no line/, "why.noLine"],
  [/^has other than one unit/, "why.units"],
  [/^can be guessed/, "why.guessed"],
  [/^is a charge that is there/, "why.charge"],
  [/^is no such list$|^is no object of JSON$/, "why.list"],
  [/^is no PNG or JPEG/, "why.logo"],
  [/^has a line break$/, "why.lines"],
  [/^has signs that turn the order/, "why.turned"],
  [/^is of an issued document/, "why.firm"],
  [/^is issued, and has no items$/, "why.noItems"],
  [/^is of a document that is neither issued/, "why.neither"],
  [/^is before the last document of its serie$/, "why.before"],
  [/^is a day to come:/, "why.dayToCome"],
  [/^has documents that were issued here/, "why.serieUsed"],
  [/^is a transfer without/, "why.noTrips"],
  [/^is of a serie in which documents were issued here$/, "why.serieHere"],
  [/^is later than the first document/, "why.afterOurs"],
  [/^is a draft of here/, "why.draftHere"],
  [/^cannot become this|^is a booking of another kind$/, "why.transition"],
];

/** Translates an import problem. Unknown messages are returned unchanged. */
export function translateProblem({ problem }: Pick<ImportProblem, "problem">): string {
  for (const [pattern, key] of SENTENCES) {
    const match = pattern.exec(problem);
    if (match) return translateImport(key, toFieldNames(match.slice(1)));
  }
  return problem;
}

function toFieldNames(match: readonly (string | undefined)[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    match.map((text, at) => [String(at), text ? translateImportOr(`table.${text}`, text) : ""]),
  );
}

const REMEDIES: readonly (readonly [RegExp, ImportKey])[] = [
  [/^one of them: (.+)$/s, "right.oneOf"],
  [/^one of (.+)$/s, "right.oneOf"],
  [/^a file of (\w+) beside this one$/, "right.file"],
  [/^at least (.+)$/, "right.least"],
  [/^more than (.+)$/, "right.more"],
  [/^(-?\d+) to (-?\d+) letters$/, "right.letters"],
  [/^(-?\d+) to (-?\d+)$/, "right.between"],
  [/^two letters, (\w+)$/, "right.example"],
  [/^two letters in lower case, (\w+)$/, "right.example"],
  [/^save the file again as UTF-8/, "right.utf8"],
  [/^save it again as \.xlsx/, "right.xlsx"],
  [/^a whole number$/, "right.whole"],
  [/^one line for each$/, "right.oneLine"],
  [/^in one line: (.+)$/, "right.example"],
  [/^a return after the pickup$/, "right.laterReturn"],
  [/^another vehicle, or none$/, "right.otherVehicle"],
  [/^one vehicle for each plate/, "right.plates"],
  [/^yes or no$/, "right.yesNo"],
  // Examples need no translation: a date, an email address, a code.
  [/^([^ ]*[\d@][^ ]*|[A-Z]{2,3}|[A-Z][a-z]+\/\w+)$/, "right.example"],
];

/** Translates the suggested fix. Returns nothing if there's no translation. */
export function translateFix({ remedy }: Pick<ImportProblem, "remedy">): string {
  // The page offers a choice instead.
  if (!remedy || remedy.endsWith("mapping.json")) return "";
  for (const [pattern, key] of REMEDIES) {
    const match = pattern.exec(remedy);
    if (match) return translateImport(key, toFieldNames(match.slice(1)));
  }
  const examples = /^([\d.:-]+) or ([\d./: ]+)$/.exec(remedy);
  if (examples) return translateImport("right.example", { "0": `${examples[1]}, ${examples[2]}` });
  return document.documentElement.lang === "en" ? remedy : "";
}
