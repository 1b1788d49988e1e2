/** Files on their way into a message. */

import { describe, expect, it } from "vitest";
import {
  type Attachment,
  change,
  describeSize,
  fileIdsOf,
  isReady,
  parseKept,
  toPart,
} from "../../src/chat/attachments";

const ready: Attachment = {
  key: "a",
  name: "plan.pdf",
  size: 5,
  state: "ready",
  fileId: "7",
  mediaType: "application/pdf",
};

describe("attachments", () => {
  it.each([
    [0, "0 B"],
    [1023, "1023 B"],
    [1024, "1.0 KB"],
    [150_000, "146 KB"],
    [10 * 1024 * 1024, "10 MB"],
  ])("says how large %i bytes are", (size, said) => {
    expect(describeSize(size)).toBe(said);
  });

  it("becomes a part with our own address, and back", () => {
    if (!isReady(ready)) throw new Error("not ready");
    const part = toPart(ready);
    expect(part).toEqual({
      type: "file",
      mediaType: "application/pdf",
      filename: "plan.pdf",
      url: "/api/files/7",
    });
    expect(fileIdsOf([{ type: "text" }, part])).toEqual(["7"]);
  });

  it("changes only the one that is meant", () => {
    const other: Attachment = { ...ready, key: "b" };
    const failed: Attachment = { key: "a", name: "x", size: 1, state: "failed", why: "No." };
    expect(change([ready, other], "a", failed)).toEqual([failed, other]);
  });

  it.each([
    ["", []],
    ["rubbish", []],
    ["{}", []],
    [JSON.stringify([ready, { state: "sending" }, null]), [ready]],
  ])("keeps of %s what makes sense", (kept, read) => {
    expect(parseKept(kept)).toEqual(read);
  });
});
