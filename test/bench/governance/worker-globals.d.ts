/** What the Worker's own code uses of its runtime, where a bench runs that code in node. */
declare const IdentityTransformStream: new () => TransformStream<Uint8Array, Uint8Array>;
