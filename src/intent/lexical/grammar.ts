/**
 * The words of each language that detection knows, as they look in folded text: in lower case, without accents. Alternatives are parts of
 * regular expressions. All languages are read at once, because messages mix them. Pure.
 */
interface Grammar {
  /** Verbs that begin a request: behind "and" they begin another one, and behind "no" the no is an answer of its own. */
  readonly imperatives?: string;
  /** Words that begin a new clause, and those that do so behind "and" alone. */
  readonly contrasts?: string;
  readonly and?: string;
  readonly sequels?: string;
  /** Words that end a list: "quizzes or exams". */
  readonly or?: string;
  /** Words before a noun, "a practice exam", divided by whether another thing begins with them. */
  readonly indefinites?: string;
  readonly determiners?: string;
  readonly questions?: string;
  /** Prepositions of a topic that follows ("a quiz about cats"), and of one that begins the sentence ("for the class, …"). */
  readonly topics?: string;
  readonly preambles?: string;
  /** Words between a topic and the word behind it: 歴史のクイズ. */
  readonly topicParticles?: string;
  /** Endings that join clauses, in languages with the negation at the end. */
  readonly joins?: string;
  readonly negations: readonly Negation[];
}

/**
 * A word that negates the text behind it in its clause, or the text before it; `either`: the latter if no word follows; `within`: the cue
 * holds the negated text.
 */
export interface Negation {
  readonly cue: RegExp;
  readonly reach: "forward" | "back" | "either" | "within";
  /** If this comes before a cue, it does not reach back: 给我测验不用卡片. */
  readonly backUnless?: RegExp;
  /**
   * If one of these fits, the cue negates nothing: polite questions ("can't you make …", 作ってくれない?), "not only", "don't
   * forget", and statements about oneself ("I don't remember the meaning"). In doubt nothing is negated.
   */
  readonly unless?: readonly Exception[];
}

/** All that is given must fit: the clause before the cue, the clause behind it, and the cue. */
interface Exception {
  readonly before?: RegExp;
  readonly after?: RegExp;
  readonly cue?: RegExp;
}

const imperatives =
  "add|ask|begin|build|calculate|check|compare|create|delete|describe|do|draw|edit|explain|fetch|find|fix|generate|get|give|help|let|list|look|make|open|plan|play|practice|practise|put|quiz|read|recommend|remind|remove|rename|reply|review|run|save|schedule|search|send|set|show|start|suggest|summarise|summarize|talk|teach|tell|test|translate|update|use|view|write";

/** "don't forget", "not only", "no, I …": nothing that is wanted is negated. */
const harmless: Exception = {
  after:
    /^\s*(?:forget|hesitate|worry|be afraid|mind|miss|fail|stop|you(?! dare)|we|they|i|it|he|she|there|this|that|just|only|merely|simply|solely|even|yet|sure|olvid|solo|solamente|te olvid|se te olvid|oubli|seulement|nur|vergessen)/,
};
const subject = /\b(?:i|we|they|you|he|she|it|people|who|that|which)\s+(?:really |just |actually |still |also )?$/;
/** "I don't know …" is about oneself; "I don't want …" refuses. */
const notWanted =
  /^(?!\s*(?:really |even |actually )?(?:want|need|like|wish|care|ask|request|require|mean|have to|feel like|bother))/;
const why = /\bwhy\s+$/;

