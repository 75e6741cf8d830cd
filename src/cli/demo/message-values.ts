/** Splits a message by its form: into values for a tool's arguments, and the other words. Pure. */

export type MessageValues = ReturnType<typeof findValues>;

/** Characters of a message that are read. */
const READ = 4000;

const QUOTED = /"([^"\n]*)"|“([^”\n]*)”|(?<!\w)'([^'\n]+)'(?!\w)/g;
const CODE = /`([^`\n]+)`/g;
const URLS = /https?:\/\/[^\s"'`<>)\]]*[^\s"'`<>)\].,;:!?]/g;
const EMAILS = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
/** A name with slashes, or with an ending. */
const PATHS = /(?<![\w./-])(?:[\w.~@*-]*\/[\w.@*/-]+|[\w*-]+(?:\.[\w*-]+)*\.[a-z]\w{0,4})(?![\w/-])/g;
const NUMBERS = /(?<![\w.])-?\d+(?:\.\d+)?(?![\w]|\.\d)/g;
/** `saying X`, `with the text X`, `: X` */
const CONTENT = /\b(?:that says|saying|containing|with the (?:text|content))\s+(\S.*)$|:\s+(\S.*)$/s;
const TITLE = /\b(?:called|named|titled|about)\s+(\S.*?)(?=\s+(?:and|with|in|saying|that)\s|[,;:.!?](?:\s|$)|$)/;
const TOPIC = /\bfor\s+(\S.*?)(?=\s+in\s|[,;.!?](?:\s|$)|$)/;
const PLACE = /\b(?:in|for|at)\s+(\p{Lu}[\p{L}-]+)/u;
/** `change OLD to NEW`: both or none. */
const REPLACEMENT =
  /\b(?:replace|change|rename|move)\s+(\S.*?)\s+(?:by|with|to|into)\s+(\S.*?)(?=\s+in\s|[.!?](?:\s|$)|$)/i;

export function findValues(message: string) {
  const text = message.slice(0, READ).trim();
  const content = CONTENT.exec(text);
  const request = content ? text.slice(0, content.index) : text;
  let rest = request;
  const take = (pattern: RegExp): string[] => {
    const found = [...rest.matchAll(pattern)].map(([whole, ...groups]) => groups.find((group) => group) ?? whole);
    rest = rest.replace(pattern, " ");
    return found;
  };
  const [code, quoted, urls, emails, paths] = [take(CODE), take(QUOTED), take(URLS), take(EMAILS), take(PATHS)];
  const namedPaths = [...code, ...quoted].filter((value) => value.replace(PATHS, "") === "");
  const phrase = (pattern: RegExp, from = request) =>
    (pattern.exec(from) ?? []).slice(1).flatMap((x) => unquoted(x) || []);
  return {
    text,
    code,
    quoted,
    urls,
    emails,
    paths: [...paths, ...namedPaths],
    numbers: (rest.match(NUMBERS) ?? []).map(Number),
    titles: phrase(TITLE),
    contents: phrase(CONTENT, text),
    topics: phrase(TOPIC),
    places: phrase(PLACE),
    replacement: phrase(REPLACEMENT),
    /** The words that are not part of a value. */
    words: stems(`${rest} ${code.join(" ")}`),
  };
}

const unquoted = (text = ""): string => text.trim().replace(/^(["'`“])(.*)["'`”]$/s, "$2");

const STOP = new Set(
  `a an the this that these it its is are was be do does did to of in on at by for from with without and or not no as
  into me my i you your we our us please can could would should will what which who how why when where use call tool then
  first if some any all`.split(/\s+/),
);

/** The stems of a text's words, so that `notes` and `note`, `replace` and `replacing` meet. `read_file` is two words. */
export function stems(text: string): ReadonlySet<string> {
  const separated = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  const words = separated.match(/\p{L}{2,}/gu) ?? [];
  return new Set(words.filter((word) => !STOP.has(word)).map(stem));
}

const stem = (word: string): string => word.replace(/(?<=\w{3})s$/, "").replace(/(?<=\w{3})(ing|ed|e)$/, "");
