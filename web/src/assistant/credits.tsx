/** What a tenant may spend each month, and whether it chats at all. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { RequireRule } from "../access/require-rule";
import type { Allowance } from "../api/types";
import { allowanceQuery, CREDITS, creditsQuery, setAllowance } from "../api/usage";
import { ChangedNotice } from "../forms/changed-notice";
import { TextField } from "../forms/form";
import { FormCard } from "../forms/form-card";
import { useAct } from "../forms/use-act";
import { useVersionedForm } from "../forms/use-versioned-form";
import { useMayEverywhere } from "../session/me";
import { texts } from "../texts";
import { Banner } from "../ui/banner";
import { Field } from "../ui/field";
import { Loaded } from "../ui/loaded";
import { Lead } from "../ui/page";
import { Select } from "../ui/select";
import { Tick } from "../ui/tick";
import { showDay } from "../usage/days";
import { allowanceOf, type CreditValues, checkCredits, UNITS, valuesOf } from "./credit-draft";

const words = texts.credits;

export function CreditsPage() {
  return (
    <RequireRule rule="ai.credit.read">
      <Credits />
    </RequireRule>
  );
}

function Credits() {
  const query = useQuery(allowanceQuery);
  return (
    <>
      <Lead body={words.about} />
      <Standing />
      <Loaded query={query}>
        {(allowance) => <CreditsForm key={allowance.version} allowance={allowance} />}
      </Loaded>
    </>
  );
}

/** How the month stands, where there are credits. */
function Standing() {
  const { data } = useQuery(creditsQuery);
  if (data === undefined || data.percent === null) return null;
  const tone = { none: "plain", fine: "plain", low: "caution", exhausted: "danger" } as const;
  return (
    <div className="mb-4 max-w-3xl">
      <Banner tone={tone[data.state]}>
        {words.now(data.percent, showDay(data.resetsAt.slice(0, 10)))}
      </Banner>
    </div>
  );
}

interface CreditsFormProps {
  allowance: Allowance;
}

function CreditsForm({ allowance }: CreditsFormProps) {
  const mayManage = useMayEverywhere("ai.credit.manage");
  const client = useQueryClient();
  const save = useAct({
    run: (values: CreditValues, version: number) => setAllowance(allowanceOf(values, version)),
    touches: [CREDITS],
    says: () => words.saved,
  });
  const { form, state, loadNewest } = useVersionedForm<CreditValues>({
    loaded: { values: valuesOf(allowance), version: allowance.version },
    validate: checkCredits,
    reload: async () => {
      const newest = await client.fetchQuery({ ...allowanceQuery, staleTime: 0 });
      return { values: valuesOf(newest), version: newest.version };
    },
    save,
  });
  const { unit } = form.values;
  return (
    <FormCard form={form} label={words.form} mayChange={mayManage}>
      <ChangedNotice state={state} onLoad={loadNewest} />
      <Field label={words.unit}>
        {(control) => (
          <Select
            {...control}
            value={unit}
            disabled={!mayManage}
            choices={UNITS.map((value) => ({ value, label: words.units[value] }))}
            onChange={(chosen) => form.set("unit", chosen)}
          />
        )}
      </Field>
      {unit !== "none" && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            form={form}
            name="amount"
            label={unit === "money" ? words.amountMoney : words.amountTokens}
          />
          {unit === "money" && (
            <TextField
              form={form}
              name="currency"
              label={words.currency}
              hint={words.currencyHint}
            />
          )}
        </div>
      )}
      <div>
        <Tick
          checked={form.values.chatEnabled}
          onChange={(on) => form.set("chatEnabled", on)}
          className="-mx-3 rounded-lg"
        >
          {words.chat}
        </Tick>
        <p className="text-[0.8125rem] text-muted">{words.chatHint}</p>
      </div>
    </FormCard>
  );
}
