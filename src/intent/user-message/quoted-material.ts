/**
 * Finds quoted words and material to be worked on: the parts of a message in quotation marks, code, quoted
 * lines, a forwarded message, behind "translate this:" or "my boss wrote:". Nothing in them is a wish of the user. Pure.
 */
import { lazyRegExp, once } from "../../lib/once.ts";
import type { Span } from "../../lib/text/span.ts";
import { pastedBlocksIn } from "./pasted-letters.ts";

/** Longer than most quotations. A longer one is more likely a mark that was never closed. */
const longest = 600;

const pairs = ['""', "“”", "„“", "„”", "””", "«»", "»«", "‹›", "›‹", "‘’", "‚‘", "‚’", "「」", "『』", "《》", "``"];

const marks = /["'`\u00ab\u00bb\u2018-\u201e\u2039\u203a\u300a\u300c\u300e]/;

/** An apostrophe opens no quotation: no letter comes before a mark that opens, or after one that closes. */
const quoted = once(() => {
  const marks = pairs.map(([open = "", close = ""]) => `${open}[^${open}${close}\n]{1,${longest}}${close}`);
  const single = String.raw`(?<![\p{L}\p{N}])['‘](?:[^'’\n]|(?<=\p{L})['’](?=\p{L})){2,${longest}}['’](?![\p{L}\p{N}])`;
  return new RegExp([...marks, single].join("|"), "gu");
});

const pasted = lazyRegExp(
  String.raw`\`\`\`[^]*?(?:\`\`\`|$(?![^]))|^[ \t]{0,3}>[^\n]*$|^-{3,}[ \t]*\n[^]{1,2000}?\n-{3,}[ \t]*$|(?<=^(?:fwd?|wg|rv|tr|weitergeleitet|reenviado|forwarded message)\b[^\n]{0,80}\n)[^]*?(?=\n\s*\n|$(?![^]))`,
  "gim",
);

/** Requests to work on the text behind a colon. */
const work = String.raw`translat\w+|paraphras\w+|rephras\w+|rewrite|reword\w*|proofread\w*|summari[sz]e|parse|spell-?check|find the typo|typo in|what does this mean|übersetz\w*|fass\w*|korrigier\w*|umformulier\w*|formulier\w*|umschreib\w*|was heißt|was bedeutet|tradu[cz]\w*|tradúc\w*|traduis\w*|resum\w+|corrige\w*|reescrib\w*|qué significa|qué quiere decir|翻译|翻譯|翻成|译成|譯成|润色|潤色|改写|改寫|校对|校對|總結|总结|什么意思|什麼意思|訳し\S{0,3}|翻訳\S{0,6}|英訳\S{0,6}|和訳\S{0,6}|要約\S{0,6}|添削\S{0,6}|まとめて\S{0,4}|どういう意味\S{0,4}`;

/** How a text is to read: "more politely: …". */
const manner = String.raw`more (?:politely|polite|formal|formally|friendly|casual|casually|concise)|politer|friendlier|höflicher|freundlicher|förmlicher|formeller|lockerer|más (?:educad[oa]|formal|amable|cortés)|更?礼貌\S{0,3}|更?正式\S{0,3}|客气\S{0,3}|丁寧に\S{0,4}|やわらかく\S{0,4}|自然に\S{0,4}`;

/** Names of a text in front of a colon: "the tone of this mail: …", 次の文…：. */
const textNoun = String.raw`(?:this|these|those|the|my|our|your|following|dies\w*|de[rnms]|das|die|folgend\w*|mein\w*|est[eao]s?|el|la|los|mi|siguientes?)[ \t]+(?:[\p{L}'-]+[ \t]+){0,2}(?:sentences?|text|paragraph|passage|phrase|e-?mail|message|letter|wording|grammar|spelling|tone|commas?|typos?|caption|headline|lyrics|prompts?|examples?|satz|sätze|absatz|mail|nachricht|brief|rechtschreibung|grammatik|kommas?|ton|beispiele?|frases?|texto|párrafo|correo|mensaje|carta|ortografía|gramática|tono|ejemplos?)|(?:这|這|以下|下面)\S{0,3}(?:句|段|封|条|條|话|話|文字|例子)|语法|語法|语气|語氣|错别字|錯別字|(?:この|次の|下の|以下の)\S{0,2}(?:文|メール|文章|メッセージ|手紙|例)|敬語|誤字`;

/** Words in front of a colon that introduce a third party's words, or the place where they are written. */
const speech = `said|says|wrote|writes|texted(?: me)?|told me|reads|shout(?:s|ed)|asks|asked|answer(?:s|ed)|repl(?:ies|ied)|commented|goes|schrieb|schreibt|sagte|sagt|meinte|steht|rief|fragte|antwortete?|heißt es|hieß es|dice|decía|dijo|escribió|escribe|pone|pon[ií]a|gritó|preguntó|respondió|contestó|a écrit|dit|说|說|写道|寫道|写着|寫著|写|寫|留言|发消息说|喊|回复|回覆|原话|原文|言って(?:た|いた|る)?|書いて(?:ある|あった|きた)|とのこと|コメント\\S{0,3}`;

const introduced = once(
  () =>
    new RegExp(
      String.raw`(?<!\p{Script=Latin})(?:(?<work>${work}|${manner}|${textNoun})|${speech})(?!\p{Script=Latin})[^:：\n.!?。！？]{0,40}[:：](?!//)[ \t]*\n*(?<words>[^\n]{1,${longest}})`,
      "giu",
    ),
);

const workLine = once(
  () =>
    new RegExp(
      String.raw`(?:(?<!\p{Script=Latin})(?:${work})(?!\p{Script=Latin}))[^:：\n.!?。！？]{0,60}[:：](?!//)[ \t]*(?<lines>\n+)?`,
      "giu",
    ),
);

/** The beginnings of texts that the user gives to be worked on: behind "translate this:", in the same line or below it. */
export const workTextsIn = (text: string): readonly { readonly start: number; readonly isBelow: boolean }[] =>
  [...text.matchAll(workLine())].map(({ 0: all, index, groups }) => ({
    start: index + all.length,
    isBelow: groups?.lines !== undefined,
  }));

/** @returns parts in no order; they may overlap. In time linear in the text. */
export function quotedMaterialIn(text: string): readonly Span[] {
  const mayBePasted = /[`>]|---|^(?:fwd?|wg|rv|tr|weiter|reenv|forwarded)/im.test(text);
  return [...quotationsIn(text), ...(mayBePasted ? partsOf(text, pasted()) : []), ...introducedIn(text)];
}

const quotationsIn = (text: string): readonly Span[] => (marks.test(text) ? partsOf(text, quoted()) : []);

/** The words behind "my boss wrote:" and "translate this:", in a dialogue or a film, or behind a program's TODO. */
export function introducedIn(text: string): readonly Span[] {
  if (!/[:：]/.test(text))
    return [...pastedBlocksIn(text), ...(/TODO|FIXME/.test(text) ? partsOf(text, leftToDo()) : [])];
  const ends = new Map(quotationsIn(text).map(({ start, end }) => [start, end]));
  const parts = [...text.matchAll(introduced())].map(({ 0: all, index, groups }) => {
    const end = index + all.length;
    const start = end - (groups?.words ?? "").length;
    // Marks show the end: "she wrote: 'Call me.' Tell her that I will".
    const marked = ends.get(start);
    return { start, end: marked ?? (groups?.work === undefined ? end : endOfMaterial(text, start)) };
  });
  return [
    ...parts,
    ...pastedBlocksIn(text),
    ...dialogueIn(text),
    ...partsOf(text, subtitle()),
    ...partsOf(text, leftToDo()),
  ];
}

const partsOf = (text: string, pattern: RegExp): readonly Span[] =>
  [...text.matchAll(pattern)].map(({ 0: all, index }) => ({ start: index, end: index + all.length }));

const longestMaterial = 4_000;

/** Text in the line of the colon reaches to the next empty line; sentences that begin below it, to the end of the message. */
function endOfMaterial(text: string, start: number): number {
  if (text[start - 1] === "\n" && beginsWithSentence(text, start)) return text.length;
  const read = text.slice(start, start + longestMaterial);
  return start + (/\n[ \t]*\n/.exec(read)?.index ?? read.length);
}

/** Whether the first lines hold five words, or as many letters of a script without blanks as five words have. */
export const beginsWithSentence = (message: string, start: number): boolean =>
  /^(?:[^\S\n]*[^\s]+[^\S\n]+){4}\S|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]{10}/mu.test(
    message.slice(start, start + 300).split("\n\n", 1)[0] ?? "",
  );

/** Whether a quotation is a request of a few words in Chinese, Japanese or Korean: it may hold an id or a sum. */
export const isShortRequest = (quotation: string): boolean => shortRequest().test(quotation);
const shortRequest = lazyRegExp(
  String.raw`^.\s*(?:请(?!柬|假|帖)|請(?!柬|假|帖)|麻烦|麻煩|帮我|幫我|帮忙|幫忙|给我|給我|把)|(?:ください|下さい|お願いします|お願い致します|してほしい|주세요|해줘|바랍니다)[\s。．.！!]*.$`,
  "u",
);

const subtitle = lazyRegExp(String.raw`^\d{1,2}:\d{2}(?::\d{2})?[,.]?\d{0,3} ?-+> ?[^\n]*(?:\n[^\n]+)?`, "gm");
const leftToDo = lazyRegExp(String.raw`^[ \t]*(?:#|//|--|/\*|\*|<!--)[ \t]*(?:TODO|FIXME|XXX|HACK)\b[^\n]*`, "gm");

/** A line of a dialogue: "Anna: can you send it?". */
const spokenLine = lazyRegExp(
  String.raw`^[ \t]*(?<speaker>\p{Lu}[\p{L}.'-]{0,20}(?: \p{Lu}[\p{L}.'-]{0,20})?|me|ich|yo|mum|mom|dad|boss|mama|papa|mamá|papá|jefe|jefa|chef|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]{1,6})[ \t]*[:：][ \t]*[^\s:：][^\n]*$`,
  "gmu",
);
const namesDialogue = lazyRegExp(
  String.raw`\b(?:chat|conversation|transcript|dialogue?|unterhaltung|gespräch|verlauf|conversación|charla)|聊天|对话|對話|群里|会話|チャット|やりとり`,
  "iu",
);

/** A dialogue, and no form with fields: a speaker comes back after another one, or is the user, or the text says that it is a dialogue. */
function dialogueIn(text: string): readonly Span[] {
  const lines = [...text.matchAll(spokenLine())];
  if (lines.length < 2) return [];
  const speakers = lines.map(({ groups }) => groups?.speaker?.toLowerCase());
  const count = new Set(speakers).size;
  const comesBack =
    count > 1 && (count < speakers.length || speakers.some((name) => /^(?:me|ich|yo|我|私)$/.test(name ?? "")));
  if (!comesBack && !namesDialogue().test(text.slice(0, lines[0]?.index))) return [];
  return lines.map(({ 0: line, index }) => ({ start: index, end: index + line.length }));
}
