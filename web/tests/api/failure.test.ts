import { describe, expect, it } from "vitest";
import { describeFailure, sortFailure } from "../../src/api/failure";
import { type Issue, parseProblem, unreachable } from "../../src/api/problem";
import { texts } from "../../src/texts";

function invalid(issues: Issue[]) {
  return parseProblem(new Response(null, { status: 422 }), { detail: "Not valid.", issues });
}

describe("sortFailure", () => {
  it.each(["name", "body.name", "/name", "name.0.first", "name[0]"])(
    "puts an issue at %s on the field",
    (path) => {
      const sorted = sortFailure(invalid([{ path, message: "Taken." }]), ["name"]);
      expect(sorted).toEqual({ fields: { name: "Taken." }, general: null });
    },
  );

  it("keeps the first message of a field", () => {
    const issues = [
      { path: "name", message: "Too long." },
      { path: "name", message: "Taken." },
    ];
    expect(sortFailure(invalid(issues), ["name"]).fields).toEqual({ name: "Too long." });
  });

  it("says in general what belongs to no field", () => {
    const issues = [
      { path: "name", message: "Taken." },
      { path: "tenant", message: "Gone." },
      { path: "", message: "Odd." },
    ];
    expect(sortFailure(invalid(issues), ["name"])).toEqual({
      fields: { name: "Taken." },
      general: "tenant: Gone. Odd.",
    });
  });

  it("shows the detail of a problem without issues", () => {
    const problem = parseProblem(new Response(null, { status: 409 }), { detail: "Last admin." });
    expect(sortFailure(problem, ["name"])).toEqual({ fields: {}, general: "Last admin." });
  });
});

describe("describeFailure", () => {
  it("explains a server that cannot be reached", () => {
    expect(describeFailure(unreachable())).toBe(texts.states.unreachable);
  });
});

describe("parseProblem", () => {
  it("reads the rule, the request and the wait", () => {
    const response = new Response(null, { status: 429, headers: { "retry-after": "42" } });
    const problem = parseProblem(response, { detail: "Wait.", rule: "a.b.read", requestId: "r1" });
    expect(problem).toMatchObject({ status: 429, rule: "a.b.read", requestId: "r1" });
    expect(problem.retryAfterSeconds).toBe(42);
  });

  it.each([undefined, "<html>Bad gateway</html>", null, { issues: "none" }])(
    "makes do with the body %j",
    (body) => {
      const problem = parseProblem(new Response(null, { status: 502 }), body);
      expect(problem).toMatchObject({ status: 502, code: "unknown", issues: [], detail: "502" });
    },
  );
});
