/** What the models of an integration cost, one row for each. */

import { Plus, Trash2 } from "lucide-react";
import { useId } from "react";
import type { FormState } from "../forms/use-form";
import { texts } from "../texts";
import { Button, IconButton } from "../ui/button";
import { Fold } from "../ui/fold";
import { TextInput } from "../ui/input";
import type { IntegrationValues } from "./integration-draft";
import { newPrice, type PriceValues } from "./prices";

const words = texts.integrations;

const COLUMNS = [
  ["model", words.priceModel],
  ["currency", words.priceCurrency],
  ["input", words.priceInput],
  ["output", words.priceOutput],
  ["cacheRead", words.priceCacheRead],
  ["cacheWrite", words.priceCacheWrite],
] as const;

interface PriceFieldsProps {
  form: FormState<IntegrationValues>;
}

export function PriceFields({ form }: PriceFieldsProps) {
  const { prices, defaultModel } = form.values;
  const error = form.errors.fields.prices;
  const errorId = useId();
  const set = (next: PriceValues[]) => form.set("prices", next);
  const change = (changed: PriceValues) =>
    set(prices.map((price) => (price.id === changed.id ? changed : price)));
  const add = () => {
    const free = prices.every(({ model }) => model !== defaultModel) ? defaultModel : "";
    set([...prices, newPrice(`typed-${prices.length}-${Date.now()}`, free)]);
  };
  return (
    <Fold
      title={words.prices}
      says={prices.length === 0 ? words.pricesNone : words.pricesSet(prices.length)}
      open={prices.length > 0 || Boolean(error)}
    >
      <p className="text-[0.8125rem] text-muted">{words.pricesHint}</p>
      {prices.map((price) => (
        <PriceRow
          key={price.id}
          price={price}
          describedBy={error ? errorId : undefined}
          onChange={change}
          onRemove={() => set(prices.filter(({ id }) => id !== price.id))}
        />
      ))}
      {error && (
        <p id={errorId} className="text-[0.8125rem] text-danger">
          {error}
        </p>
      )}
      <div>
        <Button size="small" icon={Plus} onClick={add}>
          {words.priceAdd}
        </Button>
      </div>
    </Fold>
  );
}

interface PriceRowProps {
  price: PriceValues;
  describedBy: string | undefined;
  onChange: (price: PriceValues) => void;
  onRemove: () => void;
}

function PriceRow({ price, describedBy, onChange, onRemove }: PriceRowProps) {
  const id = useId();
  return (
    <fieldset
      aria-describedby={describedBy}
      className="relative grid grid-cols-2 gap-2 rounded-lg border border-line p-3 sm:grid-cols-6"
    >
      <legend className="sr-only">{price.model || words.priceModel}</legend>
      {COLUMNS.map(([name, label]) => (
        <div key={name} className={name === "model" ? "col-span-2 pr-10 sm:col-span-5" : ""}>
          <label htmlFor={`${id}-${name}`} className="mb-1 block text-xs text-muted">
            {label}
          </label>
          <TextInput
            id={`${id}-${name}`}
            value={price[name]}
            inputMode={name === "model" || name === "currency" ? "text" : "decimal"}
            onChange={(event) => onChange({ ...price, [name]: event.target.value })}
          />
        </div>
      ))}
      <IconButton
        label={words.priceRemove(price.model)}
        icon={Trash2}
        tone="danger"
        onClick={onRemove}
        className="absolute top-2 right-2"
      />
    </fieldset>
  );
}
