/**
 * Finds letters, tickets, prompts and messages that a user has pasted without any mark beside words of the user's own: "Hi team, …
 * Regards, Support" above "does that look fishy?". Pure, and in time linear in the text.
 */
import { lazyRegExp } from "../../lib/once.ts";
import type { Span } from "../../lib/text/span.ts";

interface TextLine extends Span {
  readonly text: string;
}

/** @returns parts in no order; they may overlap. None if a block is all of the text: a user who sends nothing else has written it. */
export function pastedBlocksIn(text: string): readonly Span[] {
  if (!text.includes("\n") || !labels().test(text)) return lettersBeside(text);
  const lines = linesOf(text);
  const printed = lines.filter((line) => printedLine().test(line.text));
  return [...lettersIn(lines), ...formsIn(lines), ...promptsIn(lines), ...printed].filter(isBesideOwn(text));
}

/** Only the letters. */
export const lettersBeside = (text: string): readonly Span[] =>
  text.includes("\n") && closing().test(text) ? lettersIn(linesOf(text)).filter(isBesideOwn(text)) : [];

const isBesideOwn =
  (text: string) =>
  ({ start, end }: Span): boolean =>
    /\p{L}/u.test(text.slice(0, start)) || /\p{L}/u.test(text.slice(end));

const linesOf = (text: string): readonly TextLine[] =>
  [...text.matchAll(/[^\n]+|(?<=\n)(?=\n)/g)].map(({ 0: line, index }) => ({
    start: index,
    end: index + line.length,
    text: line.trim(),
  }));

const greeting = lazyRegExp(
  String.raw`^(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|moin|guten (?:tag|morgen|abend)|liebe[rs]?|sehr geehrte[rs]?|hola|buen[oa]s (?:días|tardes)|estimad[oa]s?|querid[oa]s?|bonjour|chère?)(?!\p{L}).{0,40}|(?:尊敬的|亲爱的|各位|大家好|您好|你好).{0,20}|.{1,20}(?:様|さん|各位|先生|老师)[、，,:：]?|お世話になって.{0,20})$`,
  "iu",
);
const close = lazyRegExp(
  String.raw`^(?:(?:(?:best|kind|warm|many) )?(?:regards|wishes|thanks)|cheers|thank you|sincerely|yours|(?:(?:viele|liebe|beste|schöne|herzliche|mit freundlichen) )?grüße?n?|mfg|lg|vg|gruß|danke|un saludo|saludos|un abrazo|atentamente|gracias|cordialement|此致|敬上|祝好|谢谢|敬具|よろしくお願い\S*|以上)(?!\p{L}{3}).{0,40}$`,
  "iu",
);
/** Without one of these no line is a close: to look for them costs a twentieth of reading the lines. */
const closing = lazyRegExp(
  "regards|wishes|thank|cheers|sincerely|yours|gr(?:ü|u\u0308)(?:ß|ss)|mfg|lg|vg|danke|saludo|abrazo|atentamente|gracias|cordialement|此致|敬上|祝好|谢谢|敬具|よろしく|以上",
  "iu",
);
/** UTF-16 units of a line that may be a signature. */
const SIGNATURE = 40;

/** From a greeting to a close and the signature below it, each a line of its own. */
function lettersIn(lines: readonly TextLine[]): readonly Span[] {
  const letters: Span[] = [];
  let from: number | undefined;
  lines.forEach((line, at) => {
    if (from === undefined) {
      if (greeting().test(line.text)) from = at;
    } else if (at > from + 1 && close().test(line.text)) {
      const [next, after] = [lines[at + 1]?.text ?? "", lines[at + 2]?.text ?? ""];
      const isSigned = next !== "" && next.length <= SIGNATURE && after === "";
      letters.push({
        start: lines[headAbove(lines, from)]?.start ?? 0,
        end: (isSigned ? lines[at + 1] : line)?.end ?? line.end,
      });
      from = undefined;
    }
  });
  return letters;
}

