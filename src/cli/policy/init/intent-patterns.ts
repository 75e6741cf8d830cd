/** The patterns of a drafted intent: a verb and, within a few words, what it is done to. Pure. */
import { patternSize } from "../../../policy/arguments/linear-pattern.ts";
import { type IntentKind, isThing } from "./intent-kinds.ts";

interface PatternWords {
  readonly kind: IntentKind;
  /** The likeliest first: the last ones are left out if the patterns of a policy would cost too much. */
  readonly verbs: readonly string[];
  readonly nouns: readonly string[];
  /** Verbs that no other intent has: they need no noun. */
  readonly alone: readonly string[];
  /** The same for words that are also nouns: they need no noun if a request begins with them. */
  readonly opening: readonly string[];
  /** Verbs that several intents may have: "book it" asks for what the user has named before. */
  readonly referring: readonly string[];
  /** Those of a few intents: "book the Ritz" asks for each of these. */
  readonly shared: readonly string[];
  /** The things that its tools make, if their nouns are verbs too: "invoice Anna for May". */
  readonly made: readonly string[];
  /** Its tools bring words to people. `people`: another intent writes to addresses of mail. */
  readonly speaks: false | "people" | "all";
}

/** All patterns of a policy together: the check of a document and each message pay for them. */
const TOTAL_SIZE = 12_000;
const MOST_WORDS = 24;
const LEAST_WORDS = 4;

/** @returns the patterns of each intent, in their order: with as many words as all of them together can pay for. */
export function intentPatterns(intents: readonly PatternWords[]): readonly (readonly string[])[] {
  // If there are many intents, each has only the first of its patterns: a verb and its noun.
  for (const each of [Number.POSITIVE_INFINITY, 2])
    for (let most = MOST_WORDS; most >= LEAST_WORDS; most -= 1) {
      const patterns = intents.map((words) => written(words, most).slice(0, each));
      if (patterns.flat().reduce((sum, pattern) => sum + patternSize(pattern), 0) <= TOTAL_SIZE) return patterns;
    }
  return intents.map(() => []);
}

/** Few words are between "find" and its object. A wider gap would take the next request for a part of this one. */
const SMALL_WORDS = "the|my|all|any|an?|this|that|me|of|last|latest|recent|unread|new";
const FILE_NAME = "['\"]?\\S+\\.(?:docx?|xlsx?|pdf|txt|csv|md)";

/** A word of the same sentence. */
const WORD = "\\S*[^\\s.?!]";
/** Any word but "of": "post the summary of the page" does not publish the page. */
const NOT_OF = "(?:[^o\\s.?!]|o[^f\\s.?!]|of[^\\s.?!])[^\\s.?!]*";
/** Between the verb and its noun. */
const GAP = `(?:\\s+${WORD}){0,12}?`;
const GAPS: Readonly<Partial<Record<IntentKind, string>>> = {
  find: `(?:\\s+(?:${SMALL_WORDS}))*`,
  publish: `(?:(?:\\s+${NOT_OF}){0,4}?|${GAP}\\s+(?:to|on|onto|in|into|at|as)(?:\\s+${NOT_OF}){0,3}?)`,
};
/** A pronoun for something that the user has named before: "find a flight and book it". */
const PRONOUN = "(?:it|them|one|that|this|those|these|both)";

/** "For order 12, return the lamp" asks to return; "the return of the lamp" does not. */
const REQUEST_BEGINS = "(?:^|[.,;:!?]\\s+|\\b(?:please|and|then|to|you|also|just|now|should|must|let['’]?s)\\s+)";

/** Any word but "me" and "us": a user who asks to be told something wants nothing sent. */
const OTHERS = "(?:[^mu\\s]\\S*|m(?:[^e\\s]\\S*)?|me\\S+|u(?:[^s\\s]\\S*)?|us\\S+)\\b";
/**
 * The rest of the request, up to an "and" that may begin the next one: the noun of another intent in it does not make this one a part
 * of that.
 */
