/**
 * Finds text that a user dictates, behind "note:", "write down that", "remind me to". It is the content of a note, and no wish: "note to self:
 * reorganise my tags" reorganises nothing. Pure.
 */
import { lazyRegExp } from "../../lib/once.ts";
import type { Span } from "../../lib/text/span.ts";

/** Words that open the content. A bare "note:" does so only at the beginning of the message: later it is an aside to the assistant. */
const HEADS = [
  // English.
  String.raw`(?:make|take|write|create|add|leave|jot)(?: me)?(?: down)? (?:an? |another )?(?:(?:quick|short|new|research) ){0,2}(?:note|memo|reminder)(?: to (?:self|myself)| for me| (?:on|about) [^:.\n]{1,40})?(?: ?:| that| to(?= (?!an?\b|the\b|my\b|our\b)\p{L}))`,
  String.raw`(?:write|jot|put|note)(?: (?:it|this))? down(?: ?:| that)|remind me(?: (?:later|tomorrow|tonight|on \p{L}+day))? (?:to|that)|note to (?:self|myself)\b ?:?`,
  // German.
  `(?:schreibe?|mach|mache|lege?|erstelle?|notiere?)(?: (?:mir|dir|bitte|mal|doch|schnell)){0,3} (?:'?ne |eine |'n |einen )?(?:(?:kurze|neue|neuen|kurzen) )?(?:notiz|memo|merkzettel)(?: (?:an|auf))?(?: ?:| dass|, dass)`,
  String.raw`(?:notiere?|schreibe?(?: (?:mir|dir|bitte|mal)){0,2} auf|merke? (?:dir|mir))(?: (?:bitte|mal))?(?: ?:| dass|, dass)|erinnere? mich(?: (?:bitte|morgen|später|daran)){0,2}(?:,? dass|, (?=\p{L}))|notiz an mich ?:?`,
  // Spanish, French.
  String.raw`(?:apunta|apúntame|anota|anótame|toma nota)(?: (?:esto|ahí))?(?: ?:| (?:de )?que)|(?:crea|escribe|haz|añade)(?:me)? una (?:nota|nueva nota)(?: ?:| que diga)|recuérdame (?:que|(?=\p{L}+r(?:me)? ))`,
  `(?:prends note|note-moi|écris)(?: (?:ça|ceci))?(?: ?:| que)|notez?(?: (?:ça|ceci) ?:| que)|(?:crée|écris|fais|ajoute)(?:-moi)? une (?:note|nouvelle note)(?: ?:| disant que)|rappelle-moi (?:de |d['’]|que )`,
];
const UNSPACED =
  "(?:记|写)(?:一?[个条]|下)?(?:笔记|便签|备忘)?(?:[:：])|(?:笔记|备忘录?|便签)[:：]|提醒我(?:要|去|明天)?|(?:メモ|ノート|覚え書き)(?:して|を取って|に書いて|を作って|を書いて)?[:：]|(?:메모|노트)(?:해 ?줘|로 남겨 ?줘|에 적어 ?줘)?[:：]";
const BEGINNING =
  "(?:note|memo|reminder|notiz|merkzettel|nota|mémo|rappel|recordatorio)(?: (?:to self|an mich|para mí|à moi-même))? ?:";

const POLITE = `(?:(?:please|pls|can you|could you|hey|ok|and|then|bitte|kannst du|und|dann|por favor|puedes|y|s'il te plaît|et|stp)[ ,]+){0,3}`;
const heads = lazyRegExp(
  String.raw`(?:(?<=^\s{0,8}|[.!?;\n。！？]\s{0,4}|,\s)${POLITE}(?:${HEADS.join("|")})|(?<=^\s{0,8})${BEGINNING}|${UNSPACED})[ \t　]*`,
  "giu",
);
/** The end of the content: that of its sentence. */
const end = lazyRegExp(String.raw`[.!?](?=\s|$)|[。！？\n]`, "u");

/** A prohibition behind the note is no part of it: "remind me to call Bob, and don't delete anything". */
const forbids = lazyRegExp(
  String.raw`(?:^|[,;，、]\s{0,4}|\s(?:and|but|und|aber|y|pero|et|mais)\s)(?=[^,;.!?\n]{0,40}(?<!\p{L})(?:don['’]?t|do not|never|nothing|no|nicht|nichts|kein\p{L}{0,3}|nada|nunca|pas|rien|jamais)(?!\p{L}))|不要|别|別|しないで|지 ?마`,
  "iu",
);

/** The dictated parts of a message, without the words that open them. */
export function dictatedIn(message: string): readonly Span[] {
  const parts: { start: number; end: number }[] = [];
  for (const { 0: head, index } of message.matchAll(heads())) {
    const start = index + head.length;
    if (start < (parts.at(-1)?.end ?? 0)) continue;
    const rest = message.slice(start);
    const sentence = rest.search(end());
    const content = sentence < 0 ? rest : rest.slice(0, sentence);
    const forbidden = content.search(forbids());
    const length = forbidden < 0 ? content.length : forbidden;
    if (length > 0) parts.push({ start, end: start + length });
  }
  return parts;
}
