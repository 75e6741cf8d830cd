/** Messages for a browser, by the example of RFC 8291 (appendix A). */
import { expect, test } from "vitest";
import { bytesOf, encryptPush } from "../../src/lib/web-push/encrypt-push.ts";

const d = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";

test("the RFC's own message comes out byte by byte", async () => {
  const point = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
  const [x, y] = [bytesOf(point).slice(1, 33), bytesOf(point).slice(33)].map((half) =>
    Buffer.from(half).toString("base64url"),
  );
  const algorithm = { name: "ECDH", namedCurve: "P-256" };
  const jwk = { kty: "EC", crv: "P-256", x, y };
  const keys = {
    publicKey: await crypto.subtle.importKey("jwk", jwk, algorithm, true, []),
    privateKey: await crypto.subtle.importKey("jwk", { ...jwk, d }, algorithm, false, ["deriveBits"]),
  } as CryptoKeyPair;
  const to = {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  };
  const salt = bytesOf("DGv6ra1nlYgDCS1FRnbzlw");
  const sealed = await encryptPush("When I grow up, I want to be a watermelon", to, { keys, salt });
  expect(Buffer.from(sealed).toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("what no push service would take is not encrypted", async () => {
  await expect(encryptPush("x".repeat(3_001), { p256dh: "", auth: "" })).rejects.toThrow("3000 bytes");
});
