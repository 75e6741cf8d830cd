/**
 * Removes text that a user has pasted, if something marks it as such: fenced code, quoted lines, mails with their heads, chats, files. It is
 * untrusted: a log or a letter must not select an intent by its words, and no value in it is the user's. Pure, and in time
 * linear in the message.
 */
import { lazyRegExp } from "../../lib/once.ts";

/** With blanks for pasted text; quotations stay. */
export function withoutPasted(message: string): string {
  if (!/[`>—―:：]|~~~|---|===|___/.test(message)) return message;
  let own = /```|~~~/.test(message) ? withoutFences(message) : message;
  if (own.includes("</")) own = withoutElements(own);
  if (own.includes("BEGIN:")) own = withoutComponents(own);
  own = withoutDialogue(own);
  return foreignLines.reduce((text, lines) => text.replace(lines(), blank), own);
}

const spokenLine = lazyRegExp(
  String.raw`^[ \t]*(\p{Lu}[\p{L}\p{M}'’.-]{0,30}(?: \p{Lu}[\p{L}\p{M}'’.-]{0,30}){0,2}) ?[:：] ?\S`,
  "u",
);
const MIN_SPOKEN = 3;
/** Labels of records that a user may list: the text behind them is the user's own. */
const LABELS = new Set(
  "Name Title Body Text Date Time Phone Mail Email E-Mail Address Subject From To Task Todo Step Item Price Amount Note Titel Datum Uhrzeit Telefon Adresse Betreff Von An Aufgabe Preis Betrag Notiz Nombre Fecha Hora Correo Precio Tarea Nota Title".split(
    " ",
  ),
);

/** Lines in which two or more speak in turn, one of them again: "Bob: …", "Ann: …", "Bob: …". A form's lines name each thing once. */
function withoutDialogue(message: string): string {
  const lines = message.split("\n");
  const speakers = lines.map((line) => spokenLine().exec(line)?.[1]);
  for (let at = 0; at < lines.length; at += 1) {
    let end = at;
    while (end < lines.length && (speakers[end] !== undefined || (end > at && lines[end]?.trim() === ""))) end += 1;
    const spoken = speakers.slice(at, end).filter((name) => name !== undefined);
    const names = new Set(spoken).size;
    // "Create these tasks:" introduces the user's own.
    if (/[:：]\s*$/.test(lines[at - 1] ?? "") || /[:：]\s*$/.test(lines[at - 2] ?? "")) {
      at = Math.max(at, end - 1);
      continue;
    }
    if (spoken.length >= MIN_SPOKEN && names >= 2 && names < spoken.length && !spoken.some((name) => LABELS.has(name)))
      for (let line = at; line < end; line += 1) lines[line] = " ".repeat(lines[line]?.length ?? 0);
    at = Math.max(at, end - 1);
  }
  return lines.join("\n");
}

/** As long as the text, and a line of its own: the text before it makes no sentence with the text behind it. */
const blank = ({ length }: string): string => (length < 2 ? "\n".repeat(length) : `\n${" ".repeat(length - 2)}\n`);

/** `From:` in several languages. With a subject below it, it begins a mail, not a journey. */
const from = "From|Von|De|Da|Van|От|发件人|寄件者|差出人|보낸 사람";
/** `To:` below it does the same if the sender is an address. */
const to = "To|An|À|Para|Aan|A|Кому|收件人|宛先|받는 사람";
const subject = "Subject|Betreff|Objet|Asunto|Assunto|Oggetto|Onderwerp|Ämne|Тема|主题|主旨|件名|제목";
const forwarded =
  "-{2,} ?(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Weitergeleitete Nachricht|Message d'origine|Message transféré|Mensaje original|Mensaje reenviado|Messaggio originale|Mensagem original|原始邮件|转发的?邮件|元のメッセージ) ?-{2,}|Begin forwarded message:";
const speaker =
  "Speaker|Sprecher(?:in)?|Locut(?:eur|rice)|Interlocuteur|Hablante|Orador|Falante|Spreker|Спикер|说话人|发言人|話者|화자";
const clock = String.raw`\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[ap]m)?`;
const day = String.raw`\d{1,4}[./-]\d{1,2}[./-]\d{1,4}`;

/**
 * Pasted lines: quoted as in a mail; a mail with its head, which reaches to a rule of dashes or to the end; spoken in
 * a dialogue, a chat or a transcript; indented below a line that ends with a colon; between two rules of dashes.
 */
const foreignLines = [
  lazyRegExp(
    String.raw`^(?:(?:${from}) ?[:：].*\n(?:[^\n:：]{1,30}[:：].*\n){0,5}?(?:${subject}) ?[:：]|(?:${from}) ?[:：][^\n@＠]*[@＠][^\n]*\n(?:${to}) ?[:：]|(?:${forwarded})[ \t]*$).*(?:\n(?!-{3,}[ \t]*$).*)*`,
    "gimu",
  ),
  lazyRegExp(String.raw`^[ \t]{0,3}>.*$`, "gm"),
  lazyRegExp(String.raw`^[ \t]*[—―].+$`, "gm"),
  lazyRegExp(
    String.raw`^[ \t]*(?:\[(?:${day},? )?${clock}(?:,? ${day})?\] ?|${day},? ${clock} ?- ?)[^\n:：]{1,40}[:：].*$`,
    "gim",
  ),
  lazyRegExp(String.raw`^[ \t]*(?:${speaker}) ?(?:\d{1,2}|[A-Z]) ?[:：].*$`, "gimu"),
  lazyRegExp(String.raw`(?<=[:：]\n{1,2})(?:[ \t]{2,}\S.*(?:\n{1,2}|$))+`, "g"),
  lazyRegExp(String.raw`^(?:-{3,}|={3,}|_{3,})\n[\s\S]{0,4000}?\n(?:-{3,}|={3,}|_{3,})$`, "gm"),
] as const;

const fences = /`{3,}|(?<=^ {0,3})~{3,}/gm;

/** A fence is closed by one that is at least as long: code that holds a fence is put between longer ones. */
function withoutFences(message: string): string {
  let out = "";
  let from = 0;
  for (const { 0: mark, index } of message.matchAll(fences)) {
    if (index < from) continue;
    const close = closingFence(message, mark, index + mark.length);
    // One that nothing closes reaches to the end, if it begins a line; else it is only mentioned.
    if (close < 0 && !/(?:^|\n)[ \t]*$/.test(message.slice(Math.max(0, index - 8), index))) continue;
    const end = close < 0 ? message.length : close;
    out += message.slice(from, index) + blank(message.slice(index, end));
    from = end;
  }
  return out + message.slice(from);
}

/** @returns the place behind it, or -1. Tildes close only as a line: within one they strike words through. */
function closingFence(message: string, mark: string, from: number): number {
  const isTilde = mark.startsWith("~");
  for (let at = message.indexOf(mark, from); at >= 0; at = message.indexOf(mark, at)) {
    const isLine = /(?:^|\n) {0,3}$/.test(message.slice(Math.max(0, at - 4), at));
    at += mark.length;
    while (message[at] === mark[0]) at += 1;
    if (!isTilde || isLine) return at;
  }
  return -1;
}

/** Tags that people and programs put around a document; those of clients are removed before. */
const documentTag = lazyRegExp(
  String.raw`(?<=^[ \t]*)<(?<name>(?:[\w-]{1,40}[_-])?(?:documents?|doc|docs|files?|pages?|webpage|article|emails?|mail|letter|transcript|attachments?|paste|pasted|quote|excerpt|logs?|output|results?|source|website|html|body))(?=[\s>])[^<>]{0,200}>`,
  "gim",
);

const closingTag = /<\/[\w-]{1,60}>/g;

function withoutElements(message: string): string {
  // The last one of each name: the document itself may hold such a tag.
  const closings = new Map([...message.matchAll(closingTag)].map(({ 0: tag, index }) => [tag, index]));
  let out = "";
  let from = 0;
  for (const { 0: tag, index, groups } of message.matchAll(documentTag())) {
    const closing = `</${groups?.name}>`;
    const close = closings.get(closing) ?? -1;
    if (index < from || close < index + tag.length) continue;
    out += message.slice(from, index);
    from = close + closing.length;
    out += blank(message.slice(index, from));
  }
  return out + message.slice(from);
}

/** Calendars and contacts as programs write them. */
function withoutComponents(message: string): string {
  const start = message.search(/^BEGIN:[A-Z]/m);
  const [last] = /^[^\n]*/.exec(message.slice(message.lastIndexOf("\nEND:") + 1)) ?? [""];
  const end = message.lastIndexOf("\nEND:") + 1 + last.length;
  if (start < 0 || end <= start || !message.includes("\nEND:")) return message;
  return message.slice(0, start) + blank(message.slice(start, end)) + message.slice(end);
}
