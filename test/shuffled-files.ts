/** In which order files are run: projects in turn, the files of each project shuffled by a seed. */
import { createHash } from "node:crypto";
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Projects that wait for processes begin before those that compute, and the short files fill up the end. */
const projects = ["clients", "browser", "worker", "timers", "unit"];
/** Files that take a minute or more, the longest first, begin their project: begun last, one alone would keep a core waiting. */
const longest = [
  "clients/documents",
  "clients/policy/policy-library",
  "clients/start",
  "clients/command-lines",
  "clients/policy/policy-commands",
  "clients/killed/killed",
  "clients/killed/killed-approvals",
  "clients/policy/policy-init",
  "clients/webhooks",
  "browser/operators",
  "browser/look",
  "browser/answers",
  "browser/look-states",
  "browser/inbox-states",
  "cli/policy-init/drafted-wishes",
  "packages/pack",
].map((name) => `test/${name}.test.ts`);

/**
 * Files of one runtime share its modules and its storage, so a test may depend on what an earlier file left behind. Another
 * order on each run finds such a test; the seed brings the order back. A seed places a file relative to any other the same
 * way in a run of all files and in a run of a few: so a failure is narrowed down by leaving files out.
 */
export class ShuffledFiles extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    this.ctx.logger.log(`order ${sequence.seed}: TOOLGATE_ORDER_SEED=${sequence.seed} npm test`);
    const keyed = files.map((file) => {
      const path = relative(root, file.moduleId);
      const rank = longest.indexOf(path);
      return {
        file,
        project: projects.indexOf(file.project.name),
        rank: rank < 0 ? longest.length : rank,
        place: createHash("sha256").update(`${sequence.seed} ${path}`).digest("hex"),
      };
    });
    keyed.sort((a, b) => a.project - b.project || a.rank - b.rank || (a.place < b.place ? -1 : 1));
    return keyed.map(({ file }) => file);
  }
}
