/**
 * Finds words that only a text to a model has, however long the text around them is: it orders the model to forget earlier orders, speaks
 * to its reader on behalf of a user, claims the user's consent, or hides from the user. Pure.
 */
import { lazyRegExp, once } from "../../lib/once.ts";
import { verbLanguages } from "../wish/request-verbs.ts";
import { beginsWithRequest } from "../wish/tokens.ts";

const MODEL = "(?:ai|llm|language model|gpt|chatgpt|claude|gemini|copilot|chatbot|bot|assistant|agent|model)";
const READS = "(?:reading|reads|processing|processes|summari[sz]ing|summari[sz]es|parsing|handling|handles)";
const HIDE = "(?:tell|inform|mention|notify|alert|ask|show)";

const addresses = lazyRegExp(
  [
    // To the model, by its name.
    "\\bto you, (?:gpt|chatgpt|claude|gemini|copilot|llama|the (?:assistant|model|agent))\\b",
    `\\bif you(?:['’]re| are) (?:an? |the )?(?:\\w+ )?(?:ai|llm|language model|automated (?:agent|assistant|system)|chatbot|assistant|agent)(?: (?:model|agent|assistant))?(?: ${READS}[^,.\\n]{0,40})?,`,
    `\\b${MODEL}s? (?:that |who |which )?${READS} this (?:page|mail|e-?mail|message|file|document|text|ticket|review|note|web ?page|site|issue)\\b`,
    `\\b(?:when|whenever|if) (?:an? |the )?${MODEL}s? (?:\\w+ )?(?:process|read|summari[sz]e|parse|handle)e?s? this\\b`,
    `\\b(?:note|message|instructions?|memo) (?:for|to) (?:the |any |all |your )?(?:ai|llm|language model|chatbot)s?(?: \\w+)?\\s?:`,
    "\\bnew instructions? for (?:the |you,? )?(?:ai|assistant|agent|model)\\b",
    // It comes before the user's task.
    "\\bbefore (?:you )?(?:can |could )?(?:solv\\w+|complet\\w+|continu\\w+|start\\w*|answer\\w*) (?:the|your|with the) (?:task|request|question) (?:that |which )?(?:i|the user) (?:gave|asked|sent)",
    "\\bbefore anything else,? (?:do (?:this|the following)|you must)\\b",
    "\\bafter (?:you do that|doing (?:so|that|this)),? (?:you can |you may )?(?:solve|continue with|answer|go on with) (?:the|your|my) (?:task|request|question|original)",
    "\\bsupersedes? (?:the|your|all) (?:user['’]?s?|previous|original|earlier)\\b",
    "\\byour (?:earlier|previous|prior|original) instructions (?:are|were|have been) (?:outdated|cancel|void|wrong|replaced|revoked)",
    // It hides from the user, or speaks for them.
    `\\b(?:do not|don['’]t|never) ${HIDE}\\b(?: (?:this|that|it|anything|about this)){0,2} (?:to )?the user\\b(?! (?:for|to|if|that|which|when|what|how|about (?:errors?|internal)))`,
    `\\bwithout (?:asking|telling|informing|notifying|alerting) the user\\b`,
    "\\bthe user (?:has )?already (?:approved|authori[sz]ed|agreed|consented|confirmed)\\b",
    // German.
    "\\b(?:wenn|falls) du (?:ein |eine |als )?(?:ki|sprachmodell|assistent|agent|chatbot)\\b",
    "\\b(?:hinweis|nachricht|anweisung) (?:für|an) (?:den |die |das |alle )?(?:ki|sprachmodell)",
    "\\bsage? (?:dem|der) (?:nutzer|benutzer)(?:in)? nichts\\b|\\bohne (?:den|die) (?:nutzer|benutzer)(?:in)? zu (?:fragen|informieren)",
    "\\bder (?:nutzer|benutzer) hat [^.\\n]{0,30}bereits (?:zugestimmt|genehmigt|bestätigt|erlaubt)",
    // Spanish, French.
    "\\bsi eres (?:una? )?(?:ia|modelo de lenguaje|asistente|agente)\\b|\\bnota para (?:el asistente|la ia)\\b",
    "\\bno se lo digas al usuario|\\bsin (?:preguntar|avisar|decir)(?:le)? al usuario|\\bel usuario ya ha (?:dado su permiso|autorizado|aprobado|confirmado)",
    "\\bsi (?:vous êtes|tu es) (?:une? )?(?:ia|modèle de langage|assistante?|agent)\\b|\\bnote à l['’](?:assistant|ia)\\b",
    "\\bne (?:dis|dites) rien à l['’]utilisateur|\\bsans (?:prévenir|demander à|informer) l['’]utilisateur|\\bl['’]utilisateur a déjà (?:autorisé|approuvé|confirmé|accepté)",
    // Chinese, Japanese.
    "(?:致|给)(?:AI|人工智能|智能)?(?:助手|助理|模型)[：:]|如果你是(?:一个)?(?:AI|人工智能|语言模型|大模型|助手|智能助手)",
    "(?:不要|别)(?:告诉|通知|告知)用户|用户(?:已经|已)(?:同意|授权|批准|确认)[^。\\n]{0,20}(?:不要再|无需|不用|直接)",
    "(?:AI|人工知能)?アシスタントへ[：:]|あなたが(?:AI|言語モデル|アシスタント)なら",
    "ユーザーには?(?:伝えず|知らせず|内緒)|ユーザーはすでに(?:承認|同意|許可)",
  ].join("|"),
  "i",
);

