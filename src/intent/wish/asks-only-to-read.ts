/**
 * Whether a message asks to look at something, and for nothing else: "show me sub_44", "welche Pods laufen auf worker-3?". What the
 * model then does that cannot be taken back is not what the user asked for. Pure.
 */
import { lazyRegExp } from "../../lib/once.ts";
import { ownSentences, plainSentence } from "./own-sentences.ts";
import { verbLanguages } from "./request-verbs.ts";

/** In lower case, without accents. */
const READING = new Set(
  `show read list view look check find search display print describe explain tell summarise summarize count compare inspect review
  what what's whats which who who's whose whom where where's when why how status is are was were any
  zeig zeige lies liste such suche finde find schau schaue sag sage nenn nenne erklar erklare beschreib beschreibe fass fasse prufe pruf
  was welche welcher welches welchen wer wem wen wo wann warum wieso wie ist sind war gibt hat haben lauft laufen steht
  muestra muestrame lee leeme lista busca buscame dime ensename mira mirame explica explicame resume resumeme describe
  que cual cuales quien quienes donde cuando como cuanto cuantos hay esta estan es son`.split(/\s+/),
);
/** Words before the verb: "can you please just", "ok und zeig mal". */
const OPENING = new Set(
  `please pls can could would will you u just quickly also and then ok okay hey hi so now first let me us i want wanna need d like to id
  i'd let's lets go ahead bitte kannst konnen konntest du sie mal mir uns und dann also ich will mochte kurz
  por favor puedes podrias me nos y luego quiero quisiera`.split(/\s+/),
);
/** Behind these another act may come. */
const clauses = lazyRegExp(String.raw`[,;:–—…&]|\b(?:and|then|und|dann|y|luego)\b`, "u");
const unspacedReads = lazyRegExp(
  "看|查|显示|顯示|列出|读|讀|什么|什麼|哪|几|多少|吗|嗎|状态|狀態|見せ|表示|教え|読|確認|何|どの|どれ|いつ|誰|一覧|ですか|ますか",
  "u",
);
const unspacedActs = lazyRegExp(
  "删|刪|取消|发|發|改|移|加|建|关|關|付|退|合并|合併|批准|重启|重啟|停|换|換|清|消し|削除|送|変え|変更|作|追加|止め|払|承認|マージ|再起動|キャンセル|移動|直し",
  "u",
);
const unspaced = lazyRegExp(String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]`, "u");

/** A longer message tells more than what to look at. */
const MAX_SENTENCES = 3;

export function asksOnlyToRead(message: string): boolean {
  const sentences = ownSentences(message);
  if (sentences.length === 0 || sentences.length > MAX_SENTENCES) return false;
  const kinds = sentences.flatMap((sentence) => kindsOf(plainSentence(sentence)));
  return kinds.includes("reads") && !kinds.includes("acts");
}

type ClauseKind = "reads" | "acts" | "neither";

function kindsOf(sentence: string): ClauseKind[] {
  if (unspaced().test(sentence))
    return [unspacedActs().test(sentence) ? "acts" : unspacedReads().test(sentence) ? "reads" : "neither"];
  return sentence.split(clauses()).map(kindOfClause);
}

function kindOfClause(clause: string): ClauseKind {
  const words = clause.match(/[\p{L}\p{N}_'-]+/gu) ?? [];
  const at = words.findIndex((word) => !OPENING.has(word));
  const first = words[at];
  if (first === undefined) return "neither";
  const rest = words.slice(at);
  if (rest.some((word, index) => !READING.has(word) && isLateVerb(word, rest[index - 1], rest[index + 1])))
    return "acts";
  if (READING.has(first) && !PARTICLES.has(rest[1] ?? "")) return "reads";
  return verbLanguages(first).length > 0 ? "acts" : "neither";
}

/** "Check out", "check in". */
const PARTICLES = new Set(["out", "in", "off"]);
const OBJECTS = new Set("it them that those this these the my your him her everything all ihn sie es alles".split(" "));
const ARTICLES = new Set("the a an my your our this that der die das den dem mein el la los las".split(" "));

/** "If it's fine merge it", "den Pod api-1 löschen", "what does it take to delete it", "what about deleting it". */
function isLateVerb(word: string, before: string | undefined, after: string | undefined): boolean {
  const languages = verbLanguages(word);
  if (languages.includes("de") && /.en$/.test(word) && !READING.has(word.slice(0, -2))) return true;
  if (/ing$/.test(word))
    return [word.slice(0, -3), `${word.slice(0, -3)}e`].some((verb) => verbLanguages(verb).includes("en"));
  if (languages.length === 0 || ARTICLES.has(before ?? "")) return false;
  return before === "to" || OBJECTS.has(after ?? "");
}
