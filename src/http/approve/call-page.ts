/** The page that shows one exact call and asks, or shows how it was decided. Works without scripts; the template escapes all. Pure. */
import { html, raw } from "hono/html";
import { MAX_REASON } from "../../approvals/answers/answer-schema.ts";
import type { Approval } from "../../approvals/approval.ts";
import type { ChangedLine, Consequence, DisclosureView, Language } from "../../approvals/disclosure/disclosed.ts";
import { asideText, describeApproval, orderedArguments } from "../../approvals/disclosure/disclosure.ts";
import { shownName } from "../../approvals/disclosure/shown-value.ts";
import { shownTool } from "../../approvals/disclosure/title.ts";
import { fillWords, type Words, wordsOf } from "../../approvals/words/words.ts";
import { redacted } from "../../lib/redact.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import { proseParts } from "../../lib/text/prose.ts";
import { agoText, dateText, durationText } from "../../lib/text/time-text.ts";
import { wholeValue } from "../../lib/text/whole-value.ts";
import type { Owner } from "../../session/principal.ts";
import { pageStyle } from "./page-style.ts";

export type Html = ReturnType<typeof html>;

type PageWords = Words["page"];
/** Why a link or a form is not accepted. */
export type Refusal = keyof PageWords["refusals"];

/** @param owner in whose name the answer counts. */
export function callPage(approval: Approval, owner: Owner, now: number, language: Language): Html {
  const words = wordsOf(language).page;
  const view = describeApproval(approval, "whole", language);
  const body = approval.status === "pending" ? question(approval, view, owner, now) : outcome(approval, view);
  return page(language, words.title, body);
}

export function refusalPage(language: Language, refusal: Refusal): Html {
  const { heading, text } = wordsOf(language).page.refusals[refusal];
  return page(language, heading, html`<h1>${heading}</h1><p>${text}</p>`);
}

const MARK = raw(
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M9 8v17M9 13h16"/><circle cx="25" cy="13" r="2.6"/></svg>',
);

