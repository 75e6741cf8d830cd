/** The objects that an offer names by a code: WEB-9, a.txt, `main`. Pure. */

const PART = String.raw`[\p{sc=Latin}\p{N}_./@:-]`;
/** With a digit or a dot in it. "15h" is a number. */
const CODE = String.raw`(?=${PART}*(?:\p{N}|\.[\p{sc=Latin}\p{N}]))[\p{sc=Latin}_./@]${PART}*[\p{sc=Latin}\p{N}]`;
const JOINS = String.raw`(?:\s*[,、&和と]\s*(?:and\s+)?|\s+(?:and|und|y|et|&)\s+)`;

/** The first, with those that only "and" or a comma joins to it. @param assistant the whole message: it tells what stands in code marks. */
export function objectCodes(offer: string, assistant: string): readonly string[] {
  const marked = [...assistant.matchAll(/`([\w./@:-]+)`/g)].map(([, name = ""]) => name.replaceAll(".", "\\."));
  const code = `(?<!${PART})(?:${[...marked, CODE].join("|")})(?!${PART}*[\\p{sc=Latin}\\p{N}])`;
  const list = new RegExp(`${code}(?:${JOINS}${code})*`, "iu").exec(offer)?.[0] ?? "";
  return [...list.matchAll(new RegExp(code, "giu"))].map(([one]) => one);
}
