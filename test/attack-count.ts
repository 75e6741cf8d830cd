/** Tells at the end of a run how many attacks were tried, by area, and how many got through. */
import type { Reporter, TestCase } from "vitest/node";

/**
 * A test that tries an attack has the tag `attack/AREA`, mostly from its whole file (`@module-tag`). In such a file `control`
 * marks what is no attack, such as the same request in good order.
 */
const ATTACK_AREAS = [
  ...["streams", "json", "requests", "history", "arguments", "frames", "answers", "links", "tokens", "keys"],
  ...["policies", "reach", "injection", "load", "secrets", "audit", "plans"],
] as const;

const CONTROL = "control";

export const TEST_TAGS = [...ATTACK_AREAS.map((area) => `attack/${area}`), CONTROL];

export default class AttackCount implements Reporter {
  readonly #tried = new Map<string, number>();
  #through = 0;

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (state === "skipped" || test.tags.includes(CONTROL)) return;
    for (const area of ATTACK_AREAS) {
      if (!test.tags.includes(`attack/${area}`)) continue;
      this.#tried.set(area, (this.#tried.get(area) ?? 0) + 1);
      if (state === "failed") this.#through += 1;
    }
  }

  onTestRunEnd(): void {
    const counts = [...this.#tried.values()];
    if (counts.length === 0) return;
    const sum = counts.reduce((all, one) => all + one);
    const areas = ATTACK_AREAS.flatMap((area) => (this.#tried.has(area) ? [`${area} ${this.#tried.get(area)}`] : []));
    console.log(`attacks: ${sum} tried, ${this.#through} got through (${areas.join(", ")})`);
  }
}
