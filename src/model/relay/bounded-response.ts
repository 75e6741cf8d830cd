/** An upstream's answer that is read as a whole: one without an end would fill a memory that is others' too. */

/** Some times what a model writes in the tokens that it is granted, and what a provider adds to it. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Its body breaks off with an error where it is longer. */
export function ofBoundedLength(response: Response): Response {
  if (!response.body) return response;
  let left = MAX_BYTES;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      left -= bytes.byteLength;
      if (left < 0) controller.error(new Error(`the upstream's answer is longer than ${MAX_BYTES} bytes`));
      else controller.enqueue(bytes);
    },
  });
  return new Response(response.body.pipeThrough(counted), response);
}
