/** One change on the server: afterwards what it touched is read again and the person is told. */

import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useToast } from "../ui/toast";

interface Act<Input extends unknown[], Output> {
  run: (...input: Input) => Promise<Output>;
  touches: readonly QueryKey[];
  says?: (output: Output, ...input: Input) => string;
}

export function useAct<Input extends unknown[], Output>({
  run,
  touches,
  says,
}: Act<Input, Output>) {
  const client = useQueryClient();
  const say = useToast();
  return async (...input: Input): Promise<Output> => {
    const output = await run(...input);
    if (says) say(says(output, ...input));
    for (const queryKey of touches) void client.invalidateQueries({ queryKey });
    return output;
  };
}
