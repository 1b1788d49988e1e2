/** Where links lead: pages, other sites after a question, or nowhere. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decideLink, findTail, mayGoOn, splitAddress } from "../../src/chat/link-target";

const ORIGIN = "https://assent.example.com";
const ROUTES = readFileSync(join(import.meta.dirname, "../../src/app.tsx"), "utf8");

describe("decideLink", () => {
  it.each([
    ["/", "/"],
    ["/p/catalog/systems?q=a#b", "/p/catalog/systems?q=a#b"],
    [`${ORIGIN}/audit`, "/audit"],
    ["https://ASSENT.example.com:443/audit", "/audit"],
    ["proposals/mine", "/proposals/mine"],
    [" /chat/1 ", "/chat/1"],
  ])("leads inside: %s", (href, to) => {
    expect(decideLink(href, ORIGIN)).toEqual({ kind: "inside", to });
  });

  it.each([
    ["https://example.com/x", "https://example.com/x"],
    ["HTTPS://EXAMPLE.com", "https://example.com/"],
    ["//example.com", "https://example.com/"],
    ["\\\\example.com", "https://example.com/"],
    ["/\\example.com", "https://example.com/"],
    ["/\t/example.com", "https://example.com/"],
    ["http://assent.example.com/login?token=a", "http://assent.example.com/login?token=a"],
    ["https://assent.example.com:8443/", "https://assent.example.com:8443/"],
    ["https://аpple.example/", "https://xn--pple-43d.example/"],
    ["https://exam\u200bple.com/\u202e", "https://example.com/%E2%80%AE"],
  ])("asks: %s", (href, url) => {
    expect(decideLink(href, ORIGIN)).toEqual({ kind: "outside", url });
  });

  it.each([
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    "vbscript:x",
    "data:text/html,x",
    "blob:https://assent.example.com/1",
    "file:///etc/passwd",
    "ws://example.com",
    "view-source:https://example.com",
    "mailto:a@example.com?body=secret",
    "tel:+15550100",
    "streamdown:incomplete-link",
    "https://assent.example.com@example.com/",
    "https://a:b@example.com/",
    "https://a@assent.example.com/audit",
    "/login?token=abc",
    "/login?reset=abc",
    "/api",
    "/api/auth/logout",
    "/p/../api/me",
    "/p/%2e%2e/api/me",
    "/%61pi/me",
    "/metrics",
    "/mcp",
    "/assets/x.js",
    "/people.json",
    "/.//example.com/?d=secret",
    "/p/..//example.com",
    `${ORIGIN}//example.com`,
    "/%2Fexample.com",
    "#root",
    "?q=a",
    "http://[",
    " ",
    "",
    undefined,
  ])("leads nowhere: %s", (href) => {
    expect(decideLink(href, ORIGIN)).toEqual({ kind: "nowhere" });
  });

  it("knows every page", () => {
    const paths = [...ROUTES.matchAll(/\n {8}<Route path="([a-z]+)/gu)].map(([, path]) => path);
    expect(paths.length).toBeGreaterThan(6);
    for (const path of paths) {
      expect(decideLink(`/${path}/x`, ORIGIN)).toEqual({ kind: "inside", to: `/${path}/x` });
    }
  });
});

describe("mayGoOn", () => {
  it.each([
    ["See https://exam", "https://exam", true],
    ["See www.exam", "http://www.exam", true],
    ["See (https://exam.", "https://exam", true],
    ["See https://example.com/ä", "https://example.com/%C3%A4", true],
    ["[1]: https://exam", "https://exam", true],
    ["See https://example.com now", "https://example.com", false],
    ["See https://example.com\n", "https://example.com", false],
    ["See https://example.com/%", "https://example.org/%", false],
    ["", "https://example.com", false],
    ["See", undefined, false],
  ])("%s", (text, href, expected) => {
    expect(mayGoOn(href, findTail(text))).toBe(expected);
  });
});

describe("splitAddress", () => {
  it.each([
    ["https://example.com/a?b#c", "example.com", "/a?b#c", false],
    ["https://assent.example.com.example.net:81/", "assent.example.com.example.net:81", "/", false],
    ["https://аpple.example/x", "xn--pple-43d.example", "/x", true],
    ["https://www.аpple.example/x", "www.xn--pple-43d.example", "/x", true],
  ])("%s", (address, host, after, foreign) => {
    expect(splitAddress(address)).toEqual({ before: "https://", host, after, foreign });
  });
});
