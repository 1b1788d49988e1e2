/** A page without navigation: somebody came from a program for one decision, and goes back. */

import type { ReactNode } from "react";
import { texts } from "../texts";
import { classes } from "../ui/classes";
import { Mark } from "../ui/logo";

interface LonePageProps {
  title: string;
  width: "narrow" | "text";
  children: ReactNode;
}

const WIDTHS = { narrow: "max-w-lg", text: "max-w-3xl" };

export function LonePage({ title, width, children }: LonePageProps) {
  return (
    <div className="flex min-h-dvh flex-col bg-canvas">
      <title>{texts.title(title)}</title>
      <header className="flex items-center gap-2.5 px-4 py-4 sm:px-6">
        <Mark size={24} />
        <span className="font-semibold tracking-tight">{texts.product}</span>
      </header>
      <main className={classes("mx-auto w-full flex-1 px-4 pt-2 pb-10 sm:pt-6", WIDTHS[width])}>
        {children}
      </main>
      <footer className="px-4 pb-6 text-center text-[0.8125rem] text-muted">{texts.tagline}</footer>
    </div>
  );
}
