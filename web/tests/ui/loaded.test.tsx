import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { parseProblem } from "../../src/api/problem";
import { texts } from "../../src/texts";
import { Loaded, type QueryView } from "../../src/ui/loaded";

function query(fields: Partial<QueryView<string>>): QueryView<string> {
  return { data: undefined, error: null, fetchStatus: "fetching", refetch: vi.fn(), ...fields };
}

function failed(status: number, body: object = {}) {
  return query({ error: parseProblem(new Response(null, { status }), body), fetchStatus: "idle" });
}

function show(view: QueryView<string>) {
  render(<Loaded query={view}>{(data) => <p>{data}</p>}</Loaded>);
}

describe("Loaded", () => {
  it("shows a skeleton while loading", () => {
    show(query({}));
    expect(screen.getByRole("status", { name: texts.states.loading })).toBeVisible();
  });

  it("says that there is no connection", () => {
    show(query({ fetchStatus: "paused" }));
    expect(screen.getByText(texts.states.offlineTitle)).toBeVisible();
  });

  it("names the rule that is missing", () => {
    show(failed(403, { rule: "catalog.system.read" }));
    expect(screen.getByText("catalog.system.read")).toBeVisible();
  });

  it("says what is not there", () => {
    show(failed(404));
    expect(screen.getByText(texts.states.missingTitle)).toBeVisible();
  });

  it("shows what failed and tries again", async () => {
    const view = failed(500, { detail: "It broke.", requestId: "r-1" });
    show(view);
    expect(screen.getByRole("alert")).toHaveTextContent("It broke.");
    expect(screen.getByText(texts.states.requestId("r-1"))).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: texts.actions.retry }));
    expect(view.refetch).toHaveBeenCalledOnce();
  });

  it("keeps showing data when reading it again fails", () => {
    show({ ...failed(500), data: "Here" });
    expect(screen.getByText("Here")).toBeVisible();
  });
});
