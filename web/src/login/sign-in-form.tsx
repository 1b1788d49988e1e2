/** E-mail and password, and the organization's own sign-in where there is one. */

import { useEffect, useState } from "react";
import { Problem } from "../api/problem";
import { Form, FormMessage, TextField } from "../forms/form";
import { useForm } from "../forms/use-form";
import { invalidOf, needed } from "../forms/validate";
import { texts } from "../texts";
import { formatWait } from "../time/format";
import { Banner } from "../ui/banner";
import { Button } from "../ui/button";

interface Credentials {
  email: string;
  password: string;
}

interface SignInFormProps {
  password: boolean;
  oidc: { label: string } | null;
  oidcPath: string;
  onSubmit: (credentials: Credentials) => Promise<unknown>;
}

export function SignInForm({ password, oidc, oidcPath, onSubmit }: SignInFormProps) {
  return (
    <>
      {oidc !== null && (
        <a
          href={oidcPath}
          className="flex h-10 items-center justify-center rounded-lg border border-line-strong bg-raised px-4 font-medium shadow-soft transition-colors hover:border-faint"
        >
          {texts.signIn.with(oidc.label)}
        </a>
      )}
      {oidc !== null && password && <Divider />}
      {password && <PasswordForm onSubmit={onSubmit} />}
    </>
  );
}

function Divider() {
  return (
    <div className="flex items-center gap-3 text-xs text-faint">
      <span className="h-px flex-1 bg-line" />
      {texts.signIn.or}
      <span className="h-px flex-1 bg-line" />
    </div>
  );
}

/** Counts down to zero, second by second. */
function useCountdown(): [number, (seconds: number) => void] {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return [left, setLeft];
}

const DEFAULT_WAIT_SECONDS = 30;

interface PasswordFormProps {
  onSubmit: (credentials: Credentials) => Promise<unknown>;
}

function PasswordForm({ onSubmit }: PasswordFormProps) {
  const [wait, setWait] = useCountdown();
  const [refused, setRefused] = useState<string | null>(null);
  const form = useForm<Credentials>({
    initial: { email: "", password: "" },
    validate: ({ email, password }) =>
      invalidOf({
        email: needed(email),
        password: password === "" ? texts.forms.required : undefined,
      }),
    submit: async (values) => {
      setRefused(null);
      await onSubmit({ ...values, email: values.email.trim() });
    },
    onFailure: (error) => {
      if (!(error instanceof Problem)) return false;
      if (error.status === 429) setWait(error.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS);
      else if (error.status === 401) setRefused(error.detail);
      return error.status === 429 || error.status === 401;
    },
  });
  return (
    <Form form={form} label={texts.signIn.title} className="gap-4">
      {refused !== null && <Banner tone="danger">{refused}</Banner>}
      {refused === null && <FormMessage form={form} />}
      {wait > 0 && <Banner tone="caution">{texts.signIn.tooMany(formatWait(wait))}</Banner>}
      <TextField
        form={form}
        name="email"
        label={texts.signIn.email}
        kind="email"
        autoComplete="username"
      />
      <TextField
        form={form}
        name="password"
        label={texts.signIn.password}
        kind="password"
        autoComplete="current-password"
      />
      <Button type="submit" variant="primary" size="large" busy={form.busy} disabled={wait > 0}>
        {texts.signIn.submit}
      </Button>
    </Form>
  );
}
