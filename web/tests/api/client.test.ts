import { describe, expect, it, vi } from "vitest";
import { api, given, take } from "../../src/api/client";
import { readAll } from "../../src/api/paging";
import { Problem, UNREACHABLE } from "../../src/api/problem";
import { problem, stubServer } from "../server";

describe("api", () => {
  it("marks requests that change something, and no others", async () => {
    const asked = stubServer({
      "GET /api/pages": { body: { items: [] } },
      "POST /api/auth/logout": { status: 204 },
    });
    await api.GET("/api/pages");
    await api.POST("/api/auth/logout");
    expect(asked.map(({ headers }) => headers.get("x-assent-csrf"))).toEqual([null, "1"]);
    expect(asked[1]?.headers.get("content-type")).toBe("application/json");
  });

  it("throws a problem with what the server said", async () => {
    stubServer({ "GET /api/pages": problem(403, { rule: "a.b.read", detail: "No." }) });
    const answer = api.GET("/api/pages").then(take);
    await expect(answer).rejects.toMatchObject({ status: 403, rule: "a.b.read", detail: "No." });
  });

  it("throws a problem when the server is not there", async () => {
    vi.stubGlobal("fetch", async () => {
      throw new TypeError("Failed to fetch");
    });
    const answer = api.GET("/api/pages");
    await expect(answer).rejects.toBeInstanceOf(Problem);
    await expect(answer).rejects.toMatchObject({ code: UNREACHABLE });
  });
});

describe("given", () => {
  it("leaves out what is not given", () => {
    expect(given({ q: "", groupId: null, limit: 0, other: undefined, name: "a" })).toEqual({
      limit: 0,
      name: "a",
    });
  });
});

describe("readAll", () => {
  it("follows the cursors to the end", async () => {
    const pages: Record<string, { items: number[]; nextCursor: string | null }> = {
      start: { items: [1, 2], nextCursor: "b" },
      b: { items: [3], nextCursor: null },
    };
    const read = vi.fn(
      async ({ cursor = "start" }: { cursor?: string }) =>
        pages[cursor] ?? { items: [], nextCursor: null },
    );
    expect(await readAll(read)).toEqual([1, 2, 3]);
    expect(read).toHaveBeenCalledTimes(2);
  });
});
