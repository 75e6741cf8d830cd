/**
 * The further wish of `yes, and send her a confirmation`: the yes is to the call that waits, the rest is the model's to read. Pure.
 *
 * A call runs for such a yes, so it is one clause, and nothing in it may take the yes back or put a condition to it: negations, "but" and
 * "only", questions, quotations. `isFurtherAct` then tells whether it leaves the call as it is.
 */
import { lazyRegExp } from "../../lib/once.ts";
import { behindYesAnd, type Item, likeCode, phrasesWithin } from "./message-phrases.ts";

/** UTF-16 units of the message. */
const MAX_WISH = 240;

/** @returns the codes that stand with the yes, in capitals, and the wish as plain words. */
export function furtherWish(message: string): { readonly codes: readonly string[]; readonly wish: string } | undefined {
  const text = message.trim();
  // What is quoted, or stands on a line of its own, may be somebody else's.
  if (text.length > MAX_WISH || /[?？\n\r"“”„‘«»`>「」『』]|(?<!\p{L})'|'(?!\p{L})/u.test(text)) return undefined;
  const behind = behindYesAnd(text);
  const found = behind && { ...behind, rest: withoutNe(behind.rest) };
  if (!found || severalClauses().test(found.rest) || limitsYes(found.rest) || likeCode().test(found.rest))
    return undefined;
  return { codes: found.codes, wish: found.rest };
}

/** "ne SMS" is "eine SMS": before a noun, where it is no negation of French. */
const withoutNe = (wish: string): string =>
  wish.replace(
    /(?<=\p{L} )'?ne(?= (?:kurze |kleine |schnelle )?(?:sms|mail|e-mail|nachricht|bestatigung|quittung|info|erinnerung|message|notiz|rechnung)(?!\p{L}))/gu,
    "eine",
  );

const severalClauses = lazyRegExp(
  String.raw`[,;:、，；：.。!！…—–](?=.*[\p{L}\p{N}])|(?<=.{3})(?:并|並|和|然后|然後|そして|それから|그리고)|(?<=.)${word("and und y e et plus then dann luego puis")}`,
  "u",
);

const takesBack: ReadonlySet<Item["kind"]> = new Set([
  "no",
  "unclear",
  "wait",
  "always",
  "useValues",
  "because",
  "but",
]);
/** Words that are an answer at the beginning alone, and part of many sentences. */
const everyday: ReadonlySet<string> = new Set("para n pare halt por da denn die desde juste".split(" "));
const beginsAnswer: ReadonlySet<Item["kind"]> = new Set([...takesBack, "edit", "preview", "learnMore", "done"]);

/** The wish takes the yes back in part, or puts a condition to it. */
function limitsYes(wish: string): boolean {
  if (mayTakeBack(wish)) return true;
  const within = phrasesWithin(wish);
  return within.some(({ kind, phrase }) => beginsAnswer.has(kind) && wish.startsWith(phrase));
}

/** Something in plain words denies, doubts or puts a condition. */
const mayTakeBack = (text: string): boolean =>
  phrasesWithin(text).some(({ kind, phrase }) => takesBack.has(kind) && !everyday.has(phrase)) ||
  negates().test(text) ||
  limits().test(text);

function word(words: string): string {
  return String.raw`(?<![\p{L}\p{N}_])(?:${words.trim().replace(/\s+/g, "|")})(?![\p{L}\p{N}_])`;
}

const negates = lazyRegExp(
  String.raw`n't|(?<![\p{L}])n'|[不别別没沒勿莫未无無非]|ない|なく|ません|ずに|やめ|なし|않|못|말고|말아|하지 ?마|지 ?마|없|${word(`
    no not dont never without nothing none cannot cant wont neither nor nobody
    nicht nichts nie niemals ohne kein keine keinen keinem keiner keines nein weder nee
    nunca sin nada ni jamas tampoco ningun ninguna
    ne pas jamais sans rien aucun aucune non
    안 마 마세요 노`)}`,
  "u",
);

/** "But", "only", "instead" and their like: a yes with one of them wants the call otherwise. As plain words. */
export const butWords = lazyRegExp(
  String.raw`但|不过|不過|可是|只|仅|僅|而不是|改成|改为|改為|换成|換成|でも|ただし|だけ|のみ|けど|しかし|代わりに|ではなく|じゃなく|하지만|그런데|근데|그러나|다만|대신|말고|(?<=[\p{L}\p{N}])만(?![\p{L}\p{N}])|${word(`
    but only instead except rather however though although unless
    aber nur stattdessen statt anstatt lieber jedoch allerdings bloß außer erst
    pero solo solamente unicamente sino excepto salvo aunque
    mais seulement uniquement plutot sauf cependant`)}|en (?:vez|lugar) de|au lieu de`,
  "u",
);

/** A condition, an order of things, or a second thought. */
const limits = lazyRegExp(
  String.raw`${butWords().source}|如果|要是|假如|先|等|之前|再说|再說|もし|なら|たら|れば|前に|まず|만약|먼저|전에|기다|(?<=\p{L})면(?![\p{L}])|${word(`
    if when once provided until till before first wait hold stop actually later cancel abort
    wenn falls sofern sobald bevor zuerst vorher warte stopp später spater
    si cuando antes primero mejor espera
    quand avant abord attends d'abord`)}`,
  "u",
);

/** Of several calls that wait, the wish may mean the others. */
export const namesOthers = lazyRegExp(
  `其他|其它|另|剩|都|第|所有|全部|他の|ほか|残り|もう|別|両方|すべて|全て|다른|나머지|둘|전부|모두|${word(`
    other others rest remaining both second first last too also all everything next
    andere anderen anderes rest beide beides zweite zweiten erste alle alles auch
    otro otra otros otras resto demas segundo segunda primero todo todos todas tambien
    autre autres reste deux deuxieme premier tout tous toutes aussi`)}`,
  "u",
);
