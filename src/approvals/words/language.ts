/**
 * The language of a user's message: by its script, and of Latin letters by the small words of each language, the verbs that requests begin
 * with, letters and endings. Pure.
 */

import { scriptOf, scripts } from "../../intent/lexical/script.ts";
import { verbLanguages } from "../../intent/wish/request-verbs.ts";
import { once } from "../../lib/once.ts";
import type { Language } from "../../lib/text/languages.ts";
import { normalForm } from "../../lib/text/normal-form.ts";

/** UTF-16 units of a message that are read for its language. */
const MAX_READ = 4_000;

/**
 * Kana is Japanese's alone, Hangul Korean's; Han without them is read as Chinese. Undefined: it is not certain.
 */
export function surelyIn(text: string): Language | undefined {
  let language: Language | undefined;
  const end = Math.min(text.length, MAX_READ);
  for (let at = 0; at < end; at += 1) {
    const script = scriptOf(text.charCodeAt(at));
    if (script === scripts.hiragana || script === scripts.katakana) return "ja";
    if (script === scripts.hangul) language = "ko";
    if (script === scripts.han) language ??= "zh";
  }
  return language ?? latinLanguage(text.slice(0, MAX_READ));
}

/** Frequent words; one that several languages have counts for each of them. */
const WORDS = {
  en: `the a an and or is are was were be to of in on at for from with by it this that these those my your our his her their me you he she we they i
    please can could would will do does did not no if then all what which who how there have has had as but so into out up about new make send
    delete file note write create read show find get add change
    refund thanks hello invoice appointment account customer money payment week tomorrow today yesterday`,
  de: `der die das den dem des ein eine einen einem einer eines und oder ist sind war waren sein zu im in am an auf für von vom mit bei bitte nicht kein
    keine ich du er sie es wir ihr mir mich dir dich uns ihm ihn ihnen mein meine meinen meiner dein deine deinen unser unsere aus nach über wie was
    wer wo kann kannst könntest soll sollst muss möchte will hat haben habe dass wenn dann alle alles noch mal auch zum zur ja nein aber nur lösche
    schick schicke sende schreib schreibe lege erstelle ändere buche verschiebe erstatte storniere überweise
    danke hallo rechnung termin konto kundin kunde kunden geld gutschrift storno zahlung betrag woche tage bekommt heute morgen gestern retour ne nen`,
  es: `el la los las lo un una unos unas y o es son era ser de del a al en con por para que se su sus mi mis tu tus me te le les nos no sí si ya por favor
    yo él ella ellos este esta estos estas ese esa eso esto cómo qué quién dónde puedes podrías quiero necesito hay está están pero solo más muy todo
    todos borra elimina envía envíale manda crea escribe cambia reserva reembolsa cancela haz mueve
    gracias hola reembolso devolución factura cita cuenta cliente clienta dinero pago importe semana hoy mañana ayer devuelve devolver`,
  fr: `le la les l un une des du de d et ou est sont était être à au aux en dans avec pour par sur que qui se son sa ses mon ma mes ton ta tes me te lui
    leur nous vous je tu il elle ils elles ce cet cette ces ne pas plus s'il plaît svp quoi où comment peux pouvez voudrais veux faut mais seulement
    tout tous toute supprime envoie crée écris change réserve rembourse annule déplace efface ajoute c j n qu
    merci bonjour facture rendez rdv compte client cliente argent paiement montant semaine demain hier remboursement rembourser`,
} as const satisfies Readonly<Partial<Record<Language, string>>>;

type LatinLanguage = keyof typeof WORDS;
const latin = Object.keys(WORDS) as readonly LatinLanguage[];

const languagesByWord = once((): ReadonlyMap<string, readonly LatinLanguage[]> => {
  const all = latin.flatMap((language) =>
    [...new Set(WORDS[language].split(/\s+/))].map((word) => ({ language, word })),
  );
  const byWord = Map.groupBy(all, ({ word }) => word);
  return new Map(Array.from(byWord, ([word, found]) => [word, found.map(({ language }) => language)]));
});

/** Letters that only one of the languages has, or two of them. */
const LETTERS: readonly (readonly [LatinLanguage, RegExp])[] = [
  ["de", /[äöüß]/],
  ["es", /[ñ¿¡áíóú]/],
  ["fr", /[çœêèàùîûôâ]/],
  ["es", /é/],
  ["fr", /é/],
];

/** Endings and letters of long words: "Rückerstattung", "reservación", "remboursez". */
const SHAPES: readonly (readonly [LatinLanguage, RegExp])[] = [
  ["en", /wh|ght|sh|oo|(?:ing|ings|ly|ness|ful)$|^th/],
  [
    "de",
    /(?:ung|ungen|lich|liche[mnrs]?|isch|keit|heit|schaft|ieren|iert)$|cht|(?<=.)sch|tz|pf|^(?:über|zurück|rück|ab|auf|aus)\p{L}{3,}en$/u,
  ],
  ["es", /(?:ción|ciones|sión|mente|[aei]rl[aoe]s?|[aei]rme|iendo|ando)$/],
  ["fr", /(?:ez|eux|aux|eau|euse|ements?|ation-nous)$/],
];

/** What a word counts for: a short one may be of any language, or a name. */
const SHORT = 1;
const LONG = 2;
const MIN_LONG = 4;
const MIN_SHAPED = 5;

/** So much tells a language, and more than of any other. */
const ENOUGH = 2;

function latinLanguage(text: string): Language | undefined {
  const composed = normalForm(text, "NFC");
  const counts: Record<LatinLanguage, number> = { en: 0, de: 0, es: 0, fr: 0 };
  // A name or an address is no word of a language.
  for (const [word] of composed.matchAll(/(?<![\p{L}\p{N}_@./\\-])\p{L}+(?![\p{L}\p{N}_@/\\]|\.\p{L})/gu)) {
    const lower = word.toLowerCase();
    for (const language of new Set([...(languagesByWord().get(lower) ?? []), ...verbLanguages(withoutMarks(lower))]))
      counts[language] += word.length < MIN_LONG ? SHORT : LONG;
    // A capital letter may begin a name, and a name is of any language.
    const weight = word === lower ? LONG : SHORT;
    for (const [language, letters] of LETTERS) if (letters.test(lower)) counts[language] += weight;
    if (word.length < MIN_SHAPED) continue;
    for (const [language, shape] of SHAPES) if (shape.test(lower)) counts[language] += SHORT;
  }
  if (/[¿¡]/.test(composed)) counts.es += LONG;
  const [best, second] = [...latin].sort((a, b) => counts[b] - counts[a]);
  if (!best || !second) return undefined;
  return counts[best] >= ENOUGH && counts[best] > counts[second] ? best : undefined;
}

const withoutMarks = (word: string): string => word.normalize("NFD").replace(/\p{M}/gu, "");
