/** The key phrases of a built-in intent: data, in English, Chinese (both scripts) and Japanese. */
export interface Phrases {
  /** Words that mean this intent wherever they occur. */
  readonly keywords: readonly string[];
  /** RE2, upper and lower case alike. */
  readonly patterns: readonly string[];
  readonly examples: readonly string[];
}

/**
 * The beginning of a request, not of a report: "open the page" is a request, "it crashes when I open the page" is not. Otherwise words about a
 * browser would select `browser_access`, and block all other tools.
 */
export const requestStart = String.raw`(?:^|[.!?;:,\n…]\s*|\d[.)]\s+|\b(?:please|pls|kindly|can you|could you|would you|will you|can we|why don't you|why don’t you|you to|then|just|help me|help me to|let's|let us|want to|need to|have to|like to|try to|go ahead and)\s+)`;

/** A request, or one more after another: "read it and open the site". */
export const requestOrNext = String.raw`(?:${requestStart}|\band\s+(?:then\s+)?)`;

/** After a noun that is the whole object: "start the browser", "start the browser and …", not "start the browser tests". */
export const ends = String.raw`(?:\s*(?:$|[.!?;:,\n…)])|\s+(?:and|then|so|please|now|again|to|for|at|in|on|of|with|from|today|tonight|tomorrow)\b)`;
