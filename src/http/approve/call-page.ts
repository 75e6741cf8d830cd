/**
 * The page that shows one exact call, and asks; or tells how it was decided. Pure. Works without scripts; what it shows is
 * escaped by the template.
 */
import { html, raw } from "hono/html";
import { MAX_REASON } from "../../approvals/answer-fields.ts";
import type { Approval } from "../../approvals/approval.ts";
import { wholeLength } from "../../approvals/cut-values.ts";
import type { ChangedLine, DisclosedArgument, Language } from "../../approvals/disclosed.ts";
import { visibleJson } from "../../lib/visible-text.ts";
import { pageStyle } from "./page-style.ts";
import { type PageWords, pageWords, type Refusal } from "./page-words.ts";

export type Html = ReturnType<typeof html>;

/** Whom the answer is taken for. */
export interface Whose {
  readonly tenant: string;
  readonly user: string;
}

export function callPage(approval: Approval, whose: Whose, now: number): Html {
  const { language } = approval.disclosure;
  const words = pageWords[language];
  const body = approval.status === "pending" ? question(approval, words, whose, now) : outcome(approval, words);
  return page(language, words.title, body);
}

export function refusalPage(language: Language, refusal: Refusal): Html {
  const [heading, text] = pageWords[language].refusals[refusal];
  return page(language, heading, html`<h1>${heading}</h1><p>${text}</p>`);
}

function page(language: Language, title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${raw(pageStyle)}</style>
</head>
<body><main><article>${body}</article></main></body>
</html>`;
}

function question(approval: Approval, words: PageWords, { tenant, user }: Whose, now: number): Html {
  const { disclosure } = approval;
  return html`<p class="who">${words.answersAs(user, tenant)}</p>
<h1>${disclosure.question}</h1>
<p>${prose(disclosure.summary)}</p>
${disclosure.notes.length === 0 ? "" : html`<ul class="notes">${disclosure.notes.map((note) => html`<li>${prose(note)}</li>`)}</ul>`}
<h2 id="values">${words.arguments}</h2>
${values(approval, words)}
${disclosure.changes.length === 0 ? "" : changes(disclosure.changes, words)}
${facts(approval, words, now)}
${disclosure.learnMore === null ? "" : html`<details><summary>${words.learnMore}</summary><p>${prose(disclosure.learnMore)}</p></details>`}
<form method="post">
<label for="reason">${words.reason}</label>
<textarea id="reason" name="reason" rows="2" maxlength="${MAX_REASON}" autocomplete="off"></textarea>
<div class="answers">
<button name="action" value="deny">${words.deny}</button>
<button class="go" name="action" value="approve">${words.approve}</button>
</div>
</form>`;
}

/** The gateway's texts: names stand between backticks. An odd one at the end is a character like any other. */
function prose(text: string): Html {
  const parts = text.split("`");
  const isName = (index: number) => index % 2 === 1 && index < parts.length - 1;
  return html`${parts.map((part, index) => {
    if (isName(index)) return html`<code>${part}</code>`;
    return index % 2 === 1 ? `\`${part}` : part;
  })}`;
}

/** A long value is told by its beginning: whoever decides may read all of it. */
function values({ disclosure: { arguments: list, more }, recorded }: Approval, words: PageWords): Html {
  if (list.length === 0 && more === 0) return html`<p>${words.noArguments}</p>`;
  return html`<dl class="values" aria-labelledby="values">${list.map((one) => value(one, wholeLength({ recorded }, one), words))}</dl>
${more > 0 ? html`<p class="who">${words.more(more)}</p>` : ""}
${more > 0 || list.some(({ value: text }) => text.includes("…")) ? whole(recorded, words) : ""}`;
}

const whole = (recorded: unknown, words: PageWords): Html =>
  html`<details><summary>${words.whole}</summary><pre>${visibleJson(recorded)}</pre></details>`;

const value = (
  { name, value: text, redacted }: DisclosedArgument,
  length: number | undefined,
  words: PageWords,
): Html =>
  html`<div><dt>${name}</dt><dd${redacted ? raw(' class="hidden"') : ""}>${text}</dd>${length === undefined ? "" : html`<dd class="who">${words.cut(length)}</dd>`}</div>`;

function changes(lines: readonly ChangedLine[], words: PageWords): Html {
  return html`<h2 id="changes">${words.changes}</h2>
<ul class="changes" aria-labelledby="changes">${lines.map((line) => changed(line, words))}</ul>`;
}

/** The sign is for the eye, the word for who listens. */
function changed({ kind, text }: ChangedLine, words: PageWords): Html {
  if (kind === "same") return html`<li>  ${text}</li>`;
  const sign = kind === "added" ? "+" : "−";
  return html`<li class="${kind}"><span aria-hidden="true">${sign} </span><span class="spoken">${words[kind]}: </span>${text}</li>`;
}

function facts({ tool, code, disclosure, expiresAt }: Approval, words: PageWords, now: number): Html {
  const { destination, undoing, language } = disclosure;
  const until = html`<time datetime="${new Date(expiresAt).toISOString()}">${moment(expiresAt, language)}</time> (${left(expiresAt - now, language)})`;
  const all: readonly (readonly [string, string | Html | null])[] = [
    [words.destination, destination],
    [words.undoing, undoing === "" ? null : prose(undoing)],
    [words.until, until],
    [words.tool, html`<code>${tool}</code>`],
    [words.code, html`<code>${code}</code>`],
  ];
  return html`<dl class="facts">${all.map(([name, text]) => (text === null ? "" : fact(name, text)))}</dl>`;
}

const fact = (name: string, text: string | Html): Html => html`<div><dt>${name}</dt><dd>${text}</dd></div>`;

function outcome(approval: Approval, words: PageWords): Html {
  const { status, disclosure, channel, answer, answeredAt, settledBy, plan } = approval;
  if (status === "pending") throw new TypeError("the approval is pending");
  const [heading, told] = words.decided[status];
  const text = status === "cancelled" && plan?.cancelled ? words.plan.cancelled : told;
  const goesOn = plan && channel !== "hold" ? words.plan.goesOn : words.goesOn[channel];
  return html`<h1>${heading}</h1>
<p>${prose(disclosure.summary)}</p>
<p>${text}${status === "approved" && settledBy === null ? ` ${goesOn}` : ""}</p>
<dl class="facts">
${answeredAt === null ? "" : fact(words.answeredAt, html`<time datetime="${new Date(answeredAt).toISOString()}">${moment(answeredAt, disclosure.language)}</time>`)}
${answer?.reason ? fact(words.reasonGiven, answer.reason) : ""}
${fact(words.tool, html`<code>${approval.tool}</code>`)}
</dl>`;
}

/** Nothing tells the reader's own time zone without a script. */
function moment(at: number, language: Language): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return `${format.format(at)} UTC`;
}

function left(ms: number, language: Language): string {
  const format = new Intl.RelativeTimeFormat(language);
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return format.format(Math.max(0, Math.floor(ms / 1000)), "second");
  return minutes < 120 ? format.format(minutes, "minute") : format.format(Math.floor(minutes / 60), "hour");
}
