import { describe, expect, it } from "vitest";
import { loginPath, safeNextPath } from "../../src/session/next-path";

describe("safeNextPath", () => {
  it.each(["/people", "/people?q=a&b=c#top", "/p/catalog/systems/1", "/loginhelp", "/apidocs"])(
    "keeps %s",
    (path) => {
      expect(safeNextPath(path)).toBe(path);
    },
  );

  it.each([
    null,
    "",
    "people",
    "//evil.example",
    "//evil.example/people",
    "/\\\\evil.example/people",
    "///evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/.//evil.example",
    "/a/..//evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "/login",
    "/login?next=/login",
    "/api/auth/oidc/login",
    "/api",
  ])("sends %j home", (path) => {
    expect(safeNextPath(path)).toBe("/");
  });
});

describe("loginPath", () => {
  it("remembers where somebody was", () => {
    const from = { pathname: "/people", search: "?q=a b", hash: "#x" };
    expect(loginPath(from)).toBe(`/login?next=${encodeURIComponent("/people?q=a%20b#x")}`);
  });

  it("does not mention the start page", () => {
    expect(loginPath({ pathname: "/", search: "", hash: "" })).toBe("/login");
  });
});
