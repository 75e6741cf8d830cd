/**
 * `npm run model`: trains the model of the built-in policy and puts it into `assets`, in place of the one before. With `--check` it only says
 * whether that one is there.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkPolicy } from "../../policy/check.ts";
import { shippedFile } from "../../stores/semantic/assets.ts";
import { builtInPolicy } from "../policy-file.ts";
import { programArguments } from "../program-arguments.ts";
import { root } from "../settings.ts";
import { keyOfModel, trainedModel } from "./trained-model.ts";

const usage =
  "npm run model -- [--check]\ntrains the model of the built-in policy; with --check only says whether it is there";
const { check } = programArguments(usage, { check: { type: "boolean", default: false } });
const checked = checkPolicy(JSON.parse(readFileSync(builtInPolicy, "utf8")), "default");
if (!checked.ok) throw new Error(JSON.stringify(checked.error));
const { policy } = checked.value;
const assets = join(root, "assets");
const key = await keyOfModel(policy);
if (key === undefined) throw new Error("the built-in policy has no trained layer");

if (!check) {
  for (const file of readdirSync(assets)) if (/^model\./.test(file)) rmSync(join(assets, file));
  const model = await trainedModel(policy);
  if (model) writeFileSync(join(assets, shippedFile(key)), model.value);
} else if (!existsSync(join(assets, shippedFile(key)))) {
  console.error("the model of the built-in policy is out of date, run `npm run model`");
  process.exitCode = 1;
}
