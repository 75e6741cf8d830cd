/** What axe finds wrong with a page, in both schemes. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const source = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const allRules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The schemes differ in nothing else. */
const rulesOfColour = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** `rule: element`, each once. */
export async function violations(page: Page): Promise<string[]> {
  const found = new Set<string>();
  // By the debugger: the page's security policy lets no foreign script in. Once a document: it is half a megabyte to read.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(await source);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const results = await page.evaluate(
      async (runOnly) => {
        const { axe } = globalThis as unknown as { axe: { run: (options: unknown) => Promise<AxeResults> } };
        // It takes what is scrolled below a bar for small; `tooSmall` measures whole controls, and asks for more.
        return axe.run({ runOnly, rules: { "target-size": { enabled: false } } });
      },
      colorScheme === "light" ? allRules : rulesOfColour,
    );
    for (const { id, nodes } of results.violations)
      for (const node of nodes) found.add(`${id}: ${node.target.join(" ")} (${colorScheme})`);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  return [...found];
}

/** Buttons, links and fields that a finger would miss, and whether the page is wider than its window. */
export async function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const least = 44;
    const inner = document.documentElement;
    const wide = inner.scrollWidth > inner.clientWidth ? [`the page is ${inner.scrollWidth} px wide`] : [];
    // What is large enough with letters of 1 px is so in every font and language.
    const tiny = new CSSStyleSheet();
    tiny.replaceSync("body * { font-size: 1px !important }");
    document.adoptedStyleSheets.push(tiny);
    const controls = [...document.querySelectorAll<HTMLElement>("a, button, input, select, textarea, summary")];
    const small = controls.flatMap((control) => {
      // The label is part of what is touched.
      const touched = control.closest("label") ?? control;
      const { width, height } = touched.getBoundingClientRect();
      const shown = control.checkVisibility() && !control.classList.contains("skip");
      return shown && (width < least || height < least)
        ? [`${control.outerHTML.slice(0, 80)}: ${width}×${height}`]
        : [];
    });
    document.adoptedStyleSheets.pop();
    return [...wide, ...small];
  });
}
