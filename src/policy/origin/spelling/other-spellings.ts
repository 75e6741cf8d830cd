/** Finds other spellings of whole values: an address that is spelled out, a repository by its page, a path with other slashes. Pure. */
import { namesLike } from "./person-names.ts";

/** Longer values have one spelling. */
const MAX_VALUE = 300;

/** Other spellings of a whole value. @param value folded, of one line. */
export function otherSpellings(value: string): readonly string[] {
  if (value.length > MAX_VALUE) return [];
  const others = [...slashes(value), ...percentEncoded(value), ...repositoryPages(value), ...written(value)];
  if (!/[@/\\:]/.test(value)) others.push(...dashes(value), ...groupedCode(value), ...namesLike(value));
  return others.filter((other) => other !== value);
}

/** The port of a scheme, a blank in a URL or after a backslash, the scheme of a path, `@` before a handle. */
function written(value: string): readonly string[] {
  const [, scheme = "", host = "", port, rest = ""] = /^(https?):\/\/([^/?#:@\s]+)(:\d+)?([/?#].*)?$/.exec(value) ?? [];
  const own = scheme === "https" ? ":443" : ":80";
  const others: string[] = [];
  if (host !== "" && port === undefined) others.push(`${scheme}://${host}${own}${rest}`);
  if (host !== "" && port === own) others.push(`${scheme}://${host}${rest}`);
  if (value.includes(" ")) {
    if (host !== "") others.push(value.replaceAll(" ", "%20"));
    else if (/[/.]/.test(value)) others.push(value.replaceAll(" ", "\\ "));
  }
  if (/^\/[^/]/.test(value)) others.push(`file://${value}`);
  if (/^[a-z0-9_]{1,30}\.[a-z0-9_]{1,30}$/.test(value)) others.push(`@${value}`);
  return others;
}

/** Windows reads both slashes alike. */
function slashes(value: string): readonly string[] {
  if (!/^[a-z]:[\\/]/.test(value)) return [];
  return [value.includes("\\") ? value.replaceAll("\\", "/") : value.replaceAll("/", "\\")];
}

/** A dash between two blanks divides a title. Within a word it makes another word. */
const dashes = (value: string): readonly string[] =>
  / [-–—] /u.test(value) ? ["-", "–", "—"].map((dash) => value.replace(/ [-–—] /gu, ` ${dash} `)) : [];

/** Words for `@` and `.`. */
const SPOKEN_MARKS = [
  ["at", "dot"],
  ["(at)", "(dot)"],
  ["[at]", "[dot]"],
  ["at", "punkt"],
  ["ät", "punkt"],
  ["arroba", "punto"],
  ["arobase", "point"],
  ["chiocciola", "punto"],
] as const;

/** Whether a text may hold an address that is spelled out. @param text folded. */
export const mayHoldSpelledMail = (text: string): boolean => spokenAt.test(text) && spokenDot.test(text);
const spokenAt = /[\s([](?:at|ät|arroba|arobase|chiocciola)[\s)\]]/u;
const spokenDot = /[\s([](?:dot|punkt|punto|point)[\s)\]]/u;

/** `jo at acme dot io`. If only the `@` is spelled out, the host is a separate word, and may say where a person is. */
export function spelledMail(value: string): readonly string[] {
  if (!/^[a-z0-9._+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(value)) return [];
  const [local = "", host = ""] = value.split("@");
  return SPOKEN_MARKS.flatMap(([at, dot]) => {
    const spoken = host.replaceAll(".", ` ${dot} `);
    return [
      `${local} ${at} ${spoken}`,
      ...(local.includes(".") ? [`${local.replaceAll(".", ` ${dot} `)} ${at} ${spoken}`] : []),
    ];
  });
}

/** Letters beyond ASCII in a URL are sent encoded (RFC 3987). An encoded ASCII character is another path. */
function percentEncoded(value: string): readonly string[] {
  if (!/[./]/.test(value)) return [];
  try {
    const decoded = value.replace(/(?:%[89a-f][0-9a-f])+/g, (bytes) => decodeURIComponent(bytes));
    const encoded = value.replace(/[\u0080-\uffff]+/g, (letters) => encodeURIComponent(letters).toLowerCase());
    return decoded === value ? [encoded] : [decoded];
  } catch {
    return [];
  }
}

const CODE_HOSTS = ["github.com", "gitlab.com", "bitbucket.org", "codeberg.org"];

/** `acme/tool` is what `github.com/acme/tool` shows. */
function repositoryPages(value: string): readonly string[] {
  if (!/^[a-z0-9][a-z0-9._-]{0,60}\/[a-z0-9][a-z0-9._-]{0,100}$/.test(value) || value.endsWith(".git")) return [];
  return CODE_HOSTS.flatMap((host) => [
    `${host}/${value}`,
    `${host}/${value}.git`,
    `git@${host}:${value}.git`,
    `git@${host}:${value}`,
  ]);
}

/** `AB 123 4567` of a passport or a plate: letters, then at least six digits, separated by blanks. */
function groupedCode(value: string): readonly string[] {
  const [, letters = "", digits = ""] = /^([a-z]{1,3})(\d{6,9})$/.exec(value) ?? [];
  if (letters === "") return [];
  const cuts = [3, 4, 5].filter((cut) => cut < digits.length && digits.length - cut >= 3);
  const groups = [digits, ...cuts.map((cut) => `${digits.slice(0, cut)} ${digits.slice(cut)}`)];
  if (digits.length === 9) groups.push(digits.replace(/(...)(...)(...)/, "$1 $2 $3"));
  return groups.map((one) => `${letters} ${one}`);
}