const field = lazyRegExp(
  String.raw`^(?:(?:from|to|von|an|de|para|status|reporter|reported by|priority|assignee|assigned to|due|title|subject|type|component|severity|created|description|summary|melder|gemeldet von|priorität|zuständig|fällig|titel|betreff|beschreibung|estado|prioridad|asignad[oa] a|responsable|vence|título|asunto|descripción) ?:|(?:件名|差出人|宛先|内容|状態|担当|優先度|期限|概要|发件人|收件人|报告人|状态|优先级|标题|描述|负责人|截止)(?:\s*[:：]|\s))`,
  "iu",
);
/** Without one of these nothing but a letter is found. */
const labels = lazyRegExp(
  "[:：]|件名|差出人|宛先|内容|状態|担当|優先度|期限|概要|发件人|收件人|报告人|状态|优先级|标题|描述|负责人|截止",
  "u",
);
const formHead = lazyRegExp(
  String.raw`^\W{0,3}(?:ticket|issue|bug|task|incident|case|vorgang|aufgabe|meldung|incidencia|tarea|caso|課題|チケット|問い合わせ|工单|任务)(?!.*[.?!。？！]$)`,
  "iu",
);

/**
 * The fields of a ticket with the line that names it and its text: to the end of the paragraph, or of the next one if that holds fields
 * alone. "Ticket text:" with a paragraph below is one without fields.
 */
function formsIn(lines: readonly TextLine[]): readonly Span[] {
  const isField = lines.map(({ text }) => field().test(text));
  let read = -1;
  return lines.flatMap((line, at) => {
    const isTitled = /[:：]$/.test(line.text) && formHead().test(line.text);
    if (at <= read || !(isTitled || (isField[at] && isField[at + 1]))) return [];
    const head = lines[at - 1];
    const start = head && formHead().test(head.text) ? head.start : line.start;
    const last = paragraphEnd(lines, at);
    const below = paragraphEnd(lines, last + 2);
    const end = isField[last] && lines[below + 2] !== undefined ? below : last;
    read = end;
    return [{ start, end: lines[end]?.end ?? 0 }];
  });
}

/** "Subject: Re: offer" above a greeting belongs to the letter. @returns the place of the first such line, else that of the greeting. */
function headAbove(lines: readonly TextLine[], greetingAt: number): number {
  let at = greetingAt;
  if (lines[at - 1]?.text === "" && field().test(lines[at - 2]?.text ?? "")) at -= 1;
  while (field().test(lines[at - 1]?.text ?? "")) at -= 1;
  return at;
}

const promptHead = lazyRegExp(
  String.raw`^[[*#<]{0,3} ?(?:(?:system|assistant|systemhinweis|sistema|asistente|系统|系統|システム|アシスタント)(?: (?:prompt|message|note|override))?|(?:ai|ki|ia|llm|chatgpt|gpt)(?: \p{L}+){0,4})[\]*>]{0,3}\s*[:：]`,
  "iu",
);

/** A paragraph that passes itself off as the model's own instructions: "System: you must now …". */
const promptsIn = (lines: readonly TextLine[]): readonly Span[] =>
  lines.flatMap(({ start, text }, at) =>
    (lines[at - 1]?.text ?? "") === "" && promptHead().test(text)
      ? [{ start, end: lines[paragraphEnd(lines, at)]?.end ?? start }]
      : [],
  );

/** A line printed by a program, in a chat with times, or forwarded. */
const printedLine = lazyRegExp(
  String.raw`^(?:>\s*)?(?:(?:\p{L}*error|fatal|warning|exception|traceback|npm err!|panic|fehler|warnung|advertencia|错误|警告|エラー)(?: [\w.-]+)?\s*[:：]\s*\S|(?:fwd|forwarded|weitergeleitet|reenviado)(?:\s+(?:from|von|de)\b[^:]{1,40})?\s*:|\[?\d{1,2}[:.]\d{2}(?::\d{2})?(?: ?[ap]m)?\]?,?\s+\p{L}[\p{L} .'-]{0,30}[:：]|\p{L}[\p{L}.'-]{0,20}(?: \p{L}[\p{L}.'-]{0,20})?,?\s+[[(]?\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?[\])]?\s*[:：–-]\s*\S)`,
  "iu",
);

/** The place of the paragraph's last line. "^ found this on a page" begins the user's own. */
function paragraphEnd(lines: readonly TextLine[], from: number): number {
  let at = from;
  while (!/^(?:\^|$)/.test(lines[at + 1]?.text ?? "")) at += 1;
  return at;
}
