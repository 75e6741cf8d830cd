/** VAPID keys, and where browsers may be told. */
import { describe, expect, test } from "vitest";
import { mayPush, readPush } from "../../src/settings/push.ts";

const point = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString("base64url");
const whole = {
  VAPID_PUBLIC_KEY: point,
  VAPID_PRIVATE_KEY: Buffer.alloc(32, 3).toString("base64url"),
  VAPID_SUBJECT: "mailto:ops@example.com",
};

test("none are no push; all are; a part names what is missing", () => {
  expect(readPush({})).toEqual({ ok: true, value: undefined });
  expect(readPush(whole)).toMatchObject({ ok: true, value: { keys: { publicKey: point } } });
  const { VAPID_PRIVATE_KEY: _, ...part } = whole;
  expect(readPush(part)).toMatchObject({ ok: false, error: [expect.stringContaining("VAPID_PRIVATE_KEY")] });
  expect(readPush({ ...whole, VAPID_SUBJECT: "ops" })).toMatchObject({ ok: false });
  expect(readPush({ ...whole, PUSH_HOSTS: "https://push.example.com" })).toMatchObject({ ok: false });
});

describe("a browser", () => {
  const read = readPush(whole);
  if (!read.ok || !read.value) throw new Error("no settings");
  const settings = read.value;
  test.each([
    ["https://fcm.googleapis.com/fcm/send/abc", true],
    ["https://updates.push.services.mozilla.com/wpush/v2/abc", true],
    ["https://push.services.mozilla.com.evil.example/", false],
    ["https://evilpush.apple.com/", false],
    ["http://fcm.googleapis.com/", false],
    ["https://fcm.googleapis.com:8443/", false],
    ["https://a:b@fcm.googleapis.com/", false],
    ["https://10.0.0.1/", false],
    ["none", false],
  ])("at %s may be told: %s", (endpoint, may) => {
    expect(mayPush(settings, endpoint)).toBe(may);
  });
});
