import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Users } from "lucide-react";
import { useLocation } from "react-router";
import { describe, expect, it, vi } from "vitest";
import { useShortcuts } from "../../src/shell/use-shortcuts";
import { SearchBox } from "../../src/ui/search-box";
import { renderPage } from "../render";

const PEOPLE = { to: "/people", label: "People", icon: Users, letter: "p", waiting: null };

interface ProbeProps {
  onHelp?: () => void;
  onDock?: () => void;
}

function Probe({ onHelp = () => {}, onDock = () => {} }: ProbeProps) {
  useShortcuts({ destinations: [PEOPLE], onHelp, onToggleSidebar: () => {}, onDock });
  return (
    <>
      <p>at {useLocation().pathname}</p>
      <SearchBox label="Search here" value="" onChange={() => {}} />
    </>
  );
}

describe("useShortcuts", () => {
  it("goes somewhere with g and a letter", async () => {
    renderPage(<Probe />);
    await userEvent.keyboard("gp");
    expect(screen.getByText("at /people")).toBeVisible();
  });

  it("does nothing with the letter alone", async () => {
    renderPage(<Probe />);
    await userEvent.keyboard("pxgxp");
    expect(screen.getByText("at /")).toBeVisible();
  });

  it("focuses the search and then leaves the keys to it", async () => {
    renderPage(<Probe />);
    await userEvent.keyboard("/");
    expect(screen.getByLabelText("Search here")).toHaveFocus();
    await userEvent.keyboard("gp");
    expect(screen.getByText("at /")).toBeVisible();
  });

  it("helps on a question mark", async () => {
    const onHelp = vi.fn();
    renderPage(<Probe onHelp={onHelp} />);
    await userEvent.keyboard("?");
    expect(onHelp).toHaveBeenCalledOnce();
  });

  it("asks for the dock with a bracket, and while typing with Control and J", async () => {
    const onDock = vi.fn();
    renderPage(<Probe onDock={onDock} />);
    await userEvent.keyboard("]");
    expect(onDock).toHaveBeenCalledTimes(1);
    screen.getByLabelText("Search here").focus();
    await userEvent.keyboard("]");
    expect(onDock).toHaveBeenCalledTimes(1);
    await userEvent.keyboard("{Control>}j{/Control}");
    expect(onDock).toHaveBeenCalledTimes(2);
  });
});
