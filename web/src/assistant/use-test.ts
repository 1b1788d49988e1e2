/** Asks an integration's model for a word, and keeps what came of it until the next time. */

import { useCallback, useState } from "react";
import { testIntegration } from "../api/assistant";
import { describeFailure } from "../api/failure";
import type { Tested } from "../api/types";

export type TestState = "testing" | Tested;

export function useTest() {
  const [states, setStates] = useState<Record<string, TestState>>({});
  const test = useCallback(async (id: string) => {
    const set = (state: TestState) => setStates((known) => ({ ...known, [id]: state }));
    set("testing");
    try {
      set(await testIntegration(id));
    } catch (error) {
      set({ works: false, problem: describeFailure(error), models: null });
    }
  }, []);
  return { states, test };
}
