/** Finds the act that the assistant offers with its only question: "Shall I add it to your calendar?" offers "add it to your calendar". Pure. */
import { lazyRegExp } from "../../lib/once.ts";

const begins = lazyRegExp(
  String.raw`(?:\b(?:shall|should) i|\b(?:do you |would you )?(?:want|like) me to|\bsoll(?:te)? ich|\b(?:quieres|quiere|desea) que|\bdois-je|(?:要|需要)(?:不要)?我)(?:[ \t]+(?:also|then|now|auch|también|aussi)\b)?[ \t]*(?:帮您|帮你|为您|为你)?(.+)`,
  "iu",
);
/** In the first person: "¿La cierro?", "¿Cierro la WEB-9?", "Je l'éteins ?". "¿Correcto?" offers nothing. */
const inFirstPerson = [
  String.raw`^[¿\s]*((?:(?:l[aeo]s?|se|te)[ \t]+){1,2}\p{L}{2,20}oy?(?!\p{L}).*)`,
  String.raw`^[¿\s]*((?!(?:todo|esto|eso|algo|como|cómo|cu[aá]ndo|cu[aá]nto|s[oó]lo|otro|bueno|correcto|cierto|listo|seguro|claro|nuevo|tengo|creo|digo|veo|yo)(?!\p{L}))\p{L}{3,20}oy?[ \t]+\p{L}.*)`,
  String.raw`^(?:(?:alors|donc|et|est-ce que|(?:tu veux|veux-tu|vous voulez|voulez-vous|souhaitez-vous) que)[ \t,]+)?(?:j(?:e[ \t]+|['’])|faut-il[ \t]+)(.+)`,
  "^(?:那么?|那麼)?(?:要|需要)(?:不要)?(.+)[吗嗎]",
].map((source) => lazyRegExp(source, "iu"));
/** Japanese and Korean put the offer last. */
const ends = lazyRegExp("^(.+?)(?:ましょうか|ておきますか|할까요|드릴까요)", "u");
/** Quoted words, which the assistant repeats. */
const quoted = lazyRegExp(String.raw`"[^"]*"|“[^”]*”|„[^“]*“|«[^»]*»|「[^」]*」|\x60[^\x60]*\x60|^>.*$`, "gmu");
const negates = lazyRegExp(
  String.raw`n['’]t\b|\b(?:not|nicht|kein\p{L}*|no|pas|or|oder|ou|o)\b|不|别|还是|ない|말`,
  "iu",
);

/** UTF-16 units. The question of a longer message does not make sense alone. */
const LONGEST = 1_500;

/**
 * @returns the act, in the offer's words; undefined if the message asks anything else, offers a choice, or offers to leave something
 *   undone: then the meaning of a yes cannot be determined.
 */
export function offeredAct(assistant: string): string | undefined {
  if (assistant.length > LONGEST) return undefined;
  const sentences = assistant.replace(quoted(), " ").split(/(?<=[.!?。？！])\s*|\n+/);
  const questions = sentences.filter((sentence) => /[?？]/.test(sentence) || ends().test(sentence));
  const [question = "", ...others] = questions;
  if (others.length > 0 || negates().test(question)) return undefined;
  const patterns = [begins, ends, ...inFirstPerson];
  const act = patterns.flatMap((pattern) => pattern().exec(question)?.[1] ?? [])[0];
  return act?.replace(/(?:吗|呢)?[\s?？.。!！]*$/u, "").trim() || undefined;
}
