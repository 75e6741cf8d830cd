/** The oracle: what renderers of Markdown, and then a browser, would fetch or make clickable. */
import MarkdownIt from "markdown-it";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";

const markdownIt = new MarkdownIt({ html: true, linkify: true });
// Hosts without a scheme are linked by no other renderer, and never fetched.
markdownIt.linkify.set({ fuzzyLink: false });

/** Addresses in the pages of both renderers. */
function renderedTargets(markdown: string): readonly string[] {
  const pages = [
    micromark(markdown, {
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
    }),
    markdownIt.render(markdown),
  ];
  return pages.flatMap((page) => {
    const found: string[] = [];
    collect(parseFragment(page), found);
    return found;
  });
}

const FETCHES = new Set([
  "href",
  "src",
  "srcset",
  "action",
  "formaction",
  "poster",
  "data",
  "background",
  "xlink:href",
]);

function collect(node: DefaultTreeAdapterTypes.Node, found: string[]): void {
  if ("attrs" in node)
    for (const { name, value } of node.attrs) {
      if (FETCHES.has(name)) found.push(...(name === "srcset" ? value.split(/,\s+/) : [value]));
      else if (name === "style" || name === "srcdoc" || name.startsWith("on")) found.push(`script:${value}`);
    }
  if ("tagName" in node && /^(?:script|style|base|meta)$/.test(node.tagName)) found.push(`element:${node.tagName}`);
  if ("content" in node) collect(node.content, found);
  if ("childNodes" in node) for (const child of node.childNodes) collect(child, found);
}

/** Of an address as a browser reads it on a page; empty for one that stays on the page's own host. */
function hostReached(target: string): string {
  let url: URL;
  try {
    url = new URL(target.trim(), "https://frontend.invalid/");
  } catch {
    return target;
  }
  if (url.protocol === "tel:") return "";
  if (url.protocol === "mailto:" || url.protocol === "xmpp:") return /@([^?/,;]+)/.exec(url.href)?.[1] ?? url.protocol;
  if (url.protocol !== "https:" && url.protocol !== "http:") return url.protocol + url.host;
  if (url.username !== "") return `${url.username}@${url.host}`;
  return url.host === "frontend.invalid" ? "" : url.host.replace(/^www\.|\.$/g, "");
}

export const foreignHosts = (markdown: string, named: readonly string[]): readonly string[] => [
  ...new Set(renderedTargets(markdown).map(hostReached)).difference(new Set(["", ...named])),
];