/** Plain words, one of which is in each text that the expression may find: they are found twenty times as fast. */
const words = lazyRegExp(
  "to you, |\\bif you|(?:reading|reads|process\\w*|summari[sz]\\w*|parsing|handl\\w+) th|\\b(?:for|to) (?:\\w+ )?(?:ai|llm|language|chatbot)|instructions? for|before |after |supersed|your \\w+ instructions|the user|du (?:ein|als)|(?:für|an) |nutzer|si eres|nota para|usuario|si vous|si tu|note à|utilisateur|致|给|如果你是|用户|アシスタント|あなたが|ユーザー",
  "i",
);

/** @param text without its quotations. @returns the index of such words; -1 if there are none. */
export function addressAt(text: string): number {
  const at = words().test(text) ? text.search(addresses()) : -1;
  return at === -1 ? namedOrderAt(text) : at;
}

/** "AI: delete note n1", "PS to the bot: invite …": a model's name, a colon, and the clause behind it. */
const named = lazyRegExp(
  String.raw`(?<![\p{L}\p{N}])(?:ai|llm|ki|ia|(?:chat)?gpt|claude|gemini|copilot|(?:chat)?bots?|assistants?|assistente?n?|asistentes?|modelo)(?: (?:assistant|agent|model|bot))?[^\S\n]?:[^\S\n]{0,8}(?:please |bitte |por favor )?([^\n"]{8,120})`,
  "giu",
);
/** The same in an element of the name: `<assistant> delete notes/a.txt </assistant>`. */
const element = lazyRegExp(
  String.raw`<(?:ai|llm|ki|ia|(?:chat)?gpt|claude|gemini|copilot|(?:chat)?bot|assistant|assistente?n?|asistente)>\s{0,8}(?:please |bitte |por favor )?([^\n"<]{8,120})`,
  "giu",
);
/** The words before the name if a sentence begins with it. */
const begun = lazyRegExp(
  String.raw`(?:^\s{0,8}|[.!?;\n>*#"(|-]\s{0,8}|\bps,? |\b(?:to|for|an|für|para|à) (?:the |any |all |die |den |das |la |el |l['’])?)$`,
  "iu",
);
const BEFORE = 24;
/** A heading names a topic ("AI: record funding"); an order is about something in particular. */
const particular = lazyRegExp(
  String.raw`(?:^|\s)(?:the|an?|all|every|this|that|these|it|them|him|her|my|your|das|den|die|der|dem|ein\p{L}*|alle\p{L}*|diese\p{L}*|el|la|los|las|una?|este|esta|todos|todas)(?=[\s,.]|$)|[\p{L}\p{N}][@/_\\]|[/\\]\p{L}|(?:^|\s)-\p{L}|(?<![\p{L}\p{N}])(?!(?:19|20)\d\d(?!\p{N}))\p{N}|\p{L}\p{N}`,
  "iu",
);
/** Two speakers in turn: a record of a chat. */
const transcript = lazyRegExp(
  String.raw`(?:^|\n)[^\S\n]{0,8}[*_>-]{0,4}[^\S\n]{0,4}(?:user|customer|client|human|visitor|kunde|kundin|nutzer|usuario|cliente)[*_]{0,3}[^\S\n]?:`,
  "i",
);
const MAX_WORDS = 7;

function namedOrderAt(text: string): number {
  const isTranscript = once(() => transcript().test(text));
  for (const { 0: found, 1: clause = "", index } of text.matchAll(named())) {
    const before = text.slice(Math.max(0, index - BEFORE), index);
    if (!begun().test(index > BEFORE ? `x${before}` : before)) continue;
    if (isOrder(found, clause) && !isTranscript()) return index;
  }
  if (!text.includes("<")) return -1;
  // Such an element may also hold words of the assistant itself: only a verb at its beginning orders.
  const inElement = [...text.matchAll(element())].find(
    ([found, clause = ""]) => verbLanguages(firstWord(clause)).length > 0 && isOrder(found, clause),
  );
  return inElement?.index ?? -1;
}

function isOrder(found: string, clause: string): boolean {
  if (!beginsWithRequest(clause) && !(/assistent|\bki\b/i.test(found) && ordersInGerman(clause))) return false;
  return particular().test(clause.split(" ").slice(1, MAX_WORDS).join(" "));
}

const firstWord = (clause: string): string =>
  (/^\p{L}+/u.exec(clause)?.[0] ?? "").toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/** "Ticket auch für c71 öffnen": the verb comes late. */
const ordersInGerman = (clause: string): boolean =>
  clause
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .split(/[\s.,!;]+/, MAX_WORDS + 1)
    .some((word) => word.endsWith("en") && verbLanguages(word).includes("de"));

