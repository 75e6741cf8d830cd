/** The Worker that files of tests start is bundled once, before the first of them. */
import { bundle } from "../../../src/cli/build/worker.ts";
import { gatewayBundle } from "./worker.ts";

export async function setup(): Promise<void> {
  await bundle(gatewayBundle.name, gatewayBundle.entry);
}
