import { describe, expect, it } from "vitest";
import { readArguments } from "../../src/cli/program-arguments.ts";

const read = (...argv: string[]) =>
  readArguments(argv, "thing [--yes] [--name N]", {
    yes: { type: "boolean", default: false },
    name: { type: "string" },
  });

describe("a command line", () => {
  it("is read by its options", () => {
    expect(read()).toEqual({ ok: true, value: { yes: false } });
    expect(read("--yes", "--name", "x")).toEqual({ ok: true, value: { yes: true, name: "x" } });
  });

  it.each([["--help"], ["-h"], ["--nonsense", "--help"]])("%s %s asks for help", (...argv) => {
    expect(read(...argv)).toEqual({ ok: false, error: { text: "usage: thing [--yes] [--name N]", exitCode: 0 } });
  });

  it.each([
    [["--yse"], "unknown option `--yse`: did you mean `--yes`?"],
    [["--far-away"], "unknown option `--far-away`"],
    [["-x"], "unknown option `-x`"],
    [["now"], "unexpected argument `now`"],
    [["--yes=1"], "Option '--yes' does not take an argument"],
    [["--name"], "Option '--name <value>' argument missing"],
  ])("%s is refused with what is wrong and the usage", (argv, problem) => {
    expect(read(...argv)).toEqual({
      ok: false,
      error: { text: `${problem}\nusage: thing [--yes] [--name N]`, exitCode: 2 },
    });
  });
});
