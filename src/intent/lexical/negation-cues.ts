/**
 * Words of negation in the languages that detection reads best, as they look in folded bare text. Polite questions ("can't
 * you make …", 作ってくれない?), "not only", "don't forget" and what people say of themselves ("I don't remember the meaning")
 * are not negations of a request. Where it is in doubt nothing is negated. Pure.
 */
import { imperatives } from "./imperatives.ts";

export interface Cue {
  readonly pattern: RegExp;
  /** `either`: forwards, and backwards too where no word follows in the clause. */
  readonly reach: "forward" | "back" | "either";
  /** Told the clause before and behind the cue. */
  readonly unless?: (before: string, after: string, cue: string) => boolean;
}

const verbs = imperatives.join("|");
const harmless =
  /^\s*(?:forget|hesitate|worry|be afraid|mind|miss|fail|stop|you(?! dare)|we|they|i|it|he|she|there|this|that|just|only|merely|simply|solely|even|yet|sure|olvid|solo|solamente|te olvid|se te olvid|oubli|seulement|nur|vergessen)/;
const subject = /\b(?:i|we|they|you|he|she|it|people|who|that|which)\s+(?:really |just |actually |still |also )?$/;
const wanted =
  /^\s*(?:really |even |actually )?(?:want|need|like|wish|care|ask|request|require|mean|have to|feel like|bother)/;

