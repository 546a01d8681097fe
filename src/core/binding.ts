/**
 * Binds use cases to their dependencies.
 *
 * @returns a function that takes a use case, and returns it without its first parameter
 */
export function binding<Deps>(deps: Deps) {
  return <Args extends unknown[], Result>(useCase: (deps: Deps, ...args: Args) => Result) =>
    (...args: Args): Result =>
      useCase(deps, ...args)
}
