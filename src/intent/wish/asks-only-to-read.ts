/**
 * Whether a message asks to look at, explain, review or translate something, and for nothing else: "show me sub_44", "review auth.ts for
 * bugs", "welche Pods laufen auf worker-3?". What the model then changes is not what the user asked for. Pure.
 */
import { spokenActs } from "../../lib/acts/act-words.ts";
import { lazyRegExp } from "../../lib/once.ts";
import { splitByRefusal } from "../lexical/lexical.ts";
import { asksBack } from "./asks-back.ts";
import { isMereQuestion } from "./mere-questions.ts";
import { namedActs } from "./named-acts.ts";
import { ownSentences, plainSentence } from "./own-sentences.ts";
import { verbLanguages } from "./request-verbs.ts";

/** In lower case, without accents. */
const READING = new Set(
  `show read list view look check find search display print describe explain tell summarise summarize count compare inspect review
  proofread analyse analyze audit
  what what's whats which who who's whose whom where where's when why how status is are was were any does did
  zeig zeige lies liste such suche finde find schau schaue sag sage nenn nenne erklar erklare beschreib beschreibe fass fasse prufe pruf
  was welche welcher welches welchen wer wem wen wo wann warum wieso wie ist sind war gibt hat haben lauft laufen steht
  muestra muestrame lee leeme lista busca buscame dime ensename mira mirame explica explicame resume resumeme describe
  que cual cuales quien quienes donde cuando como cuanto cuantos hay esta estan es son
  montre montrez montre-moi affiche lis liste cherche trouve regarde explique expliquez explique-moi decris verifie
  dis-moi dites-moi dis-nous quel quelle quels quelles qui quand pourquoi combien est-ce qu'est-ce y-a-t-il`.split(
    /\s+/,
  ),
);
/** Words before the verb: "can you please just", "ok und zeig mal". */
const OPENING = new Set(
  `please pls can could would will you u just only quickly also and then ok okay hey hi so now first let me us i want wanna need d like to id
  i'd let's lets go ahead bitte kannst konnen konntest du sie mal mir uns und dann also ich will mochte kurz nur
  por favor puedes podrias me nos y luego quiero quisiera solo stp tu peux vous pouvez juste`.split(/\s+/),
);
/** Behind these another act may come. */
const clauses = lazyRegExp(String.raw`[,;:–—…&]|\b(?:and|then|und|dann|y|luego|et|puis)\b`, "u");
/** Questions that begin with no verb of their own. */
const french = lazyRegExp(
  String.raw`^(?:il y a|c'est quoi|c'est qui|ca veut dire quoi|ou (?:est|sont|se)|comment (?:on )?(?:dit|ecrit|appelle|prononce|traduit|fonctionne|marche|ca marche|est)|que (?:fait|signifie|veut|dit|contient))\b`,
  "u",
);
/** A text that the message brings along is to be put into other words. */
const worksOnText = lazyRegExp(
  String.raw`^(?:(?:please|can you|bitte|por favor) )?(?:translate|proofread|ubersetze?|traduce|traduzca|traduis)\b[^:"]{0,40}[:"]|^(?:how do (?:you|i|we) (?:say|spell|pronounce|write)|wie sagt man|como se (?:dice|escribe|pronuncia)|do (?:i|we|they|you) (?:need|have|know)|help me understand)\b`,
  "u",
);
/** Not the words of `src/lib/acts/spoken-acts.ts`: many of those (通知, 予約) are as often what is looked at. */
const unspacedReads = lazyRegExp(
  "看|查|显示|顯示|列出|读|讀|什么|什麼|哪|几|多少|吗|嗎|状态|狀態|解释|解釋|说明|說明|怎么说|怎麼說|意思|为什么|為什麼|翻译|翻譯|总结|總結|有没有|見せ|見て|表示|教え|読|確認|説明|解説|レビュー|意味|違い|訳し|翻訳|要約|何|どの|どれ|どう|いつ|誰|一覧|検索|調べ|探し|中身|ですか|ますか|(?:ある|いる|った|んだ|まだ.{1,12}|[はのか])[?？]$",
  "u",
);
const unspacedActs = lazyRegExp(
  "删|刪|取消|发|發|改|移|加|建|关|關|付|退|合并|合併|批准|重启|重啟|停|换|換|清|写[到入进]|保存|提交|推送|修|实现|實現|运行|執行|执行|伝え|教えて(?:あげ|や)|消し|削除|送|変え|変更|作|追加|止め|払|承認|マージ|再起動|キャンセル|移動|直し|書い|書き|保存|編集|修正|記録|コミット|実行",
  "u",
);
/** Nouns with the letters of an act: "the changes", "the payment record". */
const unspacedNouns = lazyRegExp(
  "改动|改動|变更|變更|更改(?:记录|内容)?|修改(?:记录|历史|内容)|提交(?:记录|历史)|付款记录|变化|発送状況|変更(?:点|内容|履歴|箇所)|修正(?:点|内容|箇所)|差分|编辑器|作業内容|作者|作用|加载",
  "gu",
);
const hangulReads = lazyRegExp(
  "보여|알려|설명|뭐|무엇|무슨|어떤|어디|언제|누가|누구|왜|찾아|검색|확인|읽어|요약|번역|리뷰|검토|있나|인가요|나요\\s*[?？]|습니까",
  "u",
);
const hangulActs = lazyRegExp(
  "삭제|지워|지우|취소|보내|수정|고쳐|바꿔|변경|추가|만들|생성|등록|결제|환불|주문|예약|저장|옮|이동|실행|커밋|푸시|배포|병합|승인|공유|초대|적어|작성|정리",
  "u",
);
const unspaced = lazyRegExp(String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]`, "u");
const hangul = lazyRegExp(String.raw`\p{sc=Hangul}`, "u");
/** The last clause of "状態を教えて、閉じて", "상태 알려주고 닫아줘", "显示状态，然后锁门". */
const lastClause = lazyRegExp(String.raw`^.*(?:[、，,;；]|고\s|(?=然后|然後|顺便|順便|并且|並且))`, "u");
/** It orders something. Not "について", "なんで" and "消さないで". */
const ordersLast = lazyRegExp(
  "(?:(?<!につい|によっ|とし|にとっ|に対し|に関し)(?<=[いえきぎしちにびみりっけげせてねべめれじ])て|(?<=[んい])(?<!なん|[なつ]い)で)(?:ください|下さい|おいて|くれ)?[ねよ]?[。.!！]*$|(?:줘|줘요|주세요|줄래)[.!]*$|^(?:然后|然後|顺便|順便|并且|並且)(?!呢)",
  "u",
);
const unspacedLooks = lazyRegExp(
  "比べ|比較|まとめ|数え|開い|聞か|出し|挙げ|並べ|待っ|急い|助け|打开|打開|告诉|告訴|比较|比較|列|열어|비교|세어",
  "u",
);
/** What is read is written elsewhere: "summarise a.txt into sum.txt", "fass es in einer Notiz zusammen". */
const intoPlace = lazyRegExp(
  String.raw`\b(?:summari[sz]e|fasse?|resume\w*|translate|ubersetze?|convert|put|turn)\b.{0,80}\b(?:into|(?:in|to|en|dans|a|nach|als|as) (?:(?:an?|eine[rmn]?|una?|une?) (?:new |neuen? |nueva |nouvelle )?(?:file|note|doc\w*|table|sheet|notiz|datei|nota|archivo|fichier)\b|\S*[\w/]\.\w{1,5}\b))`,
  "u",
);

/** A longer message tells more than what to look at. */
const MAX_SENTENCES = 3;

/** What the user says not to do is asked for by nobody: "don't create a lead, just check whether she exists". */
export function asksOnlyToRead(message: string): boolean {
  if (asksBack(message)) return true;
  const { wanted, refused } = splitByRefusal(message);
  const sentences = ownSentences(refused === "" ? message : wanted);
  if (sentences.length === 0 || sentences.length > MAX_SENTENCES) return false;
  const kinds = sentences.flatMap((sentence) => kindsOf(plainSentence(sentence)));
  return kinds.includes("reads") && !kinds.includes("acts");
}

type ClauseKind = "reads" | "acts" | "neither";

function kindsOf(sentence: string): ClauseKind[] {
  if (french().test(sentence)) return [onlyReads(sentence) ? "reads" : "acts"];
  if (unspaced().test(sentence)) {
    const text = sentence.replace(unspacedNouns(), "");
    return [kindOfUnspaced(text, unspacedReads(), unspacedActs())];
  }
  if (hangul().test(sentence)) return [kindOfUnspaced(sentence, hangulReads(), hangulActs())];
  if (worksOnText().test(sentence)) return ["reads"];
  if (intoPlace().test(sentence)) return ["acts"];
  const kinds = sentence.replaceAll("ß", "ss").split(clauses()).map(kindOfClause);
  const isQuestion = /[?]\s*$/.test(sentence) && (isMereQuestion(sentence) || isPlainQuestion(sentence));
  return isQuestion && !kinds.includes("acts") ? [...kinds, "reads"] : kinds;
}

function kindOfUnspaced(text: string, reads: RegExp, acts: RegExp): ClauseKind {
  const last = text.replace(lastClause(), "");
  const isOrder = last !== text && ordersLast().test(last) && !reads.test(last) && !unspacedLooks().test(last);
  return isOrder || acts.test(text) ? "acts" : reads.test(text) ? "reads" : "neither";
}

/** "Is x still 1 in app.py?", in any language: it asks nobody to do anything. A shorter one may want another of something: "one more?". */
const isPlainQuestion = (sentence: string): boolean =>
  sentence.split(/\s+/).length >= MIN_QUESTION && !asksSomebody().test(sentence);
const MIN_QUESTION = 4;
const asksSomebody = lazyRegExp(
  String.raw`\b(?:can|could|would|will|may|might|shall|should|mind|kann\w*|konn\w*|wurd\w*|magst|darf|soll\w*|pued\w*|podr\w*|quier\w*|peu[xt]\w*|pouv\w*|pourr\w*|veu[xt]|voul\w*|tu|du|usted|another|more|noch|otr[ao]s?|encore|autre)\b`,
  "u",
);

/** No verb list of requests is French: the acts that it names tell. */
const onlyReads = (sentence: string): boolean => [...namedActs(sentence).wanted].every((act) => act === "read");

function kindOfClause(clause: string): ClauseKind {
  const words = clause.match(/[\p{L}\p{N}_'-]+/gu) ?? [];
  const at = words.findIndex((word) => !OPENING.has(word));
  const first = words[at];
  if (first === undefined) return "neither";
  const rest = words.slice(at);
  if (rest.some((word, index) => !READING.has(word) && isLateVerb(word, rest[index - 1], rest[index + 1])))
    return "acts";
  if (isForOthers(rest)) return "acts";
  const isParticle = (first === "check" || first === "look") && rest.slice(1, 3).some((word) => PARTICLES.has(word));
  if (READING.has(first) && !isParticle) return "reads";
  return verbLanguages(first).length > 0 || !onlyReads(clause) || isSpokenAct(first) ? "acts" : "neither";
}

/** "Ferme le ticket": an act of which no effect is known. Shorter beginnings are those of many words. */
const isSpokenAct = (word: string): boolean =>
  spokenActs().some(
    ({ stems, effects }) =>
      !effects.includes("read") &&
      stems.some((stem) => stem.length >= 4 && word.startsWith(stem) && word.length <= stem.length + 3),
  );

/** Who is told, or what is asked behind "tell". */
const OWN = new Set(
  `me us moi nous what who whom whose which how why where when if whether about mir uns was wer wen wem wessen welche welcher welches welchen wie
  warum wieso wo wann ob`.split(/\s+/),
);
/** Between "tell" and what or whom it is for. */
const ADVERBS = new Set("kurz mal bitte doch schon eben einfach schnell nochmal just please quickly".split(" "));
/** What is told of something: "the status of order 77", "den Stand von W77". Not "the owner of W77". */
const toldThing = lazyRegExp(
  String.raw`^(?:(?:everything|all|alles) (?:you|about|i|uber|zu|was)|(?:(?:the|its|my|our|den|die|das|der) )?(?:status|state|stand|price|preis|total|summe|amount|betrag|names?|dates?|datum|time|number|nummer|details?|contents?|inhalt|difference|unterschied|reason|grund|result|ergebnis)(?: (?:of|for|in|from|von|vom|der|des|zu|zur|zum|fur|aus)|$))\b(?!.* to )`,
  "u",
);

/** "Tell Anna that it is done", "sag den Termin ab", "explain to her", "dis-moi merci à Anna". */
function isForOthers([verb = "", ...others]: readonly string[]): boolean {
  const rest = others.slice(others.findIndex((word) => !ADVERBS.has(word)));
  const [next = "", afterNext = ""] = others.every((word) => ADVERBS.has(word)) ? [] : rest;
  if (/^(?:tell|sage?)$/.test(verb)) return next !== "" && !OWN.has(next) && !toldThing().test(rest.join(" "));
  if (verb === "explain") return next === "to" && !OWN.has(afterNext);
  if (/^expliquez?$/.test(verb)) return next === "a" && !OWN.has(afterNext);
  return /^(?:dis|dites)-(?:moi|nous)$/.test(verb) && afterNext === "a" && next !== "tout" && !READING.has(next);
}

/** "Check out", "check me in", "look after". */
const PARTICLES = new Set(["out", "in", "off", "after"]);
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
