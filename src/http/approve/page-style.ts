/** The style of a signed link's pages, and the headers that let them have it and nothing else. */
import { createHash } from "node:crypto";

export const pageStyle = `
:root { color-scheme: light dark; --ink: #1c1d22; --soft: #5c606b; --page: #f3f4f7; --card: #fff; --line: #d9dce3;
  --go: #0b6b3a; --go-ink: #fff; --stop: #a3211b; --new: #e4f5ea; --old: #fdeaea; --mark: #fff4d6; --focus: #1d5fd1; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9eaee; --soft: #a6abb8; --page: #121317; --card: #1c1e24;
  --line: #383c47; --go: #3ecf82; --go-ink: #06210f; --stop: #ff9a92; --new: #12351f; --old: #431a1a; --mark: #3d3213;
  --focus: #8ab4ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 36rem; margin: 0 auto; padding: 1rem; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 1.25rem; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 1.25rem 0 .25rem; font-size: .9rem; font-weight: 600; color: var(--soft); }
h1, p, li, dt, dd, pre { overflow-wrap: anywhere; }
dl.values dd { unicode-bidi: plaintext; }
p { margin: .25rem 0; }
.who { color: var(--soft); font-size: .9rem; margin: 0 0 .75rem; }
.notes { margin: .75rem 0; padding: .5rem .75rem; border-radius: .5rem; background: var(--mark); list-style: none; }
dl { margin: 0; }
dl.values > div, dl.facts > div { padding: .4rem 0; border-top: 1px solid var(--line); }
dl.facts { margin-top: 1.25rem; }
dl.facts > div { display: grid; grid-template-columns: 8rem 1fr; gap: .75rem; align-items: baseline; }
dt { color: var(--soft); font-size: .9rem; }
dd { margin: 0; white-space: pre-wrap; }
dl.values dd, code, .changes { font-family: ui-monospace, monospace; font-size: .95rem; }
dd.hidden { font-style: italic; color: var(--soft); }
.changes { border: 1px solid var(--line); border-radius: .5rem; overflow: hidden; list-style: none; margin: 0; padding: 0; }
.changes li { padding: .1rem .6rem .1rem 1.75rem; text-indent: -1.15rem; white-space: pre-wrap; }
.added { background: var(--new); }
.removed { background: var(--old); }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
details { margin-top: 1rem; }
pre { white-space: pre-wrap; font: .9rem/1.5 ui-monospace, monospace; margin: .5rem 0 0; }
summary { cursor: pointer; }
form { margin-top: 1.25rem; }
label { display: block; color: var(--soft); font-size: .9rem; }
textarea { width: 100%; margin: .25rem 0 1rem; padding: .6rem; font: inherit; color: inherit; background: var(--page);
  border: 1px solid var(--line); border-radius: .5rem; resize: vertical; }
.answers { display: flex; gap: .75rem; }
button { flex: 1; min-height: 3rem; padding: .5rem 1rem; font: inherit; font-weight: 600; cursor: pointer;
  border-radius: .75rem; border: 2px solid var(--stop); background: transparent; color: var(--stop); }
button.go { border-color: var(--go); background: var(--go); color: var(--go-ink); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
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
  // The address is the credential: nobody is told it, nothing keeps what it shows. Of the referrer only the origin is left,
  // which the form must tell: with `no-referrer` browsers post it from the origin `null`, as any sandboxed page's.
  "referrer-policy": "strict-origin",
  "cache-control": "no-store",
  "x-robots-tag": "noindex, nofollow, noarchive, nosnippet",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