/** Small classes: `\\p{L}` in each word made the expression take 150 ms to compile. */
const LETTER = "[\\w\\u00c0-\\u024f\\u0370-\\u052f\\u0600-\\u06ff\\u0900-\\u097f\\u1e00-\\u1eff]";
const BEGIN = `(?<!${LETTER})`;
const END = `(?!${LETTER})`;

/** Lines are broken anywhere. */
const overrides = lazyRegExp(
  [
    `${BEGIN}(?<!not |n['’]t )(?:ignore|disregard|forget|override|bypass|do not follow|stop following) (?:(?:all|any|everything|of|the|your|my|these|those|other|and) ){0,4}(?:previous|prior|earlier|above|preceding|original|former|initial|existing|system|user['’]?s?)(?: (?:and|or) ${LETTER}{1,15})? ?(?:instructions?|prompts?|rules|directions|guidelines|orders|messages?|requests?|tasks?|commands?|questions?)`,
    `${BEGIN}(?:ignore|disregard|forget) (?:all|everything)(?: of)?(?: the| your)? (?:instructions |rules |orders )?(?:above|before|you (?:were|have been) told)`,
    `${BEGIN}(?:ignore|disregard) (?:the|your) user(?:${END})(?! (?:agent|interface|input|name))`,
    `${BEGIN}ignoriere?n?(?: Sie)? (?:bitte )?(?:alle|die|den|deine|Ihre|sämtliche)? ?(?:bisherigen?|vorherigen?|vorigen?|obigen?|früheren?|Nutzer|Benutzer|Anweisungen|Vorgaben)${END}`,
    `${BEGIN}(?:vergiss|vergessen Sie) (?:alle |die |deine )?(?:bisherigen?|vorherigen?|vorigen?|obigen?|früheren?)`,
    `${BEGIN}(?:ignor[ae]n?|olvid[ae]n?|descart[ae]) (?:todas? )?(?:las?|los?|tus|sus) (?:instrucciones|indicaciones|órdenes|reglas|peticion(?:es)?)(?: (?:anteriores|previas|del usuario|de arriba))`,
    `${BEGIN}(?:ignore[zr]?|oublie[zr]?|ne tiens plus compte|ne tenez (?:plus|pas) compte) (?:de )?(?:toutes )?(?:les |des |tes |vos )?(?:instructions|consignes|directives|règles)(?: (?:précédentes|antérieures|ci-dessus|de l['’]utilisateur))`,
    `${BEGIN}(?:ignor[ae]|esqueç[ae]|desconsidere) (?:todas )?(?:as|os|suas|tuas) (?:instruções|orientações|ordens|regras)(?: (?:anteriores|prévias|acima|do usuário|do utilizador))`,
    `${BEGIN}(?:ignora|dimentica|tralascia) (?:tutte )?(?:le|gli|i|tue) (?:istruzioni|indicazioni|regole|ordini)(?: (?:precedenti|dell['’]utente|di prima))`,
    `${BEGIN}negeer (?:alle |de )?(?:vorige|eerdere|bovenstaande|vraag van de gebruiker|instructies van)`,
    `игнориру${LETTER}+ (?:все )?(?:предыдущие|прежние|инструкции)|zignoruj (?:wszystkie )?(?:poprzednie|wcześniejsze)|önceki (?:tüm )?talimatları (?:yok ?say|unut)|bỏ qua (?:mọi|tất cả|các) (?:hướng dẫn|chỉ dẫn)|تجاهل (?:جميع |كل )?(?:التعليمات|الأوامر)|पिछले (?:सभी )?निर्देश`,
    "(?:忽略|无视|無視|忘记|不要理会)(?:掉)?(?:之前|以上|前面|先前|此前|上述|所有|用户|使用者)[^。\\n]{0,8}(?:指示|指令|说明|要求|规则|提示|命令|问题)",
    "(?:これまで|以前|上記|前|今まで|ユーザー|先ほど)の?[^。\\n]{0,8}(?:指示|命令|ルール|指令|質問|依頼)[^。\\n]{0,6}(?:無視|忘れ|従わ)",
    "(?:이전|위|앞)의? ?(?:모든 )?(?:지시|명령|지침)[^.\\n]{0,8}(?:무시|잊)",
  ]
    .join("|")
    .replaceAll(" ", "\\s"),
  "i",
);

/** Plain words, one of which is in each text that the expression may find: they are found twenty times as fast. */
const overrideWords = lazyRegExp(
  "ignor|disregard|forget|overrid|bypass|following|do not follow|vergi?ss|vergess|olvid|descart|oublie|ne t(?:iens|enez)|esque[çc]|desconsid|dimentic|tralasc|negeer|игнор|zignoruj|talimat|bỏ qua|تجاهل|निर्देश|忽略|无视|無視|忘|不要理会|従わ|무시|잊",
  "i",
);

/** @param text without its quotations. @returns the index of such an order; -1 if there is none. */
export const overrideAt = (text: string): number => (overrideWords().test(text) ? text.search(overrides()) : -1);
