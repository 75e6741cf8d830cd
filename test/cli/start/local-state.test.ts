import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claim, release, runningGateway } from "../../../src/cli/start/local-state.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-state-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const unusable = (reason: string) => ({ ok: false, error: { kind: "unusable", reason } });

describe("a state folder", () => {
  it("is made with the folders above it, claimed, and free again after its release", () => {
    const state = join(folder, "a/b");
    expect(claim(state)).toEqual({ ok: true, value: undefined });
    expect(claim(state)).toEqual({ ok: true, value: undefined });
    release(state);
    expect(runningGateway(state)).toBeUndefined();
  });

  it("is claimed again where the gateway that had it was killed", () => {
    mkdirSync(join(folder, "toolgate"));
    writeFileSync(join(folder, "toolgate/gateway.pid"), "999999999");
    expect(claim(folder)).toEqual({ ok: true, value: undefined });
  });

  it.runIf(process.platform === "linux")("in /proc cannot be made, and the answer comes at once", () => {
    expect(claim("/proc/x/y")).toEqual(unusable("ENOENT"));
  });

  it("under a file, or that is a file, cannot be used", () => {
    writeFileSync(join(folder, "file"), "");
    expect(claim(join(folder, "file/state"))).toEqual(unusable("ENOTDIR"));
    expect(claim(join(folder, "file"))).toEqual(unusable("ENOTDIR"));
  });

  // Whoever runs as root may write everywhere.
  it.skipIf(process.getuid?.() === 0)("that may not be written cannot be used", () => {
    chmodSync(folder, 0o500);
    expect(claim(join(folder, "state"))).toEqual(unusable("EACCES"));
  });
});
