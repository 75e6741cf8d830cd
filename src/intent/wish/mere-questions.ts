/**
 * Messages that have the words of an act and ask for none: how things stand ("who cancelled today?", "hat Tom eine SMS bekommen?"), how
 * or whether one does it ("how do I cancel?", "soll ich absagen?"), what it is ("what is a credit note?"), others' questions and words,
 * reported. "Can you cancel it?" is none of these. Pure.
 */
import { lazyRegExp } from "../../lib/once.ts";
import { ownSentences, plainSentence } from "./own-sentences.ts";
import { beginsWithRequest } from "./tokens.ts";
import { wishOf } from "./wish.ts";

/** Words before the question: "and", "by the way", "sag mal". */
const OPENING = String.raw`(?:(?:and|but|so|ok(?:ay)?|hey|hi|hello|well|wait|sorry|und|aber|also|du|sag mal|hallo|moin|entschuldigung|y|pero|oye|hola|perdona)[\s,!:.–-]+){0,3}`;

/** In lower case, without accents. A verb behind which "you", "I" or "we" stands may ask for an act. */
const LATIN = [
  String.raw`(?:why|how come)\b(?! (?:don't|not|can't|do not) (?:you|we)?)`,
  String.raw`(?:warum|wieso|weshalb)\b(?! (?:nicht|\p{L}+ (?:du|wir|sie) nicht)\b)`,
  String.raw`por que\b(?! no\b)`,
  String.raw`(?:who(?:se|m)?|when|how (?:many|much|long|often|far|old|late|soon))\b(?! (?:can|could|should|shall|would|do|may) (?:you|i|we)\b)`,
  String.raw`what (?:(?:did|had) (?:i|we|you|they|he|she)|happen(?:s|ed)|would happen)\b`,
  String.raw`was (?:passiert|passierte|ware) (?:wenn|mit)\b`,
  String.raw`(?:did|does|were|is|are|has|had|do|have|will|isn't|wasn't|hasn't|didn't|aren't|weren't)\s+(?!you\b|i\b|it possible|there any (?:way|chance))\p{L}`,
  // In German it is "what".
  String.raw`was\s+(?!(?:ha[bt]|gib|hei|ist|war|sin|mach|kost|bedeut|mein|soll|kann|wird)\p{L}*\b)\p{L}`,
  String.raw`(?:did|have|do) (?:i|we|you)\s+(?:already |ever |still )?\p{L}+`,
  String.raw`(?:can|may|must) (?!you\b|i\b|we\b|u\b|someone\b|somebody\b|anyone\b|it\b)\p{L}`,
  String.raw`(?:wer|wem|wen|wann|wie (?:viele?|lange|oft|hoch|weit|spat|alt))\b(?! (?:kann|konnte|soll|sollte|darf) (?:ich|man|wir)\b)`,
  String.raw`(?:wurden?|war(?:en)?|ist|sind|hat|haben|hatten?|gab|gibt|kam|kommt|kommen|steht|stehen|lauft|liegt|wird|werden|darf|durfen|muss|mussen)\s+(?!du\b|sie (?:mir|uns|bitte|mal)\b|es moglich)\p{L}`,
  String.raw`(?:a )?(?:quien(?:es)?|cuando|cuant[oa]s?)\b`,
  String.raw`(?:ya )?(?:se (?:le |les |me |nos )?(?:ha|han|\p{L}{2,}(?:o|aron|ieron)\b)|ha|han|habia|hay|hubo|esta|estan|estaba|es|son|fue|fueron|tiene|tienen|viene|vino|llego|pago|cancelo)\s+(?!usted\b)\p{L}`,
];
const latin = lazyRegExp(String.raw`^[¿¡"'\s]*${OPENING}¿?(?:${LATIN.join("|")})`, "u");
/** Without a mark: "wer hat heute abgesagt". Of a verb first it may be a slip of the keys. */
const asking = lazyRegExp(
  String.raw`[?？]\s*["')\s]*$|^[¿¡"'\s]*${OPENING}(?:who|when|why|how come|how (?:many|much|long)|wer|wann|warum|wieso|weshalb|wie (?:viele?|lange)|quien|cuando|cuant[oa]s?)\b`,
  "u",
);
/** How one does it, and whether one should. */
const howTo = lazyRegExp(
  String.raw`^[¿¡"'\s]*${OPENING}(?:${[
    String.raw`how (?:do|can|could|would|should|does|am|must) (?:i|we|one|people|customers?|users?)\b`,
    String.raw`how to \p{L}|what(?:'s| is) the (?:best |right |usual )?way to\b|where (?:do|can) (?:i|we|one)\b|(?:should|must) (?:i|we)\b`,
    String.raw`(?:wie|wo) \p{L}+ (?:ich|man|wir)\b(?! (?:dir|dich|ihnen)\b)|(?:soll|sollte|muss|musste) (?:ich|man)\b`,
    String.raw`(?:como|donde) (?:puedo|podria|podemos|se \p{L}+|hago|hacemos|debo)\b|(?:debo|deberia|deberiamos)\b`,
    String.raw`comment (?:(?:est-ce qu(?:e |'))?je|on (?:peut|fait|doit)|faire|puis-je)\b|(?:dois-je|devrais-je)\b`,
    "(?:请问|請問|我|那|应该|應該)*(?:要|该|該|能|可以)?(?:怎么|怎麼|怎样|如何)(?![^，。]*(?:帮|幫|给我|給我))",
  ].join("|")})`,
  "u",
);
/** What a thing is, or how it works: asked, or to be explained. */
const explains = lazyRegExp(
  String.raw`^[¿¡"'\s]*${OPENING}(?:${[
    String.raw`what(?:'s| is| are) (?:an? (?!good|best|nice|cheap|quick|easy)|the (?:difference|meaning)\b|meant by\b)|what do(?:es)? [^.?!]{1,60} mean\b(?! in \p{L}+)|how do(?:es)? (?!i\b|we\b|you\b|one\b)[^.?!]{1,60} work\b`,
    String.raw`was (?:ist|sind) (?:ein\p{L}*|der unterschied)\b|was (?:bedeutet|bedeuten|hei(?:ss|ß)t)\b(?![^?]* auf \p{L}+)|wie funktionier\p{L}*\b`,
    String.raw`que (?:es|son) un\p{L}*\b|que (?:significan?|quiere decir)\b|como funcionan?\b`,
    String.raw`qu'est-ce qu'un\p{L}*\b|que (?:signifie|veut dire)\b|comment (?:ca |cela )?(?:fonctionne|marche)`,
    String.raw`(?:please |can you |could you )?explain (?:to me |me |us )?(?:how|what|why|when)\b`,
    String.raw`(?:bitte |kannst du (?:mir )?)?erklare?n? (?:sie )?(?:mir|uns)?,? ?(?:bitte )?(?:wie|was|warum|wann)\b`,
    String.raw`explica(?:me|nos)? (?:como|que|por que|cuando)\b`,
    "什么是|什麼是",
  ].join("|")})`,
  "u",
);
/** A second clause may ask for an act. */
const goesOn = lazyRegExp(String.raw`[,;:，、]|\b(?:and|then|und|dann|y|luego|et|puis|please|bitte)\b`, "u");
const explainsAtEnd = lazyRegExp(
  String.raw`是什(?:么|麼)意思\s*[?？]?$|(?:とは(?:何|なに|なん)|って(?:何|なに|なん))(?:ですか|でしょうか|だろう|なの)?\s*[?？]?$`,
  "u",
);
/** What somebody else said: "Der Fahrer schreibt, dass die Rampe zu ist". Not what the user, or the assistant, should do by it. */
const reports = lazyRegExp(
  String.raw`^${OPENING}(?!(?:i|we|you|ich|wir|du|sie|yo)\b)(?:(?!that\b|dass\b|que\b)[\p{L}\p{N}.'-]+ ){1,4}(?:wrote|writes|said|says|told (?:me|us)|reported|reports|mentioned|(?:hat|haben) (?:mir |uns )?(?:geschrieben|gesagt|gemeldet|erzahlt)|schreibt|schrieb|sagt|sagte|meldet|meldete|dice|dijo|escribio),? (?:that|dass|que)\b(?![^.]*\b(?:you|u|du|dir|dich|usted|tu)\b)[^,;:]*$`,
  "u",
);
/** What the user does without help: "I'll close the day myself later". */
const ownDoing = lazyRegExp(
  String.raw`^${OPENING}(?:i(?:'ll| will| can|'m going to) (?!have\b|take\b|get\b|need\b|want\b)|ich (?:mach|erledig|ubernehm|schreib|schick)\p{L}* )[^,;:]{1,60}(?<!\bfor )\b(?:myself|selbst|selber)(?: \p{L}+)?[.!]?$`,
  "u",
);
/** Why one asks or talks, beside the question: "just curious", "asking for a friend". */
const aside = lazyRegExp(
  String.raw`(?:^|[\s,;…–-])(?:(?:i'?m |i am |am |was |just |only |mostly |nur |blo(?:ss|ß) |solo |es )*(?:thinking out loud|curious|(?:out of )?curiosity|wondering|asking for a friend|venting|rambling|daydreaming|laut (?:gedacht|am denken)|(?:aus )?(?:reiner )?neugierde?|(?:por|pura) curiosidad|pensando en voz alta)|只是好奇|随便问问|隨便問問|ちょっと気になっ(?:て|ただけ)|聞いてみただけ)(?: (?:really|here|haha|lol))?[\s.!)…]*$`,
  "u",
);
const howToAtEnd = lazyRegExp(
  String.raw`(?:方法|やり方|仕方|手順)(?:は|って何|を教えて[\p{L}]*|が知りたい[\p{L}]*)?\s*[?？]?$|(?:どうやって|どうすれば|どうしたら)(?!.*(?:くれ|ください|お願い)).*[?？か]\s*$|べき(?:か|ですか|でしょうか|かな)\s*[?？]?$|어떻게 .*(?:나요|해요|하죠|하지|합니까|되죠)\s*[?？]?$`,
  "u",
);
/** Somebody else's question, reported: "Frau Weber fragt, ob sie umbuchen kann". It gives no answer to send. */
const reported = lazyRegExp(
  String.raw`^${OPENING}(?!i\b|we\b|ich\b|wir\b|yo\b|nosotros\b)[^.?!,:;]{1,60}\b(?:asks|is asking|asked|wants to know|would like to know|wonders|fragt|fragte|hat gefragt|(?:mochte|will|wollte) (?:gern )?wissen|pregunta|pregunto|quiere saber|queria saber)(?: (?:me|us|mich|uns|an|nach))?,? (?:if|whether|ob|si)\b(?! (?:(?:you|u) (?:can|could|would|will|might|may|please)|du|usted|puedes)\b)`,
  "u",
);
const chinese = lazyRegExp(
  String.raw`(?:了吗|了没有?|过吗|没有|有没有[^，。]*|是不是[^，。]*|谁[^，。]*|为什么[^，。]*|为啥[^，。]*|什么时候[^，。]*|几[个点位次张][^，。]*(?=[?？])|多少[^，。]*|吗)\s*[?？]?$`,
  "u",
);
const asksChinese = lazyRegExp(String.raw`帮|请|麻烦|能|可以|可否|要不要|给我|替我|吧\s*[?？]?$`, "u");
const japanese = lazyRegExp(
  String.raw`(?:ました|でした|れた|てる|ている|ています|ます|です|った|いた|んだ)(?:か|っけ|かな|の)?\s*[?？]?$`,
  "u",
);
const japaneseMark = lazyRegExp(String.raw`(?:か|っけ|かな|の)\s*[?？]?$|[?？]$`, "u");
const asksJapanese = lazyRegExp(
  `くれ|頼め|もらえ|もらい|いただ|頂|ください|下さい|でき|お願い|ませんか|ましょうか|たい|てもいい|べき`,
  "u",
);
const kana = lazyRegExp(String.raw`[\p{sc=Hira}\p{sc=Kana}]`, "u");
const han = lazyRegExp(String.raw`\p{sc=Han}`, "u");

/** A longer sentence tells a story, and what it asks is not seen by its beginning. UTF-16 units. */
const LONGEST = 160;
/** From this share of a request on, another sentence of the message asks for something. */
const REQUEST_AT = 0.3;

/** Whether the message asks such questions, and for nothing else. */
export function isOnlyQuestions(message: string): boolean {
  const sentences = ownSentences(message);
  const others = sentences.filter((sentence) => !isMereQuestion(sentence));
  const asksNothing = (sentence: string): boolean => isAside(sentence) || wishOf(sentence).request < REQUEST_AT;
  return others.length < sentences.length && others.every(asksNothing);
}

/** Whether one of its sentences asks how one does something. */
export const asksHowTo = (message: string): boolean =>
  ownSentences(message).some((sentence) => sentence.length <= LONGEST && isHowTo(plainSentence(sentence)));

const isHowTo = (text: string): boolean => howTo().test(text) || howToAtEnd().test(text);

/** Whether a sentence says why one asks or talks, and no more. */
export const isAside = (sentence: string): boolean =>
  sentence.length <= LONGEST && aside().test(plainSentence(sentence));

export function isMereQuestion(sentence: string): boolean {
  if (sentence.length > LONGEST) return false;
  const text = plainSentence(sentence);
  if (isHowTo(text) || asksForMeaning(text)) return true;
  if (ownDoing().test(text) || (reports().test(text) && !beginsWithRequest(text))) return true;
  if (kana().test(text)) return japanese().test(text) && japaneseMark().test(text) && !asksJapanese().test(text);
  if (han().test(text)) return chinese().test(text) && !asksChinese().test(text);
  return (asking().test(text) && latin().test(text)) || reported().test(text);
}

function asksForMeaning(text: string): boolean {
  const [begin] = explains().exec(text) ?? [];
  return begin === undefined ? explainsAtEnd().test(text) : !goesOn().test(text.slice(begin.length));
}
