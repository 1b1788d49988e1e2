/** Signing out and in again as somebody else, and back to the same page. */

import { useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "react-router";
import { describeFailure } from "../api/failure";
import { signOut } from "../api/session";
import { useToast } from "../ui/toast";
import { loginPath } from "./next-path";

export function useOtherAccount(): () => Promise<void> {
  const client = useQueryClient();
  const location = useLocation();
  const navigate = useNavigate();
  const say = useToast();
  return async () => {
    try {
      await signOut();
    } catch (error) {
      say(describeFailure(error), "failed");
      return;
    }
    await navigate(loginPath(location), { replace: true });
    client.clear();
  };
}
