/** The style of a signed link's pages, and the headers that permit it and nothing else. */
import { createHash } from "node:crypto";

/** The console's colours and type (`console/styles/tokens.css`): people see both as one product. */
export const pageTokens = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#f6f3ec, #14171c);
  --slip: light-dark(#fffdf8, #1c2027);
  --inset: light-dark(#f2eee4, #161a20);
  --ink: light-dark(#22252b, #ece8df);
  --soft: light-dark(#5a5c60, #a9abad);
  --line: light-dark(#e0dacb, #2e343d);
  --edge: light-dark(#8f8b80, #6d747e);
  --go: light-dark(#1d5c4d, #84d0b6);
  --on-go: light-dark(#fffdf8, #0c241d);
  --go-tint: light-dark(#e4efe8, #1b302a);
  --grave: light-dark(#9c3322, #f2a08f);
  --grave-tint: light-dark(#f9e8e2, #331d19);
  --sans:
    Inter, system-ui, "Segoe UI", Roboto, "Noto Sans", "Hiragino Sans", "PingFang SC", "Noto Sans CJK SC", sans-serif;
  --mono:
    "JetBrains Mono", ui-monospace, "SF Mono", "Cascadia Code", "Noto Sans Mono CJK SC", "Hiragino Sans", monospace;
  --touch: 2.75rem;
  --round: 0.875rem;
}
`;

export const pageStyle = `${pageTokens}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 var(--sans); }
header { display: flex; align-items: center; gap: .625rem; max-width: 42rem; margin: 0 auto; padding: .75rem 1rem 0;
  font: 600 1.0625rem/1 var(--sans); }
.mark { width: 1.75rem; height: 1.75rem; }
.mark rect { fill: light-dark(#1d5c4d, #2a4a41); }
.mark path { fill: none; stroke: #fbf6e9; stroke-width: 3; stroke-linecap: round; }
.mark circle { fill: #f0b95b; }
main { max-width: 42rem; margin: 0 auto; padding: 1rem; }
article { background: var(--slip); border: 1px solid var(--line); border-radius: var(--round); padding: 1.25rem 1.125rem; }
h1 { margin: .375rem 0 .875rem; font: 600 1.3125rem/1.3 var(--sans); text-wrap: pretty; }
h2 { margin: 1.125rem 0 .25rem; font: 600 .8125rem/1.4 var(--sans); color: var(--soft); }
h1, p, li, dt, dd, pre, code, label span { overflow-wrap: anywhere; }
p { margin: .25rem 0; }
code, pre, .mono { font-family: var(--mono); font-size: .9em; }
.soft, .about { color: var(--soft); font-size: .875rem; }
.effects { margin: .75rem 0; padding: 0; list-style: none; font-size: .9375rem; }
.effects li { margin: .25rem 0; }
.grave { color: var(--grave); font-weight: 600; }
dl { margin: 0; }
dt { color: var(--soft); font-size: .9375rem; }
dd { margin: 0; }
.values > div { padding: .5rem 0; border-bottom: 1px solid var(--line); }
.values > div:last-child { border: 0; }
pre { margin: .25rem 0 0; padding: .5rem .75rem; max-height: 20rem; overflow: auto; border-radius: .625rem;
  background: var(--inset); font-size: .8438rem; line-height: 1.55; white-space: pre-wrap; unicode-bidi: plaintext; }
.changes { margin: .375rem 0 0; padding: .375rem 0; border-radius: .625rem; background: var(--inset); list-style: none;
  font: .8438rem/1.55 var(--mono); }
.changes li { padding: 0 .75rem 0 2rem; text-indent: -1.15rem; white-space: pre-wrap; }
.added { background: var(--go-tint); }
.removed { background: var(--grave-tint); color: var(--grave); }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.facts { margin-top: 1rem; }
.facts > div { display: grid; grid-template-columns: minmax(5rem, 8rem) minmax(0, 1fr); gap: .25rem 1rem; padding: .25rem 0;
  font-size: .9375rem; }
details { margin-top: .5rem; }
summary { padding: .5rem 0; color: var(--soft); font-size: .9375rem; cursor: pointer; }
form { margin: 1rem -1.125rem 0; padding: .875rem 1.125rem 0; border-top: 1px solid var(--line); }
label { display: block; font-size: .9375rem; font-weight: 600; }
.check { display: flex; align-items: center; gap: .625rem; min-height: var(--touch); font-weight: 400; cursor: pointer; }
.check span { min-width: 0; }
.check input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--go); }
textarea { width: 100%; margin: .25rem 0 .5rem; padding: .5625rem .75rem; font: 1rem/1.45 var(--sans); color: inherit;
  background: light-dark(#fff, #12151a); border: 1px solid var(--edge); border-radius: .625rem; resize: vertical; }
.answers { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin-top: .75rem; }
button { min-height: var(--touch); padding: .625rem 1.25rem; border: 1px solid var(--edge); border-radius: .75rem;
  background: var(--slip); color: inherit; font: 500 1rem/1.2 var(--sans); cursor: pointer; touch-action: manipulation; }
button.go { border-color: var(--go); background: var(--go); color: var(--on-go); }
:focus-visible { outline: 2px solid var(--go); outline-offset: 3px; }
@media (min-width: 40rem) {
  article { padding: 1.5rem 1.75rem; }
  form { margin: 1rem -1.75rem 0; padding: .875rem 1.75rem 0; }
  .answers { justify-content: end; grid-template-columns: repeat(2, minmax(8rem, auto)); }
}
`;

/** No script, no frame, no other host; only this very style, and a form that goes to this very host. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(pageStyle, "utf8").digest("base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const pageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  // The address is the credential: no referrer and no cache may hold it. Of the referrer only the origin is left,
  // which the form must send: with `no-referrer` browsers post it from the origin `null`, as any sandboxed page's.
  "referrer-policy": "strict-origin",
  "cache-control": "no-store",
  "x-robots-tag": "noindex, nofollow, noarchive, nosnippet",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
