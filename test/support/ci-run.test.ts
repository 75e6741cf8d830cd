/** What `.ci/run` makes of tests in a browser that did not run. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const ci = fileURLToPath(new URL("../../.ci/", import.meta.url).href);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-ci-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/bash\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

describe("the installation of chromium", () => {
  const missing = () => join(folder, "chromium");

  /** @param apt what `apt-get` does; the arguments are its own. */
  function install({ apt, user = 0 }: { readonly apt: string; readonly user?: number }): number | null {
    rmSync(missing(), { force: true });
    program("id", `echo ${user}`);
    program("apt-get", apt);
    const env = { PATH: `${folder}:/usr/bin:/bin` };
    return spawnSync(join(ci, "install-chromium"), [missing()], { env }).status;
  }

  test("is over where it is there already", () => {
    expect(spawnSync(join(ci, "install-chromium"), [process.execPath]).status).toBe(0);
  });

  test("does its work where apt-get has it, also where one source does not answer", () => {
    const copy = `case "$*" in *update) exit 100 ;; *download-only*) ;; *) cp /bin/true "${missing()}" ;; esac`;
    expect(install({ apt: copy })).toBe(0);
  });

  test("is not possible without root, or where apt-get cannot fetch it", () => {
    expect(install({ apt: "exit 0", user: 1000 })).toBe(3);
    expect(install({ apt: "exit 100" })).toBe(3);
  });

  test("fails where it was fetched and is not there", () => {
    expect(install({ apt: `case "$*" in *update | *download-only*) ;; *) exit 100 ;; esac` })).toBe(1);
    expect(install({ apt: "exit 0" })).toBe(1);
  });
});

describe("the counts", () => {
  const suite = (name: string, ...states: readonly string[]) => ({
    name: `/repo/test/${name}.test.ts`,
    status: "passed",
    assertionResults: states.map((status) => ({ status, fullName: status, failureMessages: [] })),
  });

  function count(code: string, browser: string, ...suites: readonly ReturnType<typeof suite>[]) {
    const states = suites.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
    const number = (state: string) => states.filter((one) => one === state).length;
    const report = {
      numPassedTests: number("passed"),
      numFailedTests: number("failed"),
      numPendingTests: number("skipped"),
      numTodoTests: 0,
      testResults: suites,
    };
    const path = join(folder, "tests.json");
    writeFileSync(path, JSON.stringify(report));
    const { status, stdout } = spawnSync(process.execPath, [join(ci, "count-tests.mjs"), path, code, browser]);
    return { status, lines: stdout.toString().trim().split("\n") };
  }

  const unit = suite("lib/a", "passed", "passed");

  test("fail for skipped tests in a browser that could be there", () => {
    const { status, lines } = count("0", "required", unit, suite("browser/look", "skipped", "skipped"));
    expect(status).toBe(1);
    expect(lines.at(-2)).toContain("FAILED 2 tests in a browser were skipped");
    expect(lines.at(-1)).toBe("2 passed, 2 failed");
  });

  test("say that they were skipped where no browser can be had, and pass", () => {
    const { status, lines } = count("0", "optional", unit, suite("browser/look", "skipped"));
    expect(status).toBe(0);
    expect(lines.at(-2)).toContain("SKIPPED 1 tests in a browser");
    expect(lines.at(-1)).toBe("2 passed, 0 failed, 1 skipped");
  });

  test("let other tests be skipped", () => {
    const { status, lines } = count("0", "required", suite("lib/a", "passed", "skipped"), suite("browser/b", "passed"));
    expect([status, lines]).toEqual([0, ["2 passed, 0 failed, 1 skipped"]]);
  });

  test("fail where the run did", () => {
    expect(count("1", "optional", unit)).toEqual({ status: 1, lines: ["2 passed, 1 failed"] });
  });
});
