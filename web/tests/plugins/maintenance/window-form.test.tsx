/** The form of a maintenance window: what it checks itself, and what it hands on. */

import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { NewWindowForm } from "../../../src/plugins/maintenance/window-form";
import { renderPage } from "../../render";
import { stubServer } from "../../server";

const PLACE = {
  options: [{ id: "payments", slug: "payments", name: "Payments" }],
  initial: "payments",
};

function renderForm() {
  stubServer({
    "GET /api/p/maintenance/addresses/payments": { body: { workspaceId: "payments", url: null } },
  });
  const submit = vi.fn(async () => {});
  renderPage(
    <NewWindowForm placement={PLACE} systems={[]} onCancel={() => {}} onSubmit={submit} />,
  );
  return submit;
}

async function fill(begins: string, ends: string) {
  await userEvent.type(screen.getByLabelText("Title"), " Disks ");
  await userEvent.type(screen.getByLabelText("Begins"), begins);
  await userEvent.type(screen.getByLabelText("Ends"), ends);
  await userEvent.click(screen.getByRole("button", { name: "Schedule" }));
}

describe("the form of a maintenance window", () => {
  it("hands on moments with an offset", async () => {
    const submit = renderForm();
    await fill("2026-07-01T22:00", "2026-07-02T00:30");
    expect(submit).toHaveBeenCalledWith({
      workspaceId: "payments",
      title: "Disks",
      description: "",
      systemIds: [],
      startsAt: new Date("2026-07-01T22:00").toISOString(),
      endsAt: new Date("2026-07-02T00:30").toISOString(),
      notify: false,
    });
  });

  it("wants the end after the beginning", async () => {
    const submit = renderForm();
    await fill("2026-07-01T22:00", "2026-07-01T22:00");
    expect(screen.getByText("The end is after the beginning.")).toBeVisible();
    expect(submit).not.toHaveBeenCalled();
  });

  it("offers to notify only where there is an address", async () => {
    renderForm();
    await screen.findByLabelText("Title");
    expect(screen.queryByRole("switch")).toBeNull();
  });
});