const english: Grammar = {
  imperatives,
  contrasts: "but|however|whereas",
  and: "and|or",
  sequels: "then|also|instead|please",
  or: "or|nor",
  indefinites: "an?|some|another",
  determiners: "the|my|your|our|his|her|their|this|that|new|next|last|\\d+",
  questions: "how|what|why|when|where|whether|which",
  topics:
    "about|on|of|for|regarding|concerning|covering|before|after|during|to(?=\\s+(?:the|an?|my|our|your|his|her|their)\\s)",
  preambles: "for|about|on|before|after|during|regarding|as for|in",
  negations: [
    {
      cue: /\b(?:do not|don't|dont|never)(?=\s)/g,
      reach: "forward",
      unless: [
        harmless,
        { before: why },
        { cue: /^do/, before: subject, after: notWanted },
        { cue: /^never/, before: subject },
        { cue: /^never/, before: /\b(?:have|has|had|ve)\s+$/ },
      ],
    },
    { cue: /\b(?:did|does|would)(?:n't| not)(?=\s)/g, reach: "forward", unless: [harmless, { after: notWanted }] },
    { cue: /\b(?:should|must|need)(?:n't| not)(?=\s)/g, reach: "forward", unless: [harmless, { before: why }] },
    {
      cue: /\bnot(?=\s)/g,
      reach: "forward",
      unless: [
        harmless,
        { after: /^\s*(?:bad|necessarily|really sure|certain|clear|able|always|too)/ },
        { before: /\b(?:why|do|does|did|can|could|will|would|should|must|need|has|have|had|if|or)\s+$/ },
        // "I'm not sure about …" is about oneself; "I'm not asking for …" refuses.
        {
          before: /\b(?:i'm|i am|we're|we are)\s+$/,
          after: /^(?!\s*(?:asking|looking|talking|after|interested|in the mood))/,
        },
      ],
    },
    // "Could you not make …" is the refusal that "couldn't you make …" is not.
    { cue: /\b(?:can|could|would) you (?:please )?not(?=\s)/g, reach: "forward", unless: [harmless] },
    {
      // English and Spanish.
      cue: /\bno(?=\s)/g,
      reach: "forward",
      unless: [
        harmless,
        { before: /\b(?:have|has|had|got|is|are|was|were|there's|por que)\s+$/ },
        {
          after: new RegExp(
            `^\\s*(?:problem|worries|worry|matter|doubt|idea|clue|rush|hurry|one|way|wonder|need|i|please|thanks|just|${imperatives})\\b`,
          ),
        },
        {
          after:
            /^\s*(?:me |lo |la |te )?(?:olvid|se |se$|entiend|comprend|recuerd|conozc|pued|podri|teng|hay |es |esta |sol[oa])/,
        },
      ],
    },
    {
      cue: /\b(?:without|instead of|rather than|other than|except(?: for)?|anything but|no more|neither|nor)(?=\s)/g,
      reach: "forward",
    },
    { cue: /\b(?:rather|prefer|sooner)\b[^.,;:!?\n]{0,80}?\bthan(?=\s)/g, reach: "forward" },
    {
      cue: /(?:^|[.,;:!?\n]\s*|\b(?:please|and|but|so|just|now|ok|okay|to|can you|could you|should)\s+)(?:stop|avoid|skip|quit|leave out|forget(?: about)?|never mind(?: about)?|enough(?: of| with)?)(?=\s+\p{L})/gu,
      reach: "forward",
      unless: [
        { before: /\b(?:not|n't|dont|never)\s+$/ },
        { cue: /forget/, after: /^\s*to\b/ },
        { cue: /\bto (?:stop|forget)/, after: /^\s*(?:at|by|in)\b/ },
      ],
    },
  ],
};

const spanish: Grammar = {
  contrasts: "pero|sino",
  and: "y",
  sequels: "luego|despues",
  or: "o|ni",
  indefinites: "una?",
  questions: "como|que es",
  topics: "sobre|para|acerca",
  preambles: "para|sobre",
  negations: [
    { cue: /\b(?:sin|en vez de|en lugar de|nunca|jamas|tampoco)(?=\s)/g, reach: "forward", unless: [harmless] },
  ],
};

const german: Grammar = {
  contrasts: "aber|sondern",
  and: "und",
  sequels: "dann",
  or: "oder|noch",
  indefinites: "eine?n?",
  questions: "wie|was|warum|wann",
  topics: "uber|zu|zum|zur|fur",
  preambles: "fur",
  negations: [
    {
      cue: /\bkein(?:e[nrms]?)?(?=\s)/g,
      reach: "forward",
      unless: [{ after: /^\s*(?:ahnung|sorge|frage|problem|zeit|angst)/ }, { before: /\bhabe?\b/ }],
    },
    { cue: /\b(?:ohne|statt|anstatt|anstelle(?: von)?|niemals|nie)(?=\s)/g, reach: "forward" },
    {
      cue: /\bnicht\b/g,
      reach: "either",
      unless: [
        harmless,
        { before: /\b(?:warum|wieso|vergiss|vergesst|vergessen sie|wei(?:ss|ß)|verstehe?|kenne?|erinnere?)\b/ },
        {
          before:
            /(?:^|,|\s)\s*(?:kannst|konntest|konnen|konnten|willst|wollen|wurdest|wurden|magst|mochtest) (?:du|ihr|sie|wir)\b/,
        },
      ],
    },
  ],
};

const french: Grammar = {
  contrasts: "mais",
  and: "et",
  sequels: "puis|ensuite",
  or: "ou",
  indefinites: "une?",
  questions: "comment|pourquoi",
  topics: "sur|de|du|des|pour",
  preambles: "pour",
  negations: [
    { cue: /\b(?:sans|au lieu (?:de|d')|plutot que|jamais)(?=[\s'\p{L}])/gu, reach: "forward" },
    {
      cue: /\b(?:(?:ne |n')\p{L}+(?:[- ]\p{L}+)? )?pas(?=\s|$)/gu,
      reach: "either",
      unless: [
        harmless,
        { before: /\bpourquoi (?:ne )?$/ },
        { before: /\best-ce que\b/ },
        { cue: /(?:oubli|peux|peut|pouv|pourr|comprend|sai[st]|connai|souvien)/ },
        { before: /\bpourquoi\b.*\b(?:ne|n')\s*$/s },
      ],
    },
  ],
};

const chinese: Grammar = {
  contrasts: "而是|而且|然后|然後|但是|不过",
  topicParticles: "的",
  negations: [
    {
      cue: /(?:不要|不用|不需要|不想要?|不是|无需|無需|勿|停止|而不是|不再)/g,
      reach: "forward",
      unless: [
        { before: /[要是用需想]$/ },
        { after: /^(?:忘|只|仅|僅|光|但|客气|谢|吗|嗎)/ },
        { after: /(?:吗|嗎)[?？]?$/ },
      ],
    },
    {
      // In 特别, 区别, 级别 it is half of another word.
      cue: /(?<=^|[请請你您也就先都千万再,，。、!?？;；:\s])(?:别再|別再|别|別)/g,
      reach: "forward",
      unless: [{ after: /^(?:忘|的|人|处|處|墅|客气|名|说|担心|急)/ }],
    },
  ],
};

const japanese: Grammar = {
  topicParticles: "の|について(?:の)?|に関する|に関しての?",
  joins: "[^じ]ゃ?して|教えて",
  negations: [
    {
      cue: /(?:ないで|なくても?いい|なくて(?:結構|大丈夫)|じゃなく|ではなく|でなく|いらない|要らない|いりません|要りません|不要|やめて|止めて|抜きで|なしで|以外|必要[はが]?(?:ない|ありません)|禁止|[うくすつぬむるぐぶ]な(?=よ?(?:[。！!\s]|$)))/g,
      reach: "back",
      unless: [{ before: /(?:忘れ|わすれ|心配し|気にし|遠慮し)$/ }],
    },
  ],
};

const korean: Grammar = {
  contrasts: "그리고 |하지만 ",
  topicParticles: "에 ?대한 ?|에 ?관한 ?|의 ?",
  joins: "하고|해 ?주고|해서",
  negations: [
    {
      cue: /(?:말고|말아|마세요|지 ?마라?(?![가-힣])|지 ?말|필요 ?없|필요하지 ?않|아니라|아니고|없이|대신에?|빼고|제외|원하지 ?않)/g,
      reach: "back",
      unless: [{ before: /(?:잊지|잊어버리지|걱정하지|걱정|주저하지|망설이지) ?$/ }, { before: /잊$/ }],
    },
  ],
};

const spaced = [english, spanish, german, french];
const unspaced = [chinese, japanese, korean];

/** The alternatives of all languages with spaces between words, or of those without, as part of a regular expression. */
export function alternatives(
  part: Exclude<keyof Grammar, "negations">,
  languages: "spaced" | "unspaced" = "spaced",
): string {
  const grammars = languages === "spaced" ? spaced : unspaced;
  return grammars.flatMap((grammar) => grammar[part] ?? []).join("|");
}

export const negations: readonly Negation[] = [...spaced, ...unspaced].flatMap((grammar) => grammar.negations);
