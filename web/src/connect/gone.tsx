/** The person has answered: the browser goes back to the program, and this stays if it does not. */

import { CircleCheck, CircleSlash } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Consent } from "../api/types";
import { texts } from "../texts";
import { Banner } from "../ui/banner";
import { Button } from "../ui/button";
import { Card } from "../ui/page";
import { Visible } from "../values/visible";
import { wayTo } from "./redirect";

const words = texts.connect;

export type Answer = "allow" | "deny";

interface GoneProps {
  asked: Consent;
  answer: Answer;
  to: string;
  leave: (address: string) => void;
}

export function Gone({ asked, answer, to, leave }: GoneProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const way = wayTo(to);
  useEffect(() => {
    heading.current?.focus();
    if (way !== "never") leave(to);
  }, [way, to, leave]);
  const { clientName, redirectHost, isLoopback } = asked;
  const allowed = answer === "allow";
  const Icon = allowed ? CircleCheck : CircleSlash;
  const stays = isLoopback || way !== "web";
  return (
    <Card className="flex flex-col items-center gap-2 px-5 py-12 text-center">
      <Icon
        size={36}
        strokeWidth={1.5}
        aria-hidden="true"
        className={allowed ? "text-accent" : "text-muted"}
      />
      <h1
        ref={heading}
        tabIndex={-1}
        className="mt-1 text-lg font-semibold tracking-tight text-balance wrap-anywhere outline-none!"
      >
        <Visible text={allowed ? words.goneAllowed(clientName) : words.goneDenied(clientName)} />
      </h1>
      {way === "never" ? (
        <Banner tone="danger">{words.unusable}</Banner>
      ) : (
        <>
          <p role="status" className="max-w-sm text-pretty wrap-anywhere text-muted">
            <Visible text={stays ? words.close(clientName) : words.back(redirectHost)} />
          </p>
          <Button variant="ghost" onClick={() => leave(to)} className="mt-3">
            {words.again}
          </Button>
        </>
      )}
    </Card>
  );
}
