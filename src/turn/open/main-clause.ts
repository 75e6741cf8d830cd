/** The part of an offer that says what the assistant would do: "explain how to close WEB-9" offers to explain. Pure. */
import { verbLanguages } from "../../intent/wish/request-verbs.ts";
import { lazyRegExp } from "../../lib/once.ts";

/** What follows tells when, why or about what. */
const subordinate = [
  String.raw`\b(?:how|why|what|which|who|whose|whom|where|whether|if|unless|until|till|when|while|because|before|after|once)\b`,
  String.raw`\bthat (?=(?:i|you|he|she|it|we|they|the|there)\b)`,
  String.raw`\b(?:for|about|by|on|of|without) \p{L}+ing\b`,
  String.raw`,\s*(?:wie|was|wer|wen|wem|welche\p{L}*|ob|bis|bevor|damit|dass|wenn|warum|wieso|wo|um|nachdem|sobald|sodass|der|die|das)(?!\p{L})`,
  String.raw`(?<!\p{L})(?:que|qué|si|cómo|por qué|cuándo|cuando|quién|dónde|mientras|antes de|después de|hasta)(?!\p{L})`,
  String.raw`(?<!\p{L})(?:para|pour) (?:l[aeo]s? |l['’])?\p{L}+(?:[aei]r|re)(?:l[aeo]s?)?(?!\p{L})`,
  String.raw`(?<!\p{L})(?:comment|pourquoi|quand|jusqu|avant|après|afin|pendant|qui|où)(?!\p{L})`,
].map((source) => lazyRegExp(source, "iu"));
const infinitive = lazyRegExp(String.raw`\bto (\p{Ll}+)`, "gu");
/** Behind these "to" stands before the new value: "rename it to report 2024". */
const givesValue = lazyRegExp(String.raw`\b(?:rename|move|set|change)\b`, "iu");
/** These languages put no mark between the clauses: the first word tells in one, the last in the others. */
const onlyLooks = lazyRegExp(
  `^(?:先|再)?(?:给|給)?(?:您|你)?(?:解释|解釋|说明|說明|看|查|检查|檢查|确认|確認|告诉|告訴|等|起草|草拟|总结|總結|列出|显示|顯示|搜索|找)|(?:説明|確認|調べ|見|表示|教え|探し|検索|要約|待ち|待っ|설명|확인|알려|찾아|검색|보여|요약|기다려)[しせて해 ]{0,3}$`,
  "u",
);

/** @returns "" if it is to look at, explain or wait for something. */
export function mainClause(offer: string): string {
  if (onlyLooks().test(offer)) return "";
  const verb = [...offer.matchAll(infinitive())].find(
    ({ index, 1: word = "" }) => verbLanguages(word).includes("en") && !givesValue().test(offer.slice(0, index)),
  );
  const ends = [verb?.index, ...subordinate.map((pattern) => pattern().exec(offer)?.index)];
  return offer.slice(0, Math.min(...ends.map((end) => end ?? offer.length))).trim();
}
