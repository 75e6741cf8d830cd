/** The runtime's program and version. The package is CommonJS with a `default`, which an import would hand out wrapped. */
import { createRequire } from "node:module";

const workerd = createRequire(import.meta.url)("workerd") as { readonly default: string; readonly version: string };

export const workerdPath = workerd.default;
export const workerdVersion = workerd.version;
