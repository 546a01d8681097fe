import { Action, action, actionOf, type Read, type Shape } from './action.ts'
import { MAX_BYTES } from './mark.ts'
import { restOfText, text } from './parameters.ts'

/** What each step does, by its name; it gets the parameters of its button, and what the handler of all steps knows. */
export type StepTable<
  Table extends Readonly<Record<string, Shape>>,
  Known extends readonly unknown[],
  Result,
> = {
  readonly [Step in keyof Table]: (parameters: Read<Table[Step]>, ...known: Known) => Result
}

/**
 * Declares the buttons of something under way that the chat's draft holds, such as a purchase: `b:<its id>:<step>:…`. A button with
 * another id is old.
 *
 * @param name of the action
 * @param table the parameters of each step
 */
export function steps<Table extends Readonly<Record<string, Shape>>>(name: string, table: Table) {
  const byName = new Map(Object.entries(table).map(([step, shape]) => [step, action(step, shape)]))
  // They need no mark of their account: what is under way waits in its draft.
  const outer = new Action(name, { id: text, step: restOfText }, [], MAX_BYTES)
  return {
    table,
    /** The action of all these buttons: the id of what is under way, and the step with its parameters. */
    action: outer,
    /** Callback data of a button that carries out a step. */
    data<Step extends keyof Table & string>(
      { id }: { readonly id: string },
      step: Step,
      ...given: Parameters<Action<Table[Step]>['data']>
    ): string {
      return outer.data({ id, step: byName.get(step)?.data(...(given as [never])) ?? '' })
    },
    /**
     * Carries out the step of a pressed button.
     *
     * @returns undefined when there is no such step
     */
    carryOut<Known extends readonly unknown[], Result>(
      step: string,
      does: StepTable<Table, Known, Result>,
      ...known: Known
    ): Result | undefined {
      const named = byName.get(actionOf(step))
      const parameters = named?.read(step)
      return named && parameters && does[named.name as keyof Table](parameters as never, ...known)
    },
  }
}
