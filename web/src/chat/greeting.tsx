/** An empty chat: a greeting, and a few things to begin with. They fill the composer, not more. */

import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight, Info } from "lucide-react";
import { Link } from "react-router";
import { agentChoicesQuery, integrationChoicesQuery } from "../api/assistant";
import { INTEGRATIONS_PATH } from "../assistant/paths";
import { useMayEverywhere, useMe } from "../session/me";
import { texts } from "../texts";
import { Mark } from "../ui/logo";
import { findAgent } from "./agents";

const words = texts.chat;

export function firstName(name: string): string {
  return name.trim().split(/\s+/u)[0] ?? "";
}

interface GreetingProps {
  agent: string | null;
  onChoose: (text: string) => void;
}

export function Greeting({ agent, onChoose }: GreetingProps) {
  const { name } = useMe();
  return (
    <div className="flex flex-1 flex-col justify-center py-4 @xl:py-8">
      <span className="mb-4 hidden @xl:block">
        <Mark size={36} />
      </span>
      <h2 className="text-xl @xl:text-2xl font-semibold tracking-tight text-balance">
        {words.greeting(firstName(name), new Date().getHours())}
      </h2>
      <p className="mt-1 text-[0.9375rem] text-muted">{words.greetingBody}</p>
      <DemoLine />
      <Suggestions agent={agent} onChoose={onChoose} />
    </div>
  );
}

/** What the tools in scope can do, and what always can be asked. */
function Suggestions({ agent, onChoose }: GreetingProps) {
  const { data: agents, isPending } = useQuery(agentChoicesQuery);
  const fitting = findAgent(agents ?? [], agent)?.suggestions ?? [];
  return (
    <ul aria-label={words.suggestionsLabel} className="mt-6 grid gap-2.5 @xl:grid-cols-2">
      {isPending && <SuggestionSkeletons />}
      {!isPending &&
        [...fitting, words.suggestion].map(({ title, text }) => (
          <li key={text}>
            <button
              type="button"
              onClick={() => onChoose(text)}
              className="group flex w-full items-center gap-3 rounded-xl border border-line bg-raised px-4 py-3 text-left shadow-soft transition-colors hover:border-line-strong"
            >
              <span className="min-w-0 flex-1">
                <span className="block text-xs text-muted">{title}</span>
                <span className="block text-pretty">{text}</span>
              </span>
              <ArrowUpRight
                size={15}
                aria-hidden="true"
                className="shrink-0 text-faint group-hover:text-accent"
              />
            </button>
          </li>
        ))}
    </ul>
  );
}

/** As high as what comes, so that nothing moves. */
function SuggestionSkeletons() {
  return [1, 2, 3, 4].map((place) => (
    <li key={place} aria-hidden="true" className="skeleton h-15.5 rounded-xl!" />
  ));
}

/** Nobody should take the demo model for what a model can do. */
function DemoLine() {
  const { data } = useQuery(integrationChoicesQuery);
  const mayConnect = useMayEverywhere("ai.integration.manage");
  if (data === undefined || data.length > 0) return null;
  return (
    <p className="mt-3 flex items-start gap-2 text-[0.8125rem] text-muted">
      <Info size={15} aria-hidden="true" className="mt-0.5 shrink-0" />
      <span>
        {words.demoLine} {!mayConnect && words.demoAskShort}
        {mayConnect && (
          <Link
            to={INTEGRATIONS_PATH}
            className="font-medium text-accent underline decoration-accent/35 underline-offset-3 hover:decoration-accent"
          >
            {words.demoConnect}
          </Link>
        )}
      </span>
    </p>
  );
}
