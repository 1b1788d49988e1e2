/** Signing in, or setting a password with a link. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearchParams } from "react-router";
import { ME, methodsQuery, resetPassword, signIn } from "../api/session";
import type { Me } from "../api/types";
import { safeNextPath } from "../session/next-path";
import { texts } from "../texts";
import { Banner } from "../ui/banner";
import { LoginFrame } from "./frame";
import { ResetForm } from "./reset-form";
import { SignInForm } from "./sign-in-form";

type ErrorCode = keyof typeof texts.signIn.errors;

export function explainError(code: string): string {
  const known = Object.hasOwn(texts.signIn.errors, code) ? (code as ErrorCode) : "other";
  return texts.signIn.errors[known];
}

export function LoginPage() {
  const [parameters] = useSearchParams();
  const token = parameters.get("reset");
  const error = parameters.get("error");
  const next = safeNextPath(parameters.get("next"));
  const client = useQueryClient();
  const navigate = useNavigate();

  async function enter(me: Me, path: string): Promise<void> {
    client.clear();
    client.setQueryData(ME, me);
    await navigate(path, { replace: true });
  }

  if (token !== null) {
    return (
      <LoginFrame title={texts.signIn.resetTitle} heading={texts.signIn.resetHeading}>
        <ResetForm
          onSubmit={async (password) => enter(await resetPassword({ token, password }), "/")}
        />
      </LoginFrame>
    );
  }
  return (
    <LoginFrame title={texts.signIn.title} heading={texts.signIn.heading}>
      {error !== null && <Banner tone="caution">{explainError(error)}</Banner>}
      <SignIn next={next} onEntered={(me) => enter(me, next)} />
    </LoginFrame>
  );
}

interface SignInProps {
  next: string;
  onEntered: (me: Me) => Promise<void>;
}

/** The password form does not wait for the methods; a server that cannot answer them says so on submit. */
function SignIn({ next, onEntered }: SignInProps) {
  const { data: methods } = useQuery(methodsQuery);
  return (
    <SignInForm
      password={methods?.password ?? true}
      oidc={methods?.oidc ?? null}
      oidcPath={`/api/auth/oidc/login?next=${encodeURIComponent(next)}`}
      onSubmit={async (credentials) => onEntered(await signIn(credentials))}
    />
  );
}
