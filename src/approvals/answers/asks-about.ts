/**
 * Whether a message that answers nothing only asks about the call ("how much was it again?"), whether it asks if an approved call is done,
 * and whether a question behind a yes is about what comes next. Pure.
 *
 * Any message that is no answer cancels the call, but for a question about it. "Who gets the money?" is one; "who is on duty today?" begins
 * another task. Sentences that ask have too many forms to list. So the words are listed that such questions are made of, and one word that is
 * neither there nor in the gateway's question makes the message an ordinary one: a missing word costs a second question, and no wrong call runs.
 */
import { asksBack } from "../../intent/wish/asks-back.ts";
import { once } from "../../lib/once.ts";
import { begins, UNSPACED, wordsIn } from "./acts.ts";
import { plainWords } from "./message-phrases.ts";
import { fillers, UNSPACED_FILLERS, withoutStems } from "./repeats-question.ts";

/** UTF-16 units of a question about a question. */
const MAX_QUESTION = 160;
/** UTF-16 units of the question that are read for its words. */
const MAX_ASKED = 4_000;

/** Question words, and the verbs that questions begin with. */
const INTERROGATIVES = `how much many often long what whats which who whos whom whose when where why was were are be been does did has have had
  will should could mean means meant say said ask asks asking asked tell know need needs wants get gets got happen happens remind
  wie viel wieviel welche welcher welches welchen welchem wer wem wen wann wo warum wieso weshalb wozu ist ists sind war wars waren hat haben
  wird werden sein bedeutet heisst heisse meinst fragst fragen fragt frage brauchst passiert bekommt kriegt
  cuanto cuanta cuantos cuantas que cual cuales quien quienes cuando donde para era son fue eran estan preguntas preguntar pregunta pasa pasara
  significa dices recibe
  combien quoi quel quelle quels quelles qui quand ou pourquoi comment est etait sont etaient demandes demandez demander passe recoit signifie dis
  veux qu`;
/** Small words around them, beside those of `fillers`. */
const SMALL_WORDS = `there still already yet hmm hm um uh oh wait or if no not but because he she they again really sorry re
  er ich nochmal noch nochmals eigentlich schon nein oder wenn ob nicht durch rein wirklich
  eso esto ese este esa yo tu otra vez nuevo aun todavia con realmente
  ce c ca cela cette cet elle je m pour en avec encore deja vraiment sur juste non t`;
/** What a call has, and what may be said of it: its values, whom it is for, whether it is right and done. */
const CALL_WORDS = `sure exactly true wrong sense going safe undone reversible irreversible done finished ready
  amount total price cost costs sum money number amp invoice recipient name date day time person customer ones thing call question value values about reason
  file files folder document mail email message note entry event
  sicher genau richtig richtige richtigen richtiger falsch falsche fertig erledigt gleich gewesen
  rechnung betrag summe preis nummer kosten kostet geld empfanger datum tag kunde kundin grund
  datei dateien ordner dokument nachricht notiz eintrag termin
  seguro segura cierto hecho listo factura cantidad importe numero precio dinero nombre fecha persona cliente motivo
  archivo carpeta documento correo mensaje nota evento
  bon bonne fait fini facture montant prix argent nom personne client raison
  fichier dossier document courriel message note evenement`;
/** The same in languages without blanks, as pieces of words. */
const UNSPACED_ABOUT =
  /文件夹|文件|邮件|郵件|消息|干嘛|幹嘛|用|ファイル|フォルダ|メール|使う|多少|什么|什麼|这|這|那|是|对|對|的|哪|谁|誰|为何|為何|为|為|怎么|怎麼|几|幾|时候|時候|再|吗|嗎|呢|个|個|正确|正確|确定|確定|真|金额|金額|发票|發票|号|號|钱|錢|问|問|你|要|会|會|有|一|次|张|張|刚才|剛才|来着|來著|意思|不|完成|了吗|いくら|何|なに|なん|なぜ|どうして|いつ|どこ|どれ|どの|どっち|もう|一度|一回|です|でした|ですか|だった|だっけ|っけ|たっけ|か|も|だ|た|その|この|本当|合って|あって|正しい|請求書|番号|聞く|聞いて|聞き|訊|確認|意味|ます|い|な|る|終わ|済|얼마|무엇|무슨|뭐|왜|누구|언제|어디|어느|다시|이게|그게|맞|정말|금액|청구서|번호|묻|물어|확인|뜻|이|그|는|은|가|요|까|였|지|죠|나|인|예|에|습니|입니|니|다|거|건|한번|되|됐|끝|났|보세요|보시나|보시는|보는|봐요|봐|해야|하나|하시나|하시는|하는|해요|하세요|시는/gu;