const english: readonly Cue[] = [
  {
    pattern: /\b(?:do not|don't|dont|never)(?=\s)/g,
    reach: "forward",
    unless: (before, after, cue) =>
      harmless.test(after) ||
      /\bwhy\s+$/.test(before) ||
      (cue !== "never" && subject.test(before) && !wanted.test(after)) ||
      (cue === "never" && (subject.test(before) || /\b(?:have|has|had|ve)\s+$/.test(before))),
  },
  {
    pattern: /\b(?:did|does|would)(?:n't| not)(?=\s)/g,
    reach: "forward",
    unless: (_before, after) => harmless.test(after) || !wanted.test(after),
  },
  {
    pattern: /\b(?:should|must|need)(?:n't| not)(?=\s)/g,
    reach: "forward",
    unless: (before, after) => harmless.test(after) || /\bwhy\s+$/.test(before),
  },
  {
    pattern: /\bnot(?=\s)/g,
    reach: "forward",
    unless: (before, after) =>
      harmless.test(after) ||
      /^\s*(?:bad|necessarily|really sure|certain|clear|able|always|too)/.test(after) ||
      /\b(?:why|do|does|did|can|could|will|would|should|must|need|has|have|had|if|or)\s+$/.test(before) ||
      // "I'm not sure about …" tells of oneself; "I'm not asking for …" refuses.
      (/\b(?:i'm|i am|we're|we are)\s+$/.test(before) &&
        !/^\s*(?:asking|looking|talking|after|interested|in the mood)/.test(after)),
  },
  // "Could you not make …" is the refusal that "couldn't you make …" is not.
  {
    pattern: /\b(?:can|could|would) you (?:please )?not(?=\s)/g,
    reach: "forward",
    unless: (_, after) => harmless.test(after),
  },
  {
    pattern: /\bno(?=\s)/g,
    reach: "forward",
    unless: (before, after) =>
      /\b(?:have|has|had|got|is|are|was|were|there's|por que)\s+$/.test(before) ||
      new RegExp(
        `^\\s*(?:problem|worries|worry|matter|doubt|idea|clue|rush|hurry|one|way|wonder|need|i|please|thanks|just|${verbs})\\b`,
      ).test(after) ||
      spanishOfOneself.test(after) ||
      harmless.test(after) ||
      /\bpor que\s+$/.test(before),
  },
  {
    pattern: /\b(?:without|instead of|rather than|other than|except(?: for)?|anything but|no more|neither|nor)(?=\s)/g,
    reach: "forward",
  },
  { pattern: /\b(?:rather|prefer|sooner)\b[^.,;:!?\n]{0,80}?\bthan(?=\s)/g, reach: "forward" },
  {
    pattern:
      /(?:^|[.,;:!?\n]\s*|\b(?:please|and|but|so|just|now|ok|okay|to|can you|could you|should)\s+)(?:stop|avoid|skip|quit|leave out|forget(?: about)?|never mind(?: about)?|enough(?: of| with)?)(?=\s+\p{L})/gu,
    reach: "forward",
    unless: (before, after, cue) =>
      /\b(?:not|n't|dont|never)\s+$/.test(before) ||
      (/forget/.test(cue) && /^\s*to\b/.test(after)) ||
      (/\bto (?:stop|forget)/.test(cue) && /^\s*(?:at|by|in)\b/.test(after)),
  },
];

const spanishOfOneself =
  /^\s*(?:me |lo |la |te )?(?:olvid|se |se$|entiend|comprend|recuerd|conozc|pued|podri|teng|hay |es |esta |sol[oa])/;

const european: readonly Cue[] = [
  {
    pattern: /\b(?:sin|en vez de|en lugar de|nunca|jamas|tampoco)(?=\s)/g,
    reach: "forward",
    unless: (_, after) => harmless.test(after),
  },
  {
    pattern: /\bkein(?:e[nrms]?)?(?=\s)/g,
    reach: "forward",
    unless: (before, after) => /^\s*(?:ahnung|sorge|frage|problem|zeit|angst)/.test(after) || /\bhabe?\b/.test(before),
  },
  { pattern: /\b(?:ohne|statt|anstatt|anstelle(?: von)?|niemals|nie)(?=\s)/g, reach: "forward" },
  {
    pattern: /\bnicht\b/g,
    reach: "either",
    unless: (before, after) =>
      harmless.test(after) ||
      /\b(?:warum|wieso|vergiss|vergesst|vergessen sie|weiss|verstehe?|kenne?|erinnere?)\b/.test(before) ||
      /(?:^|,|\s)\s*(?:kannst|konntest|konnen|konnten|willst|wollen|wurdest|wurden|magst|mochtest) (?:du|ihr|sie|wir)\b/.test(
        before,
      ),
  },
  { pattern: /\b(?:sans|au lieu (?:de|d')|plutot que|jamais)(?=[\s'\p{L}])/gu, reach: "forward" },
  {
    pattern: /\b(?:(?:ne |n')\p{L}+(?:[- ]\p{L}+)? )?pas(?=\s|$)/gu,
    reach: "either",
    unless: (before, after, cue) =>
      harmless.test(after) ||
      /\bpourquoi (?:ne )?$/.test(before) ||
      /\best-ce que\b/.test(before) ||
      /(?:oubli|peux|peut|pouv|pourr|comprend|sai[st]|connai|souvien)/.test(cue) ||
      (/\b(?:ne|n')$/.test(before.trim()) && /\bpourquoi\b/.test(before)),
  },
];

const asian: readonly Cue[] = [
  {
    pattern: /(?:不要|不用|不需要|不想要?|不是|无需|無需|勿|停止|而不是|不再)/g,
    reach: "forward",
    unless: (before, after) =>
      /[要是用需想]$/.test(before) ||
      /^(?:忘|只|仅|僅|光|但|客气|谢|吗|嗎)/.test(after) ||
      /(?:吗|嗎)[?？]?$/.test(after),
  },
  {
    // In 特别, 区别, 级别 it is half of another word.
    pattern: /(?<=^|[请請你您也就先都千万再,，。、!?？;；:\s])(?:别再|別再|别|別)/g,
    reach: "forward",
    unless: (_, after) => /^(?:忘|的|人|处|處|墅|客气|名|说|担心|急)/.test(after),
  },
  {
    pattern:
      /(?:ないで|なくても?いい|なくて(?:結構|大丈夫)|じゃなく|ではなく|でなく|いらない|要らない|いりません|要りません|不要|やめて|止めて|抜きで|なしで|以外|必要[はが]?(?:ない|ありません)|禁止|[うくすつぬむるぐぶ]な(?=よ?(?:[。！!\s]|$)))/g,
    reach: "back",
    unless: (before) => /(?:忘れ|わすれ|心配し|気にし|遠慮し)$/.test(before),
  },
  {
    pattern:
      /(?:말고|말아|마세요|지 ?마라?(?![가-힣])|지 ?말|필요 ?없|필요하지 ?않|아니라|아니고|없이|대신에?|빼고|제외|원하지 ?않)/g,
    reach: "back",
    unless: (before) => /(?:잊지|잊어버리지|걱정하지|걱정|주저하지|망설이지) ?$/.test(before) || /잊$/.test(before),
  },
];

export const cues: readonly Cue[] = [...english, ...european, ...asian];
