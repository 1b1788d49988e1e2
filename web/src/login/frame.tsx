/** The calm page around the sign-in forms. */

import type { ReactNode } from "react";
import { texts } from "../texts";
import { Mark } from "../ui/logo";

interface LoginFrameProps {
  title: string;
  heading: string;
  children: ReactNode;
}

export function LoginFrame({ title, heading, children }: LoginFrameProps) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-8 px-4 py-10">
      <title>{texts.title(title)}</title>
      <div className="w-full max-w-sm">
        <div className="mb-7 flex flex-col items-center gap-4 text-center">
          <Mark size={44} />
          <h1 className="text-xl font-semibold tracking-tight">{heading}</h1>
        </div>
        <div className="flex flex-col gap-4 rounded-2xl border border-line bg-raised p-6 shadow-soft">
          {children}
        </div>
      </div>
      <p className="text-center text-[0.8125rem] text-muted">{texts.tagline}</p>
    </main>
  );
}
