/** The patterns of a drafted intent: a verb and, within a few words, what it is done to. Pure. */
import { patternSize } from "../../../policy/arguments/linear-pattern.ts";
import type { IntentKind } from "./intent-kinds.ts";

interface PatternWords {
  readonly kind: IntentKind;
  /** The likeliest first: the last ones are left out where the patterns of a policy would cost too much. */
  readonly verbs: readonly string[];
  readonly nouns: readonly string[];
  /** Verbs that no other intent has: they need no noun. */
  readonly alone: readonly string[];
  /** The same, of words that are also nouns: they need no noun where a request begins with them. */
  readonly opening: readonly string[];
  /** Its tools bring words to people. */
  readonly speaks: boolean;
}

/** All patterns of a policy together: the check of a document and each message pay for them. */
const TOTAL_SIZE = 6_500;
const MOST_WORDS = 16;

/** @param intents how many intents the policy has. */
export function intentPatterns(words: PatternWords, intents: number): readonly string[] {
  const allowance = TOTAL_SIZE / intents;
  for (let most = MOST_WORDS; most > 1; most -= 1) {
    const patterns = written(words, most);
    if (patterns.reduce((sum, pattern) => sum + patternSize(pattern), 0) <= allowance) return patterns;
  }
  return [];
}

/** Between "find" and what is to be found stand few words. A wider gap would take the next request for a part of this one. */
const SMALL_WORDS = "the|my|all|any|an?|this|that|me|of|last|latest|recent|unread|new";
const FILE_NAME = "['\"]?\\S+\\.(?:docx?|xlsx?|pdf|txt|csv|md)";

/** "For order 12, return the lamp" asks to return; "the return of the lamp" does not. */
const REQUEST_BEGINS = "(?:^|[.,;:!?]\\s+|\\b(?:please|and|then|to|you|also|just)\\s+)";

/** Any word but "me" and "us": who asks to be told something wants nothing sent. */
const OTHERS = "(?:[^mu\\s]\\S*|m(?:[^e\\s]\\S*)?|me\\S+|u(?:[^s\\s]\\S*)?|us\\S+)\\b";
/** As long as the rest of the request may be, so that the noun of another intent in it does not make this one a part of that. */
const REST = "(?:\\s[^.?!\\n]*)?";
const SPEAKS = [
  `\\b(?:tell|ask|inform|message|text|dm|ping|notify|greet|thank|remind)\\s+${OTHERS}${REST}`,
  `\\b(?:send|(?:write|reply|respond|answer)\\s+to)\\s+${OTHERS}${REST}`,
  `\\blet\\s+${OTHERS}\\s(?:[^.?!\\n]*\\s)?know\\b`,
];
const ADDRESS = "\\b(?:https?://|www\\.)\\S+";
const BOOKS = "\\b(?:make|get|place|need)\\s+(?:\\S+\\s+){0,2}?(?:reservation|booking)s?\\b";

function written({ kind, verbs, nouns, alone, opening, speaks }: PatternWords, most: number): readonly string[] {
  const either = (words: readonly string[]) => `(?:${words.slice(0, most).map(wordPattern).filter(Boolean).join("|")})`;
  const gap = kind === "find" ? `(?:\\s+(?:${SMALL_WORDS}))*` : "(?:\\s+\\S+){0,12}?";
  const object = nouns.includes("file") && most > 6 ? `(?:${either(nouns)}s?|${FILE_NAME})` : `${either(nouns)}s?`;
  return [
    `\\b${either(verbs)}${gap}\\s+${object}\\b`,
    ...(kind === "send" && most > 6 ? [`\\b(?:send|share)\\b[^.?!\\n]*\\b(?:by|via)\\s+${either(nouns)}\\b`] : []),
    ...(kind === "send" && nouns.includes("email")
      ? ["\\b(?:send|forward|write|reply)\\b[^.?!\\n]{0,80}?\\s\\S+@\\S+"]
      : []),
    ...(speaks && most > 6 ? SPEAKS : []),
    ...(kind === "open" ? [ADDRESS] : []),
    ...(kind === "pay" && verbs[0] !== undefined && ["book", "reserve", "rent"].includes(verbs[0]) ? [BOOKS] : []),
    ...(alone.length > 0 ? [`\\b${either(alone)}\\s+\\S+${REST}`] : []),
    ...(opening.length > 0 ? [`${REQUEST_BEGINS}${either(opening)}\\s+\\S+`] : []),
  ];
}

const wordPattern = (word: string): string => word.replace(/[^\p{L}\p{N}\s-]/gu, "").replace(/\s+/g, "\\s+");