function page(language: Language, title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${raw(pageStyle)}</style>
</head>
<body><header>${MARK}<span>Toolgate</span></header><main><article>${body}</article></main></body>
</html>`;
}

function question(approval: Approval, view: DisclosureView, { tenant, user }: Owner, now: number): Html {
  const words = wordsOf(view.language).page;
  const values = valuesOf(approval, view);
  const long = values.filter(({ isLong }) => isLong).map(({ name }) => name);
  return html`<p class="about"><span class="mono">${approval.tool}</span> · <span class="mono">${approval.code}</span></p>
<h1>${prose(view.title)}</h1>
${view.summary === "" ? "" : html`<p>${prose(view.summary)}</p>`}
${effects(view.effects)}
${view.changes.length === 0 ? "" : changes(view.changes, words)}
<h2 id="values">${words.arguments}</h2>
${values.length === 0 ? html`<p class="soft">${words.noArguments}</p>` : html`<dl class="values" aria-labelledby="values">${values.map(({ html: value }) => value)}</dl>`}
${view.learnMore === null ? "" : html`<details><summary>${words.learnMore}</summary><p>${prose(view.learnMore)}</p></details>`}
${facts(approval, view.language, now)}
<form method="post">
${long.length === 0 ? "" : check("read", fillWords(words.read, { names: long.join(words.join) }), true)}
${view.firstUse === null ? "" : check("enable", fillWords(words.enable[view.firstUse], { tool: approval.tool }), false)}
${approval.endorsable === undefined ? "" : check("endorse", fillWords(words.endorse, { tool: shownTool(approval.endorsable.tool) }), false)}
<label for="reason">${words.reason}</label>
<textarea id="reason" name="reason" rows="2" maxlength="${MAX_REASON}" autocomplete="off"></textarea>
<p class="soft">${fillWords(words.answersAs, { who: whoAnswers({ user, tenant }, view.language) })}</p>
<div class="answers">
<button name="action" value="deny" formnovalidate>${words.deny}</button>
<button class="go" name="action" value="approve">${words.approve}</button>
</div>
</form>`;
}

/** A gateway with one tenant has not named it. */
function whoAnswers({ user, tenant }: Owner, language: Language): string {
  const { open, close } = wordsOf(language).effects.brackets;
  return tenant === "default" ? user : `${user}${open}${tenant}${close}`;
}

const check = (name: string, text: string, isRequired: boolean): Html =>
  html`<label class="check"><input type="checkbox" name="${name}" value="1"${isRequired ? " required" : ""}><span>${text}</span></label>`;

/** The gateway's texts have names and values between backticks. */
const prose = (text: string): Html =>
  html`${proseParts(text).map((part) => (part.isCode ? html`<code>${part.text}</code>` : part.text))}`;

const GRAVE = /^⚠\uFE0F?\s*/;

/** Serious consequences have their own colour. */
function effects(list: readonly Consequence[]): Html | string {
  if (list.length === 0) return "";
  return html`<ul class="effects">${list.map(({ text }) =>
    GRAVE.test(text) ? html`<li class="grave">${prose(text.replace(GRAVE, ""))}</li>` : html`<li>${prose(text)}</li>`,
  )}</ul>`;
}

/** Whether the page asks for the box that says that long values were read. */
export const hasLongValue = (approval: Approval): boolean =>
  orderedArguments(approval, "whole").some(([, value]) => wholeValue(value).isLong);

interface ShownArgument {
  readonly name: string;
  readonly isLong: boolean;
  readonly html: Html;
}

/** Each value whole, laid out as it is. */
function valuesOf(approval: Approval, view: DisclosureView): readonly ShownArgument[] {
  const about = new Map(view.arguments.map((one) => [one.name, one]));
  return orderedArguments(approval, "whole").map(([own, value]): ShownArgument => {
    const name = shownName(own).text;
    const known = about.get(name);
    if (value === redacted && known?.redacted === true) {
      const { hidden } = wordsOf(view.language).frame;
      return { name, isLong: false, html: html`<div><dt>${name}</dt><dd class="soft">${hidden}</dd></div>` };
    }
    const { text, isJson, escaped, isLong } = wholeValue(value);
    const aside = { escaped: escaped || known?.escaped === true, cut: null };
    const note = `${isJson ? " JSON" : ""}${asideText(aside, view.language)}`;
    return {
      name,
      isLong,
      // A browser drops the first line break of such a block.
      html: html`<div><dt>${name}<span class="soft">${note}</span></dt><dd><pre${isLong ? raw(' tabindex="0"') : ""}>${"\n"}${text}</pre></dd></div>`,
    };
  });
}

function changes(lines: readonly ChangedLine[], words: PageWords): Html {
  return html`<h2 id="changes">${words.changes}</h2>
<ul class="changes" aria-labelledby="changes">${lines.map((line) => changed(line, words))}</ul>`;
}

/** The sign is for display, the word for a screen reader. */
function changed({ kind, text }: ChangedLine, words: PageWords): Html {
  if (kind === "same") return html`<li>  ${text}</li>`;
  const sign = kind === "added" ? "+" : "−";
  return html`<li class="${kind}"><span aria-hidden="true">${sign} </span><span class="spoken">${words[kind]}: </span>${text}</li>`;
}

function facts({ askedAt, expiresAt }: Approval, language: Language, now: number): Html {
  const words = wordsOf(language).page;
  const left = durationText(expiresAt - now, language);
  return html`<dl class="facts">${fact(words.asked, html`${time(askedAt, language)} (${agoText(now - askedAt, language)})`)}${fact(words.until, html`${time(expiresAt, language)} (${fillWords(words.left, { time: left })})`)}</dl>`;
}

const fact = (name: string, text: string | Html): Html => html`<div><dt>${name}</dt><dd>${text}</dd></div>`;

/** Without a script the reader's own time zone is unknown. */
const time = (at: number, language: Language): Html =>
  html`<time datetime="${isoTime(at)}">${dateText(at, language, "UTC")}</time>`;

function outcome(approval: Approval, view: DisclosureView): Html {
  const { status, channel, answer, answeredAt, usedBy, plan } = approval;
  const { language } = view;
  const words = wordsOf(language).page;
  if (status === "pending") throw new TypeError("the approval is pending");
  const { heading, text: decided } = words.decided[status];
  const text = status === "cancelled" && plan?.cancelled ? words.plan.cancelled : decided;
  const goesOn = plan && channel !== "hold" ? words.plan.goesOn : words.goesOn[channel];
  return html`<p class="about"><span class="mono">${approval.tool}</span></p>
<h1>${heading}</h1>
<p>${prose(view.title)}</p>
${view.summary === "" ? "" : html`<p>${prose(view.summary)}</p>`}
<p>${text}${status === "approved" && usedBy === null ? ` ${goesOn}` : ""}</p>
<dl class="facts">
${answeredAt === null ? "" : fact(words.answeredAt, time(answeredAt, language))}
${answer?.reason ? fact(words.reasonGiven, answer.reason) : ""}
</dl>`;
}
