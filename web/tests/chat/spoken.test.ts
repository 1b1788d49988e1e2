import { describe, expect, it } from "vitest";
import { sentencesOf } from "../../src/chat/spoken";

describe("what is read aloud of an answer", () => {
  it.each([
    ["plain", "There are two. Both run.", ["There are two.", "Both run."]],
    ["a heading", "## Systems\nAll is **well**.", ["Systems", "All is well."]],
    ["a list", "- first one\n- `second` one\n1. third", ["first one", "second one", "third"]],
    ["code in a block", "Run this:\n```sh\nrm -rf x\n```\nThen wait.", ["Run this:", "Then wait."]],
    ["a block that is not closed", "Run this:\n```sh\nrm -rf x", ["Run this:"]],
    ["a table", "Two:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nDone.", ["Two:", "Done."]],
    ["a link", "See [the guide](https://x.example/a).", ["See the guide."]],
    ["an address", "Look at https://x.example/a?b=c now.", ["Look at  now."]],
    ["an image", "![A chart](https://x.example/a.png)", []],
    [
      "names with underlines",
      "The field `api_key_id` is _not_ set.",
      ["The field api_key_id is not set."],
    ],
    ["signs alone", "---\n\n***", []],
    ["nothing", "", []],
  ])("%s", (_, markdown, expected) => {
    expect(sentencesOf(markdown, "en")).toEqual(expected);
  });
});
