/** Above the composer when something went wrong: what, and a way to try again. */

import { describeFailure } from "../api/failure";
import { Problem } from "../api/problem";
import { texts } from "../texts";
import { Banner } from "../ui/banner";
import { Button } from "../ui/button";
import { NotSent } from "./transport";

const words = texts.chat;

function describe(error: Error): { title: string; detail: string } {
  if (error instanceof NotSent) {
    return { title: words.unsentTitle, detail: describeFailure(error.cause) };
  }
  if (error instanceof Problem) return { title: words.lostTitle, detail: describeFailure(error) };
  return { title: words.failedTitle, detail: error.message };
}

interface ErrorBarProps {
  error: Error;
  onRetry: () => void;
  onDismiss: () => void;
}

export function ErrorBar({ error, onRetry, onDismiss }: ErrorBarProps) {
  const { title, detail } = describe(error);
  return (
    <div className="mx-auto w-full max-w-3xl px-3 pb-2 sm:px-6">
      <Banner
        tone="danger"
        title={title}
        action={
          <div className="flex gap-2">
            <Button size="small" onClick={onRetry}>
              {texts.actions.retry}
            </Button>
            <Button size="small" variant="ghost" onClick={onDismiss} className="text-inherit!">
              {words.dismiss}
            </Button>
          </div>
        }
      >
        {detail}
      </Banner>
    </div>
  );
}
