import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { buildNavigation } from "../../src/shell/navigation";
import { NavigationList } from "../../src/shell/navigation-list";
import { texts } from "../../src/texts";
import { ADA, renderPage } from "../render";

function show(waiting: string | null, collapsed = false) {
  renderPage(
    <NavigationList navigation={buildNavigation(ADA, [], waiting)} collapsed={collapsed} />,
  );
  return screen.getByRole("link", { name: new RegExp(texts.shell.proposals) });
}

describe("NavigationList", () => {
  it.each([false, true])("says how many proposals wait, collapsed: %s", (collapsed) => {
    expect(show("3", collapsed)).toHaveAccessibleName(
      `${texts.shell.proposals}, ${texts.shell.waiting("3")}`,
    );
  });

  it("says nothing when none waits", () => {
    expect(show(null)).toHaveAccessibleName(texts.shell.proposals);
  });
});