const aboutWords = once(
  (): ReadonlySet<string> => new Set([INTERROGATIVES, SMALL_WORDS, CALL_WORDS].flatMap((list) => list.split(/\s+/))),
);

/** A message in languages that end with no mark may begin or end as a question does. */
const beginsQuestion =
  /^(?:(?:hm+|um+|uh+|oh|so|and|but|wait|ok|okay|und|aber|y|pero|et|mais|ach|ah|ahm|na),? )?(?:how|what|whats|which|who|whos|whom|whose|when|where|why|is|are|was|were|does|do you|did|will|wie|wieviel|was|welche[rsnm]?|wer|wem|wen|wann|wo|warum|wieso|weshalb|wozu|ist|sind|war|cuant[oa]s?|que|cual(?:es)?|quien|cuando|donde|por que|es|combien|quel(?:le)?s?|qui|quand|pourquoi|comment|est-ce|c'est quoi)(?![\p{L}\p{N}])|^(?:为什么|為什麼|多少|谁|誰|何|なぜ|どうして|いくら|왜|얼마|누구|뭐)|(?:吗|嗎|呢|多少|什么|什麼|ですか|ますか|っけ|인가요|나요|까|니까|죠)$/u;

export const isQuestion = (message: string): boolean =>
  /[?？]/u.test(message) || beginsQuestion.test(plainWords(message));

/**
 * A question made of the question's own words and of words to ask with, or one that only points at the call. It begins no task: nothing is
 * named in it that the call does not name.
 * @param question the question, as the last assistant message holds it.
 */
export function asksAboutCall(message: string, question: string): boolean {
  const text = message.trim();
  if (text.length > MAX_QUESTION || /[\n\r]/.test(text) || !isQuestion(text)) return false;
  if (asksBack(text) || pointsAtCall(text)) return true;
  const own = wordsIn(question.slice(0, MAX_ASKED));
  const isOwn = (word: string) =>
    own.some((one) => one === word || (word.length >= 4 && one.length >= 4 && begins(word, one)));
  return wordsIn(text).every((word) => {
    if (UNSPACED.test(word)) {
      const rest = withoutStems(
        word,
        own.filter((one) => UNSPACED.test(one)),
      );
      return rest.replace(UNSPACED_ABOUT, "").replace(UNSPACED_FILLERS, "").replace(UNSPACED_ABOUT, "") === "";
    }
    return aboutWords().has(word) || fillers().has(word) || isOwn(word);
  });
}

/** UTF-16 units, and words, of a question that only points at the call. */
const MAX_POINTING = 80;
const MAX_POINTING_WORDS = 9;

/** It points at the call, or asks what there is: "will it take long?", "is there a backup?" In plain words. */
const POINTS =
  /(?<!\p{L})(?:it|this|that|these|those|they|es|davon|dabei|dafur|danach|dazu|damit|eso|esto|ello)(?!\p{L})|^(?:(?:is|are|was|will) there|gibt(?:'s| es| das)|hay|(?:ist|sind|war|waren) (?:das|dies)|c'est|est-ce|ca|cela)(?!\p{L})|它|[这那]个|[這那]個|这会|這會|^有(?:没有|沒有)?\p{L}{1,8}(?:吗|嗎)?[?？]?$|それ|これ|(?:あります|ありません)か|(?:だよね|ですよね|だっけ|でしたっけ)[?？]?$|이거|이게|그게/u;
/** It asks for something to be done. In plain words. */
const WISHES =
  /(?<!\p{L})(?:(?:can|could|would|will) you|please|show|tell me|give me|find|search|look up|(?:kannst|konntest|wurdest) du|bitte|zeig|sag mir|such|puedes|me puede|podrias|muestra\p{L}*|dime|busca\p{L}*)(?!\p{L})|能不能|可不可以|帮|幫|给我|給我|先|て(?:もらえ|くれ|ください|下さい|いただけ)|見せ|教え|探|해 ?줄|보여/u;
/** A name, or a value. In German nouns are written as names are, behind an article. */
const NAMES =
  /\p{N}|(?<=[\p{L},'] )(?<!(?:^|\s)(?:ein|eine|einen|einem|einer|der|die|das|den|dem|kein|keine|welche[rnsm]?) )\p{Lu}\p{Ll}|さん|様|(?<=\p{L})씨/u;

/** "Is that Luc's?" asks about the call by a name. In plain words. */
const CONFIRMS =
  /^(?:(?:hm+|ah|so|and|und|y|et),? )?(?:(?:is|was) (?:it|that|this)|(?:ist|war) (?:das|es|dies)|c'est bien|es (?:el|la|lo|est[ea]|es[ea])|是(?:不是)?[这那這])(?!\p{L})|^是(?=.{1,12}(?:吗|嗎)[?？]?$)|だよね[?？]?$|ですよね[?？]?$/u;

/** "Is it raining?" points at nothing; what stands in marks is no question of the user's. In plain words. */
const ASTRAY =
  /[<>{}`"]|(?<!\p{L})(?:rain|snow|sunny|windy|storm|weather|late|else|o'clock|regn|schnei|wetter|spat|llov|lluev|nev|tiempo hace|tarde)|雨|雪|今日|明日|曜日|今天|明天|天气|天氣|几点|幾點|何時/u;

/** "Leave it. What is this about?" says more than it asks. */
const SEVERAL = /[.!;。！；](?=\s*\S)/u;

/** A question that names nothing and wants nothing done: right behind the gateway's question it is about that. */
function pointsAtCall(text: string): boolean {
  const plain = plainWords(text);
  const isShort = text.length <= MAX_POINTING && wordsIn(text).length <= MAX_POINTING_WORDS;
  return (
    isShort &&
    !ASTRAY.test(plain) &&
    !SEVERAL.test(text) &&
    POINTS.test(plain.replace(/^[¿¡]/u, "")) &&
    !WISHES.test(plain) &&
    (CONFIRMS.test(plain.replace(/^[¿¡]/u, "")) || !NAMES.test(text.normalize("NFC")))
  );
}

/** What comes after the call, and nothing else. In plain words. */
const NEXT =
  /^(?:(?:whats|what's|what is|what comes|whos|who's|who is|who comes) (?:next|left)(?: today| now)?|(?:what|who) else|(?:wer|was) (?:ist|kommt|steht)(?: jetzt| dann)?(?: als| der| die| das)? n[äa]chste[rs]?(?: dran)?|(?:que|quien) (?:sigue|viene(?: ahora| despues)?)|qui est (?:le |la )?(?:suivante?|prochaine?)|下一个(?:是谁|呢)?|下一位(?:是谁|呢)?|接下来(?:呢|是谁)|次は(?:誰|何)?(?:です)?か?|다음은(?: 누구)?(?:인가요|예요|죠)?)$/u;

/** Whether a question behind a yes leaves the call as it is: "yes, thanks. who is next?". Any other may be about the call. @param question plain words. */
export const asksForNext = (question: string): boolean => NEXT.test(withoutMarks(question));

const DONE =
  /^(?:(?:is|was) (?:it|that|this) (?:all )?(?:done|finished|through)(?: yet| now| already)?|(?:all )?(?:done|finished)(?: yet| now)?|(?:ist|war) (?:es|das) (?:schon |jetzt )?(?:erledigt|fertig|durch)|(?:schon )?(?:erledigt|fertig)|(?:ya )?esta (?:ya )?hecho|c'est fait|完成了吗|做完了吗|好了吗|(?:もう)?(?:終わりました|完了しました|できました)か|(?:끝났|완료됐|됐)(?:나요|어요|어))$/u;

/** Whether a message asks whether what was approved is done, and nothing else: then it may go out. */
export const asksWhetherDone = (message: string): boolean => DONE.test(withoutMarks(plainWords(message)));

const withoutMarks = (text: string): string => text.replace(/[?？!！.。¿¡\s]+$|^[¿¡\s]+/gu, "");