const REST = "(?:[ \\t]+(?:(?:[^a\\s.?!]|a[^n\\s.?!]|an[^d\\s.?!]|and[^\\s.?!])[^\\s.?!]*|an?\\b))*";
const REPLIES = `\\b(?:reply|respond|write\\s+back)(?:\\s+(?:there|here|back))?\\s+(?:that|saying)\\b${REST}`;
/** The same without an address of mail, to the end of the request. */
const NO_ADDRESS = "(?:[^mu\\s@][^\\s@]*|m(?:[^e\\s@][^\\s@]*)?|me[^\\s@]+|u(?:[^s\\s@][^\\s@]*)?|us[^\\s@]+)";
const REST_NO_ADDRESS =
  "(?:[ \\t]+(?:(?:[^a\\s.?!@]|a[^n\\s.?!@]|an[^d\\s.?!@]|and[^\\s.?!@])[^\\s.?!@]*|an?\\b))*(?:\\s*[.?!\\n]|\\s+and\\b|\\s*$)";
const speaksTo = (whom: "people" | "all") => [
  `\\b(?:tell|ask|inform|notify|greet|remind)\\s+${OTHERS}${REST}`,
  // Not "thank you".
  `\\bthank\\s+(?:[^y\\s]\\S*|y[^o\\s]\\S*)\\b${REST}`,
  // "The direct message from Tom" asks for nothing.
  `${REQUEST_BEGINS}(?:message|text|dm|ping)\\s+${OTHERS}${REST}`,
  ...(whom === "all"
    ? [`\\b(?:send|(?:write|reply|respond|answer)\\s+(?:back\\s+)?to)\\s+${OTHERS}${REST}`]
    : // "Reply to the mail" asks for a mail.
      [
        `\\b(?:send|write\\s+to)\\s+${NO_ADDRESS}${REST_NO_ADDRESS}`,
        `\\b(?:write\\s+back|reply|respond)\\s+to\\s+(?:him|her|them)\\b${REST}`,
      ]),
  REPLIES,
  `\\banswer\\s+(?:him|her|them|\\S+['’]s)\\b${REST}`,
  `\\blet\\s+${OTHERS}\\s(?:[^.?!\\n]*\\s)?know\\b`,
];
const TO_ALL = `\\b(?:send|write|share)(?:\\s+${WORD}){0,12}?\\s+(?:channel|group|team|every(?:one|body)|all)\\b`;
const MAILS = `${REQUEST_BEGINS}e?-?mail\\s+(?:\\S+@\\S+|(?:the|an?|this|it|him|her|them|every\\S+|all)\\b)${REST}`;
const ADDRESS = "\\b(?:https?://|www\\.)\\S+";
/** Requests without the noun. */
const IDIOMS: readonly (readonly [noun: string, pattern: string])[] = [
  ["alarm", "\\bwake\\s+(?:me|us)\\b"],
  ["reminder", "\\bremind\\s+(?:me|us)\\b"],
  ["note", "\\b(?:write|note|jot)\\s+(?:\\S+\\s+){0,3}down\\b"],
];
const BOOKS = [
  "\\b(?:make|get|place|need)\\s+(?:\\S+\\s+){0,2}?(?:reservation|booking|appointment)s?\\b",
  `${REQUEST_BEGINS}take\\s+(?:it|that|the\\s+(?:one|first|second|last|\\S+est))\\b`,
];
const TAKES_OUT = `\\btake(?:\\s+${WORD}){1,6}?\\s+(?:out\\s+of|off|away\\s+from)(?:\\s+${WORD}){0,2}?\\s+`;
const LETS = `\\blet\\s+${OTHERS}(?:\\s+${WORD}){0,3}?\\s+(?:see|use|read|view|edit|have|access)\\b`;

/** "Give him his money back", "pay Anna the 20 euros back". */
const GIVES_BACK = [
  `\\b(?:give|send|pay|hand|transfer|return)(?:\\s+${WORD}){1,5}?\\s+(?:money|cash|payment|deposit|euros?|dollars?|pounds?|[$€£]?\\d[\\d.,]*[$€£]?)\\s+back\\b`,
  "\\b(?:want|need|gets?)\\s+(?:my|his|her|their|the)\\s+(?:money|deposit)\\s+back\\b",
];
/** The code of a thing in an inventory, and its new number: "set A-12 to 19", "A-12 auf null". */
const CODE = "[\\p{L}\\d]+(?:[-_][\\p{L}\\d]+)+";
const SETS_COUNT = [
  `\\b(?:set|put|bring|adjust|change|correct)\\s+(?:the\\s+)?${CODE}\\s+(?:back\\s+)?to\\s+(?:\\d+|zero|one|two|three|ten|twelve)\\b`,
  `(?:^|\\s)${CODE}\\s+(?:auf|to|a)\\s+(?:\\d+|null|zero|cero)(?:\\s+(?:setzen|stellen|ändern|korrigieren|stück|pieces|units)|\\s*[.!?]?\\s*$)`,
];

