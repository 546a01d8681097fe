/**
 * Something outside of the program that the operator has to change: a setting, a folder, another process. The message says
 * what; it is printed without a stack, which would add nothing.
 */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError'
}
