/** Finds the act that the assistant offers with its only question: "Shall I add it to your calendar?" offers "add it to your calendar". Pure. */
import { spokenActs } from "../../lib/acts/act-words.ts";
import { lazyRegExp, once } from "../../lib/once.ts";
import { fold } from "./fold.ts";

const begins = lazyRegExp(
  String.raw`(?:\b(?:shall|should) i|\b(?:do you |would you )?(?:want|like) me to|\bsoll(?:te)? ich|\b(?:quieres|quiere|desea) que|\bdois-je|(?:要|需要)(?:不要)?我)(?:[ \t]+(?:also|then|now|auch|también|aussi)\b)?[ \t]*(?:帮您|帮你|为您|为你)?(.+)`,
  "iu",
);
/** "¿Archivo borrado?" asks what happened; "¿cancelo el pedido?" does not. */
const participle = String.raw`(?<!(?<!\p{L})(?:el|al|un|del|de|los|las?|una|este|ese|su|tu)[ \t]+)(?<!\p{L})\p{L}{2,}[ai]d[oa]s?(?!\p{L})`;
/** In the first person: "¿La cierro?", "¿Cierro la WEB-9?", "Je l'éteins ?". Only with a known verb: "je vois que …" offers nothing. */
const inFirstPerson = [
  String.raw`¿\s*(?!.*${participle})(?<act>(?=\p{L}+[ \t]+\p{L})(?:(?:l[aeo]s?|se|te|me)[ \t]+){0,2}(?!correcto)(?<verb>\p{L}{2,20}oy?)(?!\p{L}).*)`,
  String.raw`^(?:(?:alors|donc|et|est-ce que|(?:tu veux|veux-tu|vous voulez|voulez-vous|souhaitez-vous) que)[ \t,]+)?(?:j(?:e[ \t]+|['’])|faut-il[ \t]+)(?<act>(?:(?:(?:l[ea]s?|lui|leur|te|vous|y|en|peux|dois|devrais)[ \t]+)|[lt]['’])*(?!comprends?(?!\p{L}))(?<verb>\p{L}{2,20}).*)`,
  "^(?:那么?|那麼)?(?:要|需要)(?:不要)?(?!.*[过過了])(?<act>.+)[吗嗎]",
].map((source) => lazyRegExp(source, "iu"));
/** Japanese and Korean put the offer last. */
const ends = lazyRegExp("^(.+?)(?:ましょうか|ておきますか|할까요|드릴까요)", "u");
/** Quoted words, which the assistant repeats; a name in code is none. */
const quoted = lazyRegExp(
  String.raw`\x60([\w./@:-]+)\x60|"[^"]*"|“[^”]*”|„[^“]*“|«[^»]*»|「[^」]*」|\x60[^\x60]*\x60|^>.*$`,
  "gmu",
);
const negates = lazyRegExp(
  String.raw`n['’]t\b|\b(?:not|nicht|kein\p{L}*|no|pas|non|or|oder|ou|o)\b|不|别|还是|ない|말`,
  "iu",
);

/** UTF-16 units. The question of a longer message does not make sense alone. */
const LONGEST = 1_500;
/** UTF-16 units. A longer one offers more than one act, and each of its words costs time. */
const LONGEST_ACT = 300;

/**
 * @returns the act, in the offer's words; undefined if the message asks anything else, offers a choice, or offers to leave something
 *   undone: then the meaning of a yes cannot be determined.
 */
export function offeredAct(assistant: string): string | undefined {
  if (assistant.length > LONGEST) return undefined;
  const sentences = assistant
    .replace(quoted(), (_, name?: string) => name ?? " ")
    .split(/(?<=[!?。？！])\s*|(?<=\.)\s+|\n+/);
  const questions = sentences.filter((sentence) => /[?？]/.test(sentence) || ends().test(sentence));
  const [question = "", ...others] = questions;
  if (others.length > 0 || negates().test(question)) return undefined;
  const act =
    begins().exec(question)?.[1] ??
    ends().exec(question)?.[1] ??
    inFirstPerson.flatMap((pattern) => {
      const { act: offered, verb } = pattern().exec(question)?.groups ?? {};
      return offered !== undefined && (verb === undefined || isActWord(verb)) ? [offered] : [];
    })[0];
  if (act === undefined || act.length > LONGEST_ACT) return undefined;
  return act.replace(/(?:吗|呢)?[\s?？.。!！]*$/u, "").trim() || undefined;
}

/** UTF-16 units behind the beginning of a word. */
const LONGEST_END = 5;

function isActWord(verb: string): boolean {
  const word = fold(verb).folded;
  return acting().some((stem) => word.startsWith(stem) && word.length <= stem.length + LONGEST_END);
}

const acting = once(() =>
  spokenActs().flatMap(({ effects, stems }) =>
    effects.includes("read") ? [] : stems.filter((stem) => stem.length > 2 && !stem.includes("|")),
  ),
);