/** Acts that are made or placed: "make a transfer", "place an order". */
const MAKES: ReadonlySet<IntentKind> = new Set(["pay", "buy", "book", "refund"]);

/** "Roll payments back", for a tool that is called `rollback`. */
function partedVerbs(verbs: readonly string[]): readonly string[] {
  return verbs.flatMap((verb) => {
    const [, stem, particle] = /^([a-z]{2,})\s?(back|out|up|down|off|on)$/.exec(verb) ?? [];
    return stem && particle ? [`\\b${stem}(?:\\s+${WORD}){0,4}?\\s+${particle}\\b`] : [];
  });
}

function written(words: PatternWords, most: number): readonly string[] {
  const { kind, verbs, nouns, alone, opening, referring, shared, made, speaks } = words;
  const either = (words: readonly string[]) => `(?:${words.slice(0, most).map(wordPattern).filter(Boolean).join("|")})`;
  const gap = GAPS[kind] ?? GAP;
  const object = nouns.includes("file") && most > 6 ? `(?:${either(nouns)}s?|${FILE_NAME})` : `${either(nouns)}s?`;
  const acts = kind !== "find" && kind !== "open";
  const { plain = [], things = [] } = Object.groupBy(verbs.slice(0, most), (verb) =>
    acts && isThing(verb) ? "things" : "plain",
  );
  return [
    ...(plain.length > 0 ? [`\\b${either(plain)}${gap}\\s+${object}\\b`] : []),
    // "Show me the refund of order 12" asks for no refund.
    ...(things.length > 0 ? [`${REQUEST_BEGINS}${either(things)}${gap}\\s+${object}\\b`] : []),
    ...(kind === "send" && most > 6 ? [`\\b(?:send|share)\\b[^.?!\\n]*\\b(?:by|via)\\s+${either(nouns)}\\b`] : []),
    ...(kind === "send" && nouns.includes("email")
      ? ["\\b(?:send|forward|write|reply)\\b[^.?!\\n]{0,80}?\\s\\S+@\\S+"]
      : []),
    ...(kind === "send" && nouns.includes("email") ? [MAILS] : []),
    ...(speaks ? speaksTo(speaks) : []),
    ...(kind === "publish" && verbs[0] === "comment" ? [REPLIES] : []),
    ...(kind === "publish" && speaks ? [TO_ALL] : []),
    ...(kind === "create" ? IDIOMS.flatMap(([noun, pattern]) => (nouns.includes(noun) ? [pattern] : [])) : []),
    ...(kind === "open" ? [ADDRESS] : []),
    ...(kind === "book" ? BOOKS : []),
    ...(kind === "refund" ? GIVES_BACK : []),
    ...(kind === "change" && nouns.includes("stock") ? SETS_COUNT : []),
    ...(kind === "remove" ? [`${TAKES_OUT}${object}\\b`] : []),
    ...(kind === "access" && verbs.includes("share") ? [LETS] : []),
    ...(alone.length > 0 ? [`\\b${either(alone)}\\s+${WORD}${REST}`] : []),
    ...(opening.length > 0 ? [`${REQUEST_BEGINS}${either(opening)}(?:\\s+${WORD}${REST}|\\s*[.!?]|\\s*$)`] : []),
    // "Make a transfer", "give Anna a refund".
    ...(MAKES.has(kind) && opening.length > 0
      ? [`\\b(?:make|place|issue|arrange|need|want|give\\s+\\S+)\\s+(?:an?|the|another)\\s+${either(opening)}\\b`]
      : []),
    ...(made.length > 0 ? [`${REQUEST_BEGINS}${either(made)}\\s+\\S+\\s+(?:for|over|about)\\b`] : []),
    ...(referring.length > 0 ? [`\\b${object}\\b[^\\n]*\\b${either(referring)}\\s+${PRONOUN}\\b`] : []),
    ...(shared.length > 0 ? [`\\b${either(shared)}\\s+the\\s+\\S+`] : []),
    ...partedVerbs([...alone, ...opening, ...shared]),
  ];
}

const wordPattern = (word: string): string => word.replace(/[^\p{L}\p{N}\s-]/gu, "").replace(/\s+/g, "\\s+");
