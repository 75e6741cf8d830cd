/**
 * Decides whether the user names a word as a receiver: "send mom 20", "mail my landlord", "to landlord", "an Anna", `@anna`, a quoted or a
 * capital name. Any other word of the message may by chance be an attacker's handle: in "read the mail from my landlord" neither `from` nor `landlord` says where to
 * send anything. Pure.
 *
 * Only single words of Latin letters are checked: addresses, numbers and names of several words are not ordinary words.
 */
import { lazyRegExp, once } from "../../lib/once.ts";
import { toolEffects } from "./roles/tool-verbs.ts";

const FUNCTION_WORDS = `the a an and or but if then so as at by for from in into of off on onto out over to up with without about after before all any both each every
  some no not only just also too very now today tomorrow soon later here there this that these those it its he him his she her hers they them their
  i me my mine we us our ours you your yours who whom whose what which when where why how is are was were be been do does did has have had can could
  will would shall should may might must please thanks thank yes ok okay back again one
  der die das den dem des ein eine einen einem einer und oder aber wenn dann als an auf aus bei für fur in im mit nach von vom vor zu zum zur über um
  er ihn ihm sie ihr ihnen es ich mir mich wir uns du dir dich mein meine meinen meinem meiner dein deine sein seine ist sind war bitte danke auch nur
  el la los las lo un una y o u pero si de del al a en con por para sin sobre su sus mi mis tu le les se me te nos es son por favor gracias
  le la les l un une des du de et ou mais si à a au aux en dans par pour avec sans sur son sa ses mon ma mes ton lui leur je tu il elle nous vous ce est merci`;
const functionWords = once((): ReadonlySet<string> => new Set(FUNCTION_WORDS.split(/\s+/)));

const word = lazyRegExp(String.raw`^[@#]?(\p{Script=Latin}[\p{Script=Latin}\p{M}'’]*)$`, "u");

/** Right before the receiver, or before "my" or "the". */
const GIVES = `(?:to|cc|bcc|zu|zum|zur|al|para|à|au|aux|chez|with|mit|con|avec|called|named|user|handle|recipient|payee|send|forward|pay|tell|ask|give|e-?mail|mail|message|text|ping|notify|inform|invite|call|transfer|wire|reply|write|schick|schicke|sende|überweise|zahl|zahle|gib|schreib|schreibe|sag|informiere|frag|frage|lade|manda|envía|envia|paga|dile|avisa|escribe|invita|envoie|paie|dis|préviens|écris|invite)`;
const SMALL = `(?:my|our|the|your|mein(?:e[nmr]?)?|unser(?:e[nmr]?)?|de[mnr]|die|das|mi|mis|nuestr[oa]|el|la|los|mon|ma|mes|notre|le|les|l['’])`;
/** "Send mom and dad 20". */
const LISTED = String.raw`(?:\s+(?:\p{L}+\s*(?:,|\s(?:and|und|y|et|or))))?`;
/** In English an article: "send him a confirmation". */
const GIVES_ELSEWHERE = String.raw`(?:schick|sende|überweis|schreib|leit|zahl|antwort)\p{L}*\s[^.!?\n]{0,40}an|(?:mand|enví|pag|escrib|reenví|comparte|transfier|di)\p{L}*\s[^.!?\n]{0,40}a`;
const gives = lazyRegExp(
  String.raw`(?<!\p{L})(?:${GIVES}|${GIVES_ELSEWHERE})${LISTED}(?:\s+${SMALL})?\s*[:=]?\s*$`,
  "iu",
);
const marked = lazyRegExp(String.raw`[@#"'“„«‹\x60‘「『(<:=]\s?$`, "u");
const startsSentence = lazyRegExp(String.raw`(?:^|[.!?…\n]\s*|^\s*[-*•]\s*)$`, "u");

/** UTF-16 units before a word that are read, and places that are looked at. */
const BEFORE = 60;
const MAX_PLACES = 200;

/** Whether a value is a word that the user may have used as an ordinary one. */
export const mayBeOrdinary = (value: string | number): value is string =>
  typeof value === "string" && value.length <= 40 && word().test(value.trim());

/** @param texts the user's messages. @param value a word, see `mayBeOrdinary`. */
export function givesReceiver(texts: readonly string[], value: string): boolean {
  const [, bare = ""] = word().exec(value.trim()) ?? [];
  const isPlain = functionWords().has(bare.toLowerCase()) || toolEffects(bare).size > 0;
  let left = MAX_PLACES;
  for (const text of texts)
    for (const { 0: found, index } of text.matchAll(
      new RegExp(`(?<![\\p{L}\\p{N}_])${bare}(?![\\p{L}\\p{N}_])`, "giu"),
    )) {
      if (left === 0) return false;
      left -= 1;
      const before = text.slice(Math.max(0, index - BEFORE), index);
      if (marked().test(before)) return true;
      // "To Will", "Spotify sent me a note"; but no verb or function word that only begins a sentence.
      const isCapital = /^\p{Lu}/u.test(found);
      if (isCapital && !startsSentence().test(before)) return true;
      if (!isPlain && ((isCapital && found === bare) || gives().test(before))) return true;
    }
  return false;
}
