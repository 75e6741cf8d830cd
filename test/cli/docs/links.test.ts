/** The documentation's links lead somewhere: to a file, and to a heading or an anchor in it. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../../src/cli/settings.ts";

const pages = ["README.md", "CONTRIBUTING.md", ...globSync("docs/**/*.md", { cwd: root })];
/** Without examples: what stands in fences is no link and no heading. */
const textOf = (page: string): string =>
  readFileSync(join(root, page), "utf8").replace(/^ *(`{3,})[^`\n]*\n[\s\S]*?^ *\1 *$/gm, "");

/** As GitHub makes them of headings. */
const slug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

function anchorsOf(page: string): Set<string> {
  const text = textOf(page);
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => slug(heading));
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)]);
}

const links = pages.flatMap((page) => {
  const text = textOf(page);
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/(?:src|srcset)="([^"]+)"/g)];
  return targets.map(([, target = ""]) => ({ page, target })).filter(({ target }) => !/^https?:/.test(target));
});

it("has links to look at", () => {
  expect(links.length).toBeGreaterThan(100);
});

it("has no link to nowhere", () => {
  const broken = links.filter(({ page, target }) => {
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? page : relative(root, join(root, dirname(page), path));
    if (!existsSync(join(root, file))) return true;
    return anchor !== undefined && !anchorsOf(file).has(anchor);
  });
  expect(broken).toEqual([]);
});
